import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { SETTINGS } from '../../../shared/config/settings-table.ts';
import { COMPLETE, GITHUB_INSTANCE } from '../../unit/config/complete-settings.ts';

const SECRET_SETTINGS = SETTINGS.filter(({ kind }) => kind === 'secret' || kind === 'secrets').map(
  ({ name }) => name,
);

const name = fc.oneof(
  fc.constantFrom(...SETTINGS.map((setting) => setting.name)),
  fc.constantFrom(...SETTINGS.map((setting) => `${setting.name}__MAIN`)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `GATEHOUSE_${text}`),
  fc.constant('WEBSITE_INSTANCE_ID'),
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.webUrl(),
  fc.constantFrom('[', '[[[[', '{}', '[{}]', 'true', '-0', '1e999', '-----BEGIN RSA PRIVATE KEY-----'),
  fc
    .record({ id: fc.string(), provider: fc.anything(), webUrl: fc.webUrl(), apiUrl: fc.anything() })
    .map((entry) => JSON.stringify([entry, { ...GITHUB_INSTANCE, ...entry }])),
);

/** A value that stands nowhere else, in every shape in which a secret may be written. */
const planted = fc
  .tuple(
    fc.uuid().map((id) => `planted-${id}`),
    fc.constantFrom(
      (value: string) => value,
      (value: string) => `${value},${value}x`,
      (value: string) => JSON.stringify([value, { value: `${value}y`, repositories: ['acme/*'] }]),
      (value: string) => JSON.stringify([value, 5]),
      (value: string) => `["${value}`,
      (value: string) => `-----BEGIN RSA PRIVATE KEY-----\n${value}`,
      (value: string) => `AccountName=a;AccountKey=${value};QueueEndpoint=https://a.example`,
      (value: string) => Buffer.from(value).toString('base64'),
    ),
  )
  .map(([value, write]) => ({ value, text: write(value) }));

describe('loadConfig', () => {
  it('never throws and answers the same shape, whatever the environment holds', () => {
    fc.assert(
      fc.property(fc.dictionary(name, text), fc.boolean(), (env, isComplete) => {
        const config = loadConfig(isComplete ? { ...COMPLETE, ...env } : env);
        expect(Object.isFrozen(config)).toBe(true);
        expect(config.retentionDays).toBeGreaterThanOrEqual(1);
        expect(config.runDeadlineMs).toBeGreaterThanOrEqual(60_000);
        for (const problem of config.problems) {
          expect(problem.setting).not.toBe('');
          expect(problem.governs).toMatch(/^[a-z]+(\/[a-z0-9-]+)?$/);
          expect(problem.advice).toMatch(/\.$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never shows a secret, neither in problems nor when the configuration is printed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRET_SETTINGS), planted, fc.boolean(), (setting, secret, isApp) => {
        const env = { ...COMPLETE, ...(isApp ? { GITHUB_APP_ID: '1' } : {}), [setting]: secret.text };
        const config = loadConfig(env);
        const printed = JSON.stringify(config) + inspect(config, { depth: 20, showHidden: true });
        expect(printed).not.toContain(secret.value);
        expect(printed).not.toContain(secret.text);
      }),
      { numRuns: 500 },
    );
  });

  it('stops all writes for any unknown setting that looks like ours', () => {
    const known = new Set(SETTINGS.map((setting) => setting.name));
    const unknown = fc
      .string({ minLength: 1, maxLength: 12 })
      .map((rest) => `GATEHOUSE_${rest}`)
      .filter((candidate) => !known.has(candidate));
    fc.assert(
      fc.property(unknown, fc.string(), (setting, value) => {
        const config = loadConfig({ ...COMPLETE, [setting]: value });
        expect(config.stop).toBe(true);
        expect(config.problems.map((problem) => problem.setting)).toEqual([setting]);
      }),
    );
  });
});
