import { spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(import.meta.url);

/** The reference: a node:http server in its own process that checks the signature and stores nothing. */
export async function spawnBareHandler(secret: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [FILE], {
    env: { ...process.env, BARE_HANDLER_SECRET: secret },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = await once(lines, 'line');
  return {
    url: String(url),
    stop: async () => {
      const gone = once(child, 'close');
      child.stdin.end();
      await gone;
    },
  };
}

function serve(secret: string): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const wanted = Buffer.from(
        `sha256=${createHmac('sha256', secret).update(Buffer.concat(chunks)).digest('hex')}`,
      );
      const given = Buffer.from(String(request.headers['x-hub-signature-256']));
      const isGenuine = wanted.length === given.length && timingSafeEqual(wanted, given);
      response.writeHead(isGenuine ? 202 : 401).end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null)
      process.stdout.write(`http://127.0.0.1:${address.port}/\n`);
  });
  process.stdin.once('close', () => server.close(() => process.exit(0)));
  process.stdin.once('end', () => process.exit(0));
  process.stdin.resume();
}

if (process.argv[1] === FILE) serve(process.env['BARE_HANDLER_SECRET'] ?? '');
