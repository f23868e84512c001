import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { SETTINGS } from '../../../shared/config/settings-table.ts';
import { COMPLETE, GITHUB_INSTANCE } from './complete-settings.ts';

/** Names that loadConfig asks an environment for. */
function namesRead(env: Readonly<Record<string, string>>): ReadonlySet<string> {
  const read = new Set<string>();
  loadConfig(
    new Proxy(env, {
      get: (target, name) => {
        if (typeof name === 'string') read.add(name);
        return typeof name === 'string' ? target[name] : undefined;
      },
    }),
  );
  return read;
}

const EVERY_PROVIDER = ['github', 'azure-devops', 'gitlab'].map((provider) => ({
  ...GITHUB_INSTANCE,
  id: provider,
  provider,
}));

describe('SETTINGS', () => {
  it('are read, each of them, and nothing else but what tells Azure from elsewhere', () => {
    const env = { ...COMPLETE, GATEHOUSE_INSTANCES: JSON.stringify(EVERY_PROVIDER) };
    const plain = [...namesRead(env)].filter((name) => !/[A-Z]__[A-Z]/.test(name));
    const expected = [...SETTINGS.map(({ name }) => name), 'WEBSITE_INSTANCE_ID'];
    expect(plain.toSorted()).toEqual(expected.toSorted());
  });

  it('of an instance are read with its suffix', () => {
    const instances = [...EVERY_PROVIDER, ...EVERY_PROVIDER.map((one) => ({ ...one, id: `${one.id}-two` }))];
    const read = namesRead({ ...COMPLETE, GATEHOUSE_INSTANCES: JSON.stringify(instances) });
    const suffixes = { GITHUB: 'GITHUB_TWO', AZURE: 'AZURE_DEVOPS_TWO', GITLAB: 'GITLAB_TWO' };
    for (const { name } of SETTINGS.filter(({ isPerInstance }) => isPerInstance === true)) {
      const [, suffix] = Object.entries(suffixes).find(([start]) => name.startsWith(start)) ?? [];
      expect(read, name).toContain(`${name}__${suffix}`);
    }
  });

  it('have one row each, and no secret has a default', () => {
    const names = SETTINGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(SETTINGS.filter((one) => one.kind.startsWith('secret') && one.default !== undefined)).toEqual([]);
    expect(SETTINGS.filter(({ description }) => !/^[A-Z`].*\.$/.test(description))).toEqual([]);
  });
});
