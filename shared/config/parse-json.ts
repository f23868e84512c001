/** The value of a JSON text; undefined when it is none. The parser's message is dropped: it repeats the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
