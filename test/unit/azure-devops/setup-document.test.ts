import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../shared/config/settings-table.ts';
import { AZURE_DEVOPS_SCOPE } from '../../../shared/providers/azure-devops/authorization.ts';
import { SECRET_HEADER } from '../../../shared/providers/azure-devops/webhook-credentials.ts';

const text = readFileSync(new URL('../../../docs/setup-azure-devops.md', import.meta.url), 'utf8');

describe('the setup of Azure DevOps', () => {
  it('names settings that exist, and every one that Azure DevOps has', () => {
    const named = new Set(
      (text.match(/\b(?:AZURE_DEVOPS|GATEHOUSE)_[A-Z_]+[A-Z]/g) ?? []).map(
        (name) => name.split('__')[0] ?? '',
      ),
    );
    const known = SETTINGS.map(({ name }) => name);
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => name.startsWith('AZURE_DEVOPS_') && !named.has(name))).toEqual([]);
  });

  it('names the header that deliveries are checked for', () => {
    expect(text.toLowerCase()).toContain(`${SECRET_HEADER}:<`);
  });

  it('asks for tokens of Azure DevOps and not of a look-alike', () => {
    expect(AZURE_DEVOPS_SCOPE).toBe('499b84ac-1321-427f-aa17-267ca6975798/.default');
  });
});
