import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createLogger } from '../../../shared/observability/logger.ts';
import { createRedactor } from '../../../shared/observability/redaction.ts';

/** Secrets as they are: printable, with characters that every encoding treats in its own way. */
const secretText = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019+/="\\ &?%é-_'.split('')), minLength: 6, maxLength: 60 })
  .filter((text) => text.trim().length >= 6 && !text.startsWith('-----') && !'[secret]'.includes(text));

const ENCODINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => Buffer.from(value).toString('base64'),
  (value) => Buffer.from(value).toString('base64url'),
  (value) => encodeURIComponent(value),
  (value) => JSON.stringify(value).slice(1, -1),
];

const WRAPPERS: readonly ((inner: unknown) => unknown)[] = [
  (inner) => [inner, 1],
  (inner) => ({ field: inner, other: null }),
  (inner) => ({ [String(inner)]: 1 }),
  (inner) => new Map<unknown, unknown>([['entry', inner]]),
  (inner) => new Map<unknown, unknown>([[inner, 'entry']]),
  (inner) => new Set([inner]),
  (inner) => new Error(`failed: ${String(inner)}`),
  (inner) => new Error('failed', { cause: inner }),
  (inner) => new AggregateError([inner, new Error(String(inner))], 'several'),
  (inner) => Object.assign(new Error('failed'), { response: { data: inner } }),
  (inner) => Object.assign(new Error('failed'), { stack: `at ${String(inner)}:1:1` }),
  (inner) => {
    const cycle: Record<string, unknown> = { inner };
    cycle['self'] = cycle;
    return cycle;
  },
];

const nesting = fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 5 });
const surroundings = fc.tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }));

describe('the redactor', () => {
  it('lets no planted secret through, in any nesting and encoding', () => {
    fc.assert(
      fc.property(
        fc.array(secretText, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...ENCODINGS),
        nesting,
        surroundings,
        (texts, encode, wrappers, [before, after]) => {
          const redact = createRedactor(texts.map((text) => new Secret(text)));
          for (const text of texts) {
            const planted = `${before}${encode(text)}${after}`;
            const value = wrappers.reduce<unknown>((inner, wrap) => wrap(inner), planted);
            const shown = allText(redact(value));
            expect(shown).not.toContain(encode(text));
            expect(shown).not.toContain(text);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('lets no secret through inside longer base64, wherever it stands', () => {
    fc.assert(
      fc.property(
        secretText,
        fc.string({ maxLength: 7 }),
        fc.string({ maxLength: 7 }),
        (text, before, after) => {
          const redact = createRedactor([new Secret(text)]);
          const sent = Buffer.from(`${before}${text}${after}`).toString('base64');
          const shown = Buffer.from(String(redact(sent)).replaceAll('[secret]', ''), 'base64').toString(
            'utf8',
          );
          expect(shown).not.toContain(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('makes a JSON line of anything, without throwing and without changing its answer', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
        secretText,
        (value, text) => {
          const lines: string[] = [];
          const redact = createRedactor([new Secret(text)]);
          const log = createLogger({
            level: 'debug',
            sink: (_level, record) => lines.push(JSON.stringify(record)),
            redact,
            clock: { now: () => 0 },
          });
          log.info('a.b', { value });
          log.info('a.b', { value });
          expect(lines).toHaveLength(2);
          expect(lines[0]).toBe(lines[1]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Every text of a redacted value, keys included, as it would be read; JSON's own escapes would hide secrets. */
function allText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .flatMap(([key, inner]) => [key, allText(inner)])
    .join('\n');
}
