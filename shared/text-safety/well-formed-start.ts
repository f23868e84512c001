/** The first `length` UTF-16 units; a surrogate pair that would be split is left out whole. */
export function wellFormedStart(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, Math.max(0, length)).replace(/[\uD800-\uDBFF]$/, '');
}
