/** The sample service before the pull request: path -> text. */
export const SAMPLE_BASE_FILES: ReadonlyMap<string, string> = new Map([
  [
    'package.json',
    `{
  "name": "orders",
  "version": "1.4.0",
  "type": "module",
  "scripts": { "start": "node src/server.ts", "test": "vitest run" }
}
`,
  ],
  [
    'README.md',
    `# Orders

Keeps orders and charges them.

## Running

Set PAYMENTS_URL, then run \`npm start\`.
`,
  ],
  [
    'CHANGELOG.md',
    `# Changelog

## 1.4.0

- Orders can be cancelled until they are paid.

## 1.3.0

- Totals are kept in cents.
`,
  ],
  [
    'config/default.json',
    `{
  "port": 8080,
  "payments": { "timeoutMs": 2000 },
  "currency": "EUR"
}
`,
  ],
  [
    'src/config.ts',
    `export interface Config {
  readonly port: number;
  readonly paymentsUrl: string;
}

export function loadConfig(env: Record<string, string | undefined>): Config {
  return {
    port: Number(env['PORT'] ?? 8080),
    paymentsUrl: env['PAYMENTS_URL'] ?? 'https://payments.example.com',
  };
}
`,
  ],
  [
    'src/server.ts',
    `import { createServer } from 'node:http';
import { loadConfig } from './config.ts';
import { createStore } from './orders/store.ts';
import { totalInCents } from './orders/total.ts';

const config = loadConfig(process.env);
const store = createStore();

createServer((request, response) => {
  const order = store.find(request.url ?? '');
  if (order === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.end(JSON.stringify({ id: order.id, total: totalInCents(order.items) }));
}).listen(config.port);
`,
  ],
  [
    'src/orders/total.ts',
    `export interface Item {
  readonly sku: string;
  readonly quantity: number;
  readonly priceInCents: number;
}

export function totalInCents(items: readonly Item[]): number {
  let total = 0;
  for (const item of items) {
    total += item.quantity * item.priceInCents;
  }
  return total;
}
`,
  ],
  [
    'src/orders/store.ts',
    `import { readFileSync } from 'node:fs';
import type { Item } from './total.ts';

export interface Order {
  readonly id: string;
  readonly items: readonly Item[];
}

export function createStore() {
  const orders = new Map<string, Order>();
  return {
    find: (id: string) => orders.get(id),
    save: (order: Order) => orders.set(order.id, order),
  };
}

export function readOrders(path: string): Order[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}
`,
  ],
  [
    'src/payments/client.ts',
    `import { Agent, request } from 'node:https';

export function charge(url: string, cents: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent }, (response) => resolve(response.statusCode ?? 0));
    call.on('error', reject);
    call.end(JSON.stringify({ cents }));
  });
}
`,
  ],
  [
    'src/http/fetch-json.ts',
    `/** Fetches JSON and fails on every status but 200. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal });
  if (response.status !== 200) {
    throw new Error(\`unexpected status \${response.status}\`);
  }
  return response.json();
}
`,
  ],
  [
    'test/total.test.ts',
    `import { describe, expect, it } from 'vitest';
import { totalInCents } from '../src/orders/total.ts';

describe('totalInCents', () => {
  it('is zero for no items', () => {
    expect(totalInCents([])).toBe(0);
  });

  it('keeps the total in cents', () => {
    expect(totalInCents([{ sku: 'a', quantity: 3, priceInCents: 199 }])).toBe(597);
  });
});
`,
  ],
]);
