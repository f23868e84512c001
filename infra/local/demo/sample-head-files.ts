import type { RuleId } from './rule-examples.ts';
import { RULE_EXAMPLES } from './rule-examples.ts';

/** The canonical line that breaks a rule; the sample plants each of them once. */
export function canonicalLine(rule: RuleId): string {
  const example = RULE_EXAMPLES.find((candidate) => candidate.rule === rule);
  if (example === undefined) throw new Error(`no example for ${rule}`);
  return example.examples[0].line;
}

/** What the pull request does to the sample service: path -> new text, or null for a removed path. */
export function sampleHeadFiles(): ReadonlyMap<string, string | null> {
  return new Map<string, string | null>([
    [
      'README.md',
      `# Orders

Keeps orders, applies discount codes and charges them.

## Running

Set PAYMENTS_URL, then run \`npm start\`. Discount codes are described in docs/discounts.md.
`,
    ],
    [
      'CHANGELOG.md',
      `# Changelog

${canonicalLine('conflict-marker')}
## 1.5.0

- Discount codes.
=======
## 1.4.1

- Payments time out after two seconds.
>>>>>>> main

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
  "discounts": { "maxPercent": 50 },
  "currency": "EUR"
}
`,
    ],
    [
      'docs/discounts.md',
      `# Discount codes

A code takes a percentage off the total. The total never goes below zero.

| Code | Percent |
|---|---|
| WELCOME | 10 |
| SUMMER | 15 |
`,
    ],
    [
      'src/config.ts',
      `export interface Config {
  readonly port: number;
  readonly paymentsUrl: string;
  readonly couponBucket: { readonly name: string; readonly accessKeyId: string };
}

${canonicalLine('committed-secret')}

export function loadConfig(env: Record<string, string | undefined>): Config {
  return {
    port: Number(env['PORT'] ?? 8080),
    paymentsUrl: env['PAYMENTS_URL'] ?? 'https://payments.example.com',
    couponBucket: { name: env['COUPON_BUCKET'] ?? 'coupons', accessKeyId },
  };
}
`,
    ],
    [
      'src/server.ts',
      `import { createServer } from 'node:http';
import { loadConfig } from './config.ts';
import { discountFor } from './orders/discount.ts';
import { createStore } from './orders/store.ts';
import { totalInCents } from './orders/total.ts';

const config = loadConfig(process.env);
const store = createStore();

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const order = store.find(url.pathname);
  if (order === undefined) {
    response.writeHead(404).end();
    return;
  }
  const percent = discountFor({ query: { rule: url.searchParams.get('rule') ?? '0' } });
  response.end(JSON.stringify({ id: order.id, total: totalInCents(order.items, percent) }));
}).listen(config.port);
`,
    ],
    [
      'src/orders/discount.ts',
      `export interface DiscountRequest {
  readonly query: { readonly rule: string };
}

/** Percent off for the rule that the shop sends along. */
export function discountFor(request: DiscountRequest): number {
${canonicalLine('eval-of-input')}
  return Math.min(50, Number(rule));
}
`,
    ],
    [
      'src/orders/total.ts',
      `export interface Item {
  readonly sku: string;
  readonly quantity: number;
  readonly priceInCents: number;
}

export function totalInCents(items: readonly Item[], percentOff = 0): number {
  let total = 0;
  for (const item of items) {
    total += item.quantity * item.priceInCents;
  }
${canonicalLine('leftover-debugger')}
  return Math.round((total * (100 - percentOff)) / 100);
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
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
${canonicalLine('empty-catch')}
  return [];
}
`,
    ],
    [
      'src/payments/client.ts',
      `import { Agent, request } from 'node:https';

export function charge(url: string, cents: number): Promise<number> {
${canonicalLine('tls-verification-off')}
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent }, (response) => resolve(response.statusCode ?? 0));
    call.on('error', reject);
    call.end(JSON.stringify({ cents }));
  });
}
`,
    ],
    ['src/http/fetch-json.ts', null],
    [
      'src/http/request-json.ts',
      `/** Fetches JSON and fails on every status but 200. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal });
  if (response.status === 204) return undefined;
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

${canonicalLine('disabled-test')}
    expect(totalInCents([{ sku: 'a', quantity: 3, priceInCents: 199 }])).toBe(597);
  });
});
`,
    ],
    [
      'test/discount.test.ts',
      `import { describe, expect, it } from 'vitest';
import { discountFor } from '../src/orders/discount.ts';

describe('discountFor', () => {
${canonicalLine('focused-test')}
    expect(discountFor({ query: { rule: '10' } })).toBe(10);
  });

  it('never takes more than half', () => {
    expect(discountFor({ query: { rule: '80' } })).toBe(50);
  });
});
`,
    ],
  ]);
}
