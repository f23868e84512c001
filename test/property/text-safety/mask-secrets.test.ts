import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createSecretMasker } from '../../../shared/text-safety/mask-secrets.ts';

function letters(alphabet: string, length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength: length, maxLength: length });
}
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A secret of each shape, whole. */
const shaped = fc.oneof(
  letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 16).map((body) => `AKIA${body}`),
  letters(ALPHANUMERIC, 36).map((body) => `ghp_${body}`),
  letters(ALPHANUMERIC, 36).map((body) => `ghs_${body}`),
  letters(`${ALPHANUMERIC}_`, 60).map((body) => `github_pat_${body}`),
  letters(`${ALPHANUMERIC}_-`, 20).map((body) => `glpat-${body}`),
  letters(`${ALPHANUMERIC}-`, 30).map((body) => `xoxb-${body}`),
  letters(`${ALPHANUMERIC}_-`, 50).map((body) => `sk-ant-api03-${body}`),
  letters(`${ALPHANUMERIC}_-`, 43).map((body) => `ghk_id1_${body}`),
  letters(ALPHANUMERIC, 36).map((body) => `npm_${body}`),
  letters(ALPHANUMERIC, 60).map((body) => `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`),
);
const around = fc.string({ unit: fc.constantFrom(...'abc =:"\'`\n/.,;(){}<>#@!'.split('')), maxLength: 20 });

describe('createSecretMasker', () => {
  const mask = createSecretMasker([]);

  it('leaks no secret of a known shape, wherever it stands', () => {
    fc.assert(
      fc.property(around, shaped, around, (before, secret, after) => {
        const { text } = mask(before + secret + after);
        for (let at = 0; at + 12 <= secret.length; at += 1) {
          const part = secret.slice(at, at + 12);
          expect(part.startsWith('-----') || !text.includes(part)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('leaks no known secret in any encoding, and leaves text without one alone', () => {
    const secret = fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 40 })
      .filter((s) => s.trim().length >= 8);
    const encodings = [
      (value: string) => value,
      encodeURIComponent,
      (value: string) => JSON.stringify(value),
      (value: string) => Buffer.from(value).toString('base64'),
      (value: string) => Buffer.from(`user:${value}`).toString('base64'),
      (value: string) => Buffer.from(`x${value}\nmore`).toString('base64url'),
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...encodings), (value, encode) => {
        const known = createSecretMasker([new Secret(value)]);
        const { text, masked } = known(`## ${encode(value.trim())} ##`);
        expect(masked).toContain('known');
        expect(text).not.toContain(encode(value.trim()).slice(2, -2));
        expect(text).toMatch(/^## .*\[masked\].* ##$/s);
        expect(known('## nothing here ##').masked).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it('is idempotent', () => {
    const piece = fc.oneof(
      shaped,
      around,
      fc.constantFrom(
        'password=',
        'token: ',
        '"secret": "',
        'api_key = ',
        '://u:',
        '@',
        'Bearer ',
        '[masked]',
        'a1',
      ),
      letters(ALPHANUMERIC, 14),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const known = createSecretMasker([new Secret('PLANTEDsecret1')]);
        const once = known(pieces.join('') + 'PLANTEDsecret1').text;
        expect(known(once)).toEqual({ text: once, masked: [] });
      }),
      { numRuns: 2000 },
    );
  });
});
