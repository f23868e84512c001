import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { COMPLETE, GITHUB_INSTANCE } from './complete-settings.ts';

/** `setting governs` of each problem. */
function problemsOf(changes: Readonly<Record<string, string | undefined>>): string[] {
  return loadConfig({ ...COMPLETE, ...changes }).problems.map(
    ({ setting, governs }) => `${setting} ${governs}`,
  );
}

describe('loadConfig with complete settings', () => {
  const config = loadConfig(COMPLETE);

  it('finds nothing wrong and takes the documented defaults', () => {
    expect(config.problems).toEqual([]);
    expect(config).toMatchObject({
      name: 'gatehouse',
      stop: false,
      retentionDays: 30,
      runDeadlineMs: 1_200_000,
      budgets: { runUsd: 5, repositoryDayUsd: 100 },
      logLevel: 'info',
      publicUrl: undefined,
      grants: { isReadable: true, entries: [] },
      mcp: { tenants: [], audience: undefined, clients: [], origins: [] },
      modelPrices: undefined,
      model: {
        foundryResource: undefined,
        skim: 'claude-haiku-5-5',
        standard: 'claude-sonnet-5-5',
        deep: 'claude-opus-5-5',
        verify: 'claude-opus-5-5',
      },
    });
    expect(config.model?.baseUrl.href).toBe('https://api.anthropic.com/');
    expect(config.markerKeys.map((key) => key.reveal())).toEqual([
      'first marker key 1234',
      'second marker key 567',
    ]);
  });

  it('is frozen, lists included', () => {
    expect(Object.isFrozen(config)).toBe(true);
    const parts = [config.instances, config.instances[0], config.problems, config.secrets, config.markerKeys];
    for (const part of [...parts, config.grants, config.mcp, config.budgets]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('prints no secret in any form, and hands each to the redactor', () => {
    const printed = `${JSON.stringify(config)}${inspect(config, { depth: 10 })}`;
    const values = config.secrets.map((secret) => secret.reveal());
    expect(values).toEqual(
      expect.arrayContaining(['token-of-main', 'hook-one', 'hook-two', 'model-key', 'first marker key 1234']),
    );
    for (const value of values) expect(printed).not.toContain(value);
    expect(printed).toContain('[secret]');
  });
});

describe('a setting that is missing or wrong closes what it governs and is named', () => {
  it.each([
    ['GATEHOUSE_INSTANCES', undefined, 'GATEHOUSE_INSTANCES webhooks'],
    ['GATEHOUSE_INSTANCES', '{}', 'GATEHOUSE_INSTANCES webhooks'],
    ['GATEHOUSE_INSTANCES', '[]', 'GATEHOUSE_INSTANCES webhooks'],
    ['GITHUB_WEBHOOK_SECRETS', undefined, 'GITHUB_WEBHOOK_SECRETS webhooks/main'],
    ['GITHUB_WEBHOOK_SECRETS', ' , ', 'GITHUB_WEBHOOK_SECRETS webhooks/main'],
    ['GITHUB_TOKEN', undefined, 'GITHUB_APP_ID review/main'],
    ['GITHUB_APP_ID', '17', 'GITHUB_APP_PRIVATE_KEY review/main'],
    ['ANTHROPIC_API_KEY', undefined, 'ANTHROPIC_API_KEY review'],
    ['ANTHROPIC_BASE_URL', 'http://models.internal', 'ANTHROPIC_BASE_URL review'],
    ['FOUNDRY_RESOURCE', 'https://x.example', 'FOUNDRY_RESOURCE review'],
    ['MODEL_PRICES', '{"m": 1}', 'MODEL_PRICES review'],
    ['MODEL_PRICES', '{"m": {"input": -1, "output": 2}}', 'MODEL_PRICES review'],
    ['GATEHOUSE_MARKER_KEYS', undefined, 'GATEHOUSE_MARKER_KEYS writes'],
    ['GATEHOUSE_MARKER_KEYS', 'a key that is long enough,short', 'GATEHOUSE_MARKER_KEYS writes'],
    ['GATEHOUSE_STORAGE__queueServiceUri', undefined, 'GATEHOUSE_STORAGE__queueServiceUri storage'],
    ['GATEHOUSE_STORAGE__credential', 'clientsecret', 'GATEHOUSE_STORAGE__credential storage'],
    ['GATEHOUSE_PUBLIC_URL', 'gatehouse.example', 'GATEHOUSE_PUBLIC_URL mcp'],
    ['GATEHOUSE_GRANTS', '[{', 'GATEHOUSE_GRANTS mcp'],
    ['GATEHOUSE_GRANTS', '{"id":"x"}', 'GATEHOUSE_GRANTS mcp'],
    ['MCP_ORIGINS', 'https://chat.example/path', 'MCP_ORIGINS mcp'],
    ['GATEHOUSE_NAME', 'two words', 'GATEHOUSE_NAME review'],
    ['GATEHOUSE_STOP', 'yes please', 'GATEHOUSE_STOP writes'],
    ['RETENTION_DAYS', '0', 'RETENTION_DAYS review'],
    ['RUN_DEADLINE_MINUTES', '1e1', 'RUN_DEADLINE_MINUTES review'],
    ['BUDGET_RUN_USD', 'five', 'BUDGET_RUN_USD review'],
    ['BUDGET_REPOSITORY_DAY_USD', '-1', 'BUDGET_REPOSITORY_DAY_USD review'],
    ['SWEEP_SCHEDULE', undefined, 'SWEEP_SCHEDULE sweep'],
    ['SWEEP_SCHEDULE', 'every hour', 'SWEEP_SCHEDULE sweep'],
    ['LOG_LEVEL', 'chatty', 'LOG_LEVEL logging'],
  ])('%s = %s', (setting, text, expected) => {
    expect(problemsOf({ [setting]: text })).toEqual([expected]);
  });

  it('counts a blank setting as absent', () => {
    expect(problemsOf({ ANTHROPIC_API_KEY: ' \n' })).toEqual(['ANTHROPIC_API_KEY review']);
  });

  it('leaves a limit at its default instead of without one', () => {
    const config = loadConfig({ ...COMPLETE, RETENTION_DAYS: '1e99', BUDGET_RUN_USD: 'Infinity' });
    expect(config).toMatchObject({ retentionDays: 30, budgets: { runUsd: 5 } });
  });

  it('takes no grant from a setting that is half right', () => {
    const config = loadConfig({ ...COMPLETE, GATEHOUSE_GRANTS: '[{"id":"a"}, {"id":' });
    expect(config.grants).toEqual({ isReadable: false, entries: [] });
  });

  it('keeps no marker key when one of them is too short', () => {
    expect(
      loadConfig({ ...COMPLETE, GATEHOUSE_MARKER_KEYS: 'short,a key that is long enough' }).markerKeys,
    ).toEqual([]);
  });
});

describe('the stop switch', () => {
  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['on', true],
    ['nope', true],
  ])('%s means %s: what is unclear stops', (text, stop) => {
    expect(loadConfig({ ...COMPLETE, GATEHOUSE_STOP: text }).stop).toBe(stop);
  });

  it.each(['GATEHOUSE_STOPP', 'gatehouse_stop', 'GATEHOUSE_GRANT', 'GATEHOUSE_STORAGE__clientID'])(
    'is on while %s is set, because it may be misspelt',
    (name) => {
      const config = loadConfig({ ...COMPLETE, [name]: 'value' });
      expect(config.stop).toBe(true);
      expect(config.problems.map(({ setting, governs }) => [setting, governs])).toEqual([[name, 'writes']]);
    },
  );

  it('ignores settings of others', () => {
    expect(problemsOf({ PATH: '/bin', GITHUB_ACTIONS: 'true', AzureWebJobsStorage: 'x' })).toEqual([]);
  });
});

describe('product settings', () => {
  it('reads prices, grants, Entra lists and origins', () => {
    const config = loadConfig({
      ...COMPLETE,
      MODEL_PRICES: '{"model-a": {"input": 1, "output": 5, "cacheRead": 0.1}}',
      GATEHOUSE_GRANTS: '[{"id": "reader"}]',
      GATEHOUSE_NAME: '@reviewer',
      GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example',
      ENTRA_TENANTS: 'tenant-one, tenant-two',
      ENTRA_AUDIENCE: 'api://gatehouse',
      ENTRA_CLIENTS: 'client-one',
      MCP_ORIGINS: 'https://chat.example,https://ide.example:8443',
      RUN_DEADLINE_MINUTES: '7.5',
    });
    expect(config.problems).toEqual([]);
    expect(config).toMatchObject({
      modelPrices: { 'model-a': { input: 1, output: 5, cacheRead: 0.1 } },
      grants: { isReadable: true, entries: [{ id: 'reader' }] },
      name: 'reviewer',
      mcp: {
        tenants: ['tenant-one', 'tenant-two'],
        audience: 'api://gatehouse',
        clients: ['client-one'],
        origins: ['https://chat.example', 'https://ide.example:8443'],
      },
      runDeadlineMs: 450_000,
    });
    expect(config.publicUrl?.href).toBe('https://gatehouse.example/');
  });

  it('reads the model of a Foundry resource without a key', () => {
    const config = loadConfig({ ...COMPLETE, ANTHROPIC_API_KEY: undefined, FOUNDRY_RESOURCE: 'my-resource' });
    expect(config.problems).toEqual([]);
    expect(config.model).toMatchObject({ apiKey: undefined, foundryResource: 'my-resource' });
  });

  it('names an instance in advice by its position, not by its content', () => {
    const config = loadConfig({
      ...COMPLETE,
      GATEHOUSE_INSTANCES: JSON.stringify([GITHUB_INSTANCE, { ...GITHUB_INSTANCE, id: 'Bad Id', extra: 1 }]),
    });
    expect(config.instances).toHaveLength(1);
    expect(config.problems).toEqual([
      {
        setting: 'GATEHOUSE_INSTANCES',
        governs: 'webhooks',
        advice: 'Entry 2 is not an instance; check: id, unrecognized_keys.',
      },
    ]);
  });
});
