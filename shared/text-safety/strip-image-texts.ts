import type { HiddenTextKind } from './hidden-text-kind.ts';
import { labelKey } from './strip-link-definitions.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Empties the text of images, which is drawn only when the image fails to load, and removes `[label]` after a
 * link text where `labels` defines it. Brackets may nest; one pass with a stack keeps it linear.
 */
export function stripImageTexts(
  text: string,
  labels: ReadonlySet<string>,
  count: (kind: HiddenTextKind) => void,
): string {
  const spans: Span[] = [];
  const open: number[] = [];
  for (const { index, 0: bracket } of text.matchAll(/\\[^\n]|\[|\]/g)) {
    if (bracket === '[') open.push(index);
    if (bracket !== ']') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const label = index - start <= 1000 ? labelKey(text.slice(start + 1, index)) : '';
    const isDefined = labels.has(label);
    const next = text[index + 1];
    if (text[start - 1] === '!' && (next === '(' || next === '[' || isDefined)) {
      spans.push({ from: start + 1, to: index });
    } else if (isDefined && text[start - 1] === ']') {
      spans.push({ from: start, to: index + 1 });
    }
  }
  return cutSpans(text, spans, () => count('image-alt'));
}

function cutSpans(text: string, spans: readonly Span[], onCut: () => void): string {
  const kept: string[] = [];
  let at = 0;
  // An inner image closes first; the text of the one around it takes it along.
  for (const { from, to } of spans.toSorted((left, right) => left.from - right.from)) {
    if (from < at || from === to) continue;
    onCut();
    kept.push(text.slice(at, from));
    at = to;
  }
  return kept.join('') + text.slice(at);
}
