import type { HiddenTextKind } from './hidden-text-kind.ts';

// Text a page does not show, or only to assistive software.
const HIDDEN_NAME = /^(?:alt|title|label|placeholder|content|srcdoc|summary|aria-.*|data-.*)$/i;
const ATTRIBUTE = /[\s/]*([^\s/<>=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>][^\s<>]*))?/y;
const TAG_START = /<\/?[a-zA-Z][a-zA-Z0-9-]*/g;
const TAG_END = /[\s/=]*>/y;

// Scanning stays linear on hostile input: text may be looked at this often before the rest is given up.
const MAX_VISITS_PER_CHARACTER = 30;

/**
 * Removes attributes with hidden text from HTML tags. Markup made to be slow to read is cut off, since what
 * cannot be judged must not reach a model.
 */
export function stripTagAttributes(text: string, count: (kind: HiddenTextKind) => void): string {
  const kept: string[] = [];
  let from = 0;
  let visits = text.length * MAX_VISITS_PER_CHARACTER + 10_000;
  const start = new RegExp(TAG_START);
  for (let open = start.exec(text); open !== null; open = start.exec(text)) {
    const tag = readTag(text, start.lastIndex);
    visits -= tag.end - open.index;
    if (visits < 0) {
      count('hidden-attribute');
      return kept.join('') + text.slice(from, open.index);
    }
    if (!tag.closed) continue;
    for (const { index, end, hasValue } of tag.hidden) {
      if (hasValue) count('hidden-attribute');
      kept.push(text.slice(from, index), ' ');
      from = end;
    }
    start.lastIndex = tag.end;
  }
  return kept.join('') + text.slice(from);
}

interface Tag {
  /** Where reading stopped: after the `>` when closed. */
  readonly end: number;
  readonly closed: boolean;
  readonly hidden: readonly { index: number; end: number; hasValue: boolean }[];
}

function readTag(text: string, afterName: number): Tag {
  const hidden: { index: number; end: number; hasValue: boolean }[] = [];
  const attribute = new RegExp(ATTRIBUTE);
  const tagEnd = new RegExp(TAG_END);
  let at = afterName;
  for (;;) {
    tagEnd.lastIndex = at;
    if (tagEnd.test(text)) return { end: tagEnd.lastIndex, closed: true, hidden };
    attribute.lastIndex = at;
    const match = attribute.exec(text);
    if (match === null) return { end: at, closed: false, hidden };
    at = attribute.lastIndex;
    const name = match[1] ?? '';
    if (HIDDEN_NAME.test(name)) {
      const index = match.index + match[0].indexOf(name);
      hidden.push({ index, end: at, hasValue: at > index + name.length });
    }
  }
}
