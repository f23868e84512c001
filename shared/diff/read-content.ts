/** A text as lines. */
export interface Content {
  /** Lines as they are shown, without their line feeds; a final line feed starts no line. */
  readonly lines: readonly string[];
  /** Lines as they are compared, one for each of `lines`. */
  readonly keys: readonly string[];
  readonly lacksFinalNewline: boolean;
}

// The rule by which git calls a file binary: buffer_is_binary in xdiff-interface.c.
const BINARY_PROBE = 8000;

/** Reads a file's text; undefined when it is binary. */
export function readContent(content: string | Uint8Array): Content | undefined {
  if (typeof content === 'string') {
    return content.slice(0, BINARY_PROBE).includes('\0') ? undefined : splitContent(content, content);
  }
  if (content.subarray(0, BINARY_PROBE).includes(0)) return undefined;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // Decoding turns every invalid byte into the same character; latin1 keeps them apart and has the same lines.
  return splitContent(text, text.includes('\uFFFD') ? bytes.toString('latin1') : text);
}

function splitContent(text: string, keyText: string): Content {
  const lines = splitLines(text);
  return {
    lines,
    keys: keyText === text ? lines : splitLines(keyText),
    lacksFinalNewline: text !== '' && !text.endsWith('\n'),
  };
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** Equal lines get equal numbers over both sides; a last line without line feed differs from one with. */
export function internLines(oldSide: Content, newSide: Content): { oldIds: Int32Array; newIds: Int32Array } {
  const ids = new Map<string, number>();
  const idsOf = (side: Content): Int32Array => {
    const last = side.lacksFinalNewline ? side.keys.length - 1 : -1;
    return Int32Array.from(side.keys, (key, index) => {
      const name = index === last ? `\n${key}` : key;
      const known = ids.get(name);
      if (known !== undefined) return known;
      ids.set(name, ids.size);
      return ids.size - 1;
    });
  };
  return { oldIds: idsOf(oldSide), newIds: idsOf(newSide) };
}
