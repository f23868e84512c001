import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildVersion } from '../../../shared/observability/version.ts';

describe('buildVersion', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'version-'));
    await mkdir(join(folder, 'dist/functions'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const from = (path: string): URL => pathToFileURL(join(folder, path));

  it('is the version of package.json and dev when run from sources', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(buildVersion()).toEqual({ version, gitSha: 'dev' });
  });

  it('is what the build wrote beside package.json, found from a bundle as from a source', async () => {
    await writeFile(join(folder, 'package.json'), '{"version": "3.2.1"}');
    await writeFile(join(folder, 'build-info.json'), '{"gitSha": "abc1234"}');
    expect(buildVersion(from('dist/functions/main.js'))).toEqual({ version: '3.2.1', gitSha: 'abc1234' });
    expect(buildVersion(from('main.js'))).toEqual({ version: '3.2.1', gitSha: 'abc1234' });
  });

  it.each(['', '[]', '"x"', '{"gitSha": 5}', '{"gitSha": ""}'])(
    'does not fail for a build-info.json that holds %j',
    async (text) => {
      await writeFile(join(folder, 'package.json'), '{"version": "3.2.1"}');
      await writeFile(join(folder, 'build-info.json'), text);
      expect(buildVersion(from('main.js'))).toEqual({ version: '3.2.1', gitSha: 'dev' });
    },
  );

  it('does not fail where there is no package.json up to the root', () => {
    expect(buildVersion(new URL('file:///nowhere/at/all.js'))).toEqual({ version: '0.0.0', gitSha: 'dev' });
  });
});
