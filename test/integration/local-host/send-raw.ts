import http from 'node:http';

export interface RawAnswer {
  readonly status: number | undefined;
  readonly body: Buffer;
}

/** Sends without fetch's own rules: chunked where no length is given, a body with any method. */
export function sendRaw(
  url: string,
  headers: http.OutgoingHttpHeaders,
  chunks: readonly Uint8Array[],
  method = 'POST',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(parts) }));
      response.on('error', reject);
    });
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}
