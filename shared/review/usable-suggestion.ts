import type { PlacedFinding } from './anchor-findings.ts';

/**
 * The replacement when it can be offered as a commit: on the new side, for exactly the lines under the anchor,
 * different from what stands there, not repeating a neighbour, with brackets balanced as before. Otherwise
 * undefined, and the text is only shown.
 */
export function usableSuggestion({ finding, anchor, reason, anchored }: PlacedFinding): string | undefined {
  const { suggestion, evidence } = finding;
  if (suggestion === null || anchored === undefined || anchor.side !== 'new') return undefined;
  if (reason !== 'claimed' && reason !== 'moved') return undefined;
  const current = anchored.lines.map(withoutEnd);
  const quoted = splitLines(evidence);
  if (quoted.length !== current.length || quoted.some((line, index) => line !== current[index]))
    return undefined;
  const replacement = suggestion === '' ? [] : splitLines(suggestion);
  if (replacement.join('\n') === current.join('\n')) return undefined;
  if (balanceOf(replacement.join('\n')) !== balanceOf(current.join('\n'))) return undefined;
  if (repeats(replacement.at(0), anchored.before) || repeats(replacement.at(-1), anchored.after))
    return undefined;
  return replacement.join('\n');
}

function splitLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n').map(withoutEnd);
}

function withoutEnd(line: string): string {
  return line.replace(/\r$/, '');
}

/** A model that starts or ends with the line next to the range would double that line. */
function repeats(line: string | undefined, neighbour: string | undefined): boolean {
  return (
    line !== undefined && neighbour !== undefined && line.trim() !== '' && line === withoutEnd(neighbour)
  );
}

/** How many brackets of each kind stay open; text inside strings counts too, the same before and after. */
function balanceOf(text: string): string {
  const count = (open: string, close: string) => text.split(open).length - text.split(close).length;
  return `${count('(', ')')} ${count('[', ']')} ${count('{', '}')}`;
}
