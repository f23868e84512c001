import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SharedHistory } from '../../fixtures/github/simulator-world.ts';
import { createSharedHistory } from '../../fixtures/github/simulator-world.ts';

const MAIN = join(import.meta.dirname, '../../../infra/local/simulators/github/main.ts');

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, stdout, stderr };
}

describe('the command that serves a repository as a GitHub', () => {
  let history: SharedHistory;
  beforeAll(() => {
    history = createSharedHistory();
  });
  afterAll(() => history.repository.dispose());
  const start = (...args: string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [MAIN, ...args]);

  it('explains itself', async () => {
    const { code, stdout } = await finish(start('--help'));
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'Serves a local git repository as a simulated GitHub with one pull request.',
    ]);
  });

  it.each([
    [['--repo', '/', '--base', 'a', '--head', 'b'], '/ is not a git repository'],
    [['--repo', '/no/such/place', '--base', 'a', '--head', 'b'], '/no/such/place is not a directory'],
    [['--base', 'a', '--head', 'b'], '--repo, --base and --head are needed; see --help'],
  ])('exits with 2 and one line for %j', async (args, message) => {
    expect(await finish(start(...args))).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });

  it('exits with 2 for a reference that does not exist', async () => {
    const { directory } = history.repository;
    const finished = await finish(start('--repo', directory, '--base', 'main', '--head', 'nowhere'));
    expect(finished).toEqual({ code: 2, stdout: '', stderr: `"nowhere" does not exist in ${directory}\n` });
  });

  it('prints its addresses, serves, can be steered, and ends when interrupted', async () => {
    const child = start('--repo', history.repository.directory, '--base', 'main', '--head', 'feature');
    const ended = finish(child);
    const [line] = await once(child.stdout, 'data');
    const ready = JSON.parse(String(line));
    expect(ready.pullRequest).toMatchObject({ number: 1, baseSha: history.base, headSha: history.head });
    const pull = await fetch(`${ready.apiUrl}/repos/acme/sample/pulls/1`, {
      headers: { authorization: `token ${ready.token}` },
    });
    expect(pull.status).toBe(200);
    const requests = await fetch(`${ready.apiUrl}/_simulator/requests`, {
      headers: { 'x-simulator-key': ready.adminKey },
    });
    expect(await requests.json()).toHaveLength(1);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});
