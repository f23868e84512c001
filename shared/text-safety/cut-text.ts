import { openFenceAt } from './markdown-fences.ts';
import { wellFormedStart } from './well-formed-start.ts';

const MARKER = String.raw`(?:<!-- gatehouse:[0-9a-f]{24} -->|\[//\]: # \(gatehouse:[0-9a-f]{24}\))`;
const FIRST_LINE_MARKER = new RegExp(`^${MARKER}(?:\\r?\\n|$)`);
const LAST_LINE_MARKER = new RegExp(`\\n${MARKER}\\s*$`);

// Below this a note says more than the text it leaves.
const SHORTEST_WITH_NOTE = 200;

/**
 * Cuts Markdown to `maxLength` UTF-16 units, the note about it included; shorter text is returned as it is. A
 * marker on the first or the last line survives, an open code fence is closed before the note, a suggestion block
 * is left out rather than cut (half of one could be committed), and no surrogate pair is split. Limits under 200
 * leave no room for a note: there only the start is kept.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  if (maxLength < SHORTEST_WITH_NOTE) return withoutOpenSpan(wellFormedStart(text, maxLength));
  const first = FIRST_LINE_MARKER.exec(text)?.[0] ?? '';
  const last = LAST_LINE_MARKER.exec(text)?.[0].trimEnd() ?? '';
  const body = text.slice(first.length, last === '' ? undefined : text.lastIndexOf(last));
  const room = maxLength - first.length - last.length - noteOf(text.length).length;

  let kept = wellFormedStart(body, room);
  let closing = '';
  for (let open = openFenceAt(kept); open !== undefined; open = openFenceAt(kept)) {
    closing = `\n${open.fence}`;
    const fits = kept.length + closing.length <= room;
    if (fits && !open.isSuggestion) break;
    kept = wellFormedStart(
      kept,
      open.isSuggestion ? open.start : Math.max(open.start, room - closing.length),
    );
    closing = '';
  }
  if (closing === '') kept = withoutOpenSpan(kept);
  return first + kept + closing + noteOf(body.length - kept.length) + last;
}

/** The start without a code span that the cut left open: a mention that stood in it as code would come alive. */
function withoutOpenSpan(kept: string): string {
  const lineStart = kept.lastIndexOf('\n') + 1;
  const spans = /\\[^\n]|(`+)(?!`)/g;
  spans.lastIndex = lineStart;
  for (let run = spans.exec(kept); run !== null; run = spans.exec(kept)) {
    const marks = run[1];
    if (marks === undefined) continue;
    const close = new RegExp(`(?<!\`)${marks}(?!\`)`, 'g');
    close.lastIndex = spans.lastIndex;
    if (close.exec(kept) === null) return kept.slice(0, run.index);
    spans.lastIndex = close.lastIndex;
  }
  return kept;
}

function noteOf(characters: number): string {
  return `\n\n[cut: ${characters} characters do not fit here]`;
}
