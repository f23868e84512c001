const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/**
 * Decodes a path in git's C-style quotes (core.quotePath): `"caf\303\251"` is `café`. Octal escapes are bytes of
 * UTF-8; invalid bytes become U+FFFD.
 * @returns the path and the characters consumed with both quotes, or undefined when `text` does not start with a
 *   complete quoted path.
 */
export function readQuotedPath(text: string): { path: string; length: number } | undefined {
  if (!text.startsWith('"')) return undefined;
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let at = 1;
  while (at < text.length) {
    if (text[at] === '"') return { path: decode(parts), length: at + 1 };
    if (text[at] !== '\\') {
      const plain = /^[^"\\]+/.exec(text.slice(at))?.[0] ?? '';
      parts.push(encoder.encode(plain));
      at += plain.length;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const byte = octal === undefined ? ESCAPES[text[at + 1] ?? ''] : Number.parseInt(octal, 8);
    if (byte === undefined) return undefined;
    parts.push(Uint8Array.of(byte));
    at += octal === undefined ? 2 : 4;
  }
  return undefined;
}

function decode(parts: readonly Uint8Array[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(parts));
}
