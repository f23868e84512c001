const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The path that routes are matched against, as Kestrel makes it from a request target: query cut off, percent
 * escapes decoded as UTF-8 (`%2F` and invalid ones stay as they are), then dot segments removed, encoded ones
 * included (dotnet/aspnetcore, PathDecoder and UrlDecoder).
 * @returns undefined for a target that Kestrel answers with 400: no leading slash, or an encoded NUL.
 */
export function decodeRequestPath(target: string): string | undefined {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const raw = target.slice(origin.length).split('?', 1)[0] ?? '';
  if (!raw.startsWith('/')) return undefined;
  if (/%00/.test(raw)) return undefined;
  return removeDotSegments(raw.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeEscapes));
}

function decodeEscapes(escapes: string): string {
  const bytes = Uint8Array.from(escapes.match(/[0-9a-f]{2}/gi) ?? [], (hex) => Number.parseInt(hex, 16));
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at] ?? 0);
    const decoded = length === 0 ? undefined : decodeSequence(bytes.subarray(at, at + length), length);
    if (decoded === undefined || decoded === '/') {
      text += escapes.slice(at * 3, at * 3 + 3);
      at += 1;
    } else {
      text += decoded;
      at += length;
    }
  }
  return text;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xf0) return lead <= 0xf4 ? 4 : 0;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc2 ? 2 : 0;
}

function decodeSequence(bytes: Uint8Array, length: number): string | undefined {
  if (bytes.length !== length) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** RFC 3986, 5.2.4. */
function removeDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (last) kept.push('');
  }
  return `/${kept.join('/')}`;
}
