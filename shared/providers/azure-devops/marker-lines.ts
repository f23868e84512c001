/**
 * Azure DevOps shows HTML comments in some places, so a marker that comes as the first line of a body is kept as
 * its last one instead, as a link definition, which no renderer shows.
 */
const FIRST_LINE = /^<!-- gatehouse:([0-9a-f]{24}) -->[ \t]*\r?(?:\n|$)/;
const LAST_LINE = /(?:^|\n)\[\/\/\]: # \(gatehouse:[0-9a-f]{24}\)\s*$/;

/** Name of the thread property that holds the marker of the comment that opened the thread. */
export const KEY_PROPERTY = 'Gatehouse.Key';

/** Characters by which a body grows at most when its marker moves to its end. */
export const MARKER_GROWTH = 4;

export interface PlacedMarker {
  readonly content: string;
  /** 24 hex characters; absent when the body carries none. */
  readonly marker: string | undefined;
}

/** A body as it is sent. */
export function placeMarker(body: string): PlacedMarker {
  const found = FIRST_LINE.exec(body);
  const marker = found?.[1];
  if (found === null || marker === undefined) return { content: body, marker: undefined };
  return { content: withMarker(body.slice(found[0].length), marker), marker };
}

/** A body as it is shown to the rest of the product: a thread's key stands in for a line that an edit removed. */
export function readBody(content: string, key: string | undefined): string {
  const isKey = key !== undefined && /^[0-9a-f]{24}$/.test(key);
  return isKey && !carriesMarker(content) ? withMarker(content, key) : content;
}

/** True when a body carries one of our markers, whoever put it there. */
export function carriesMarker(content: string): boolean {
  return FIRST_LINE.test(content) || LAST_LINE.test(content);
}

/** The blank line before it keeps the definition from being part of a paragraph. */
function withMarker(text: string, marker: string): string {
  return `${text}\n\n[//]: # (gatehouse:${marker})`;
}
