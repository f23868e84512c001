import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../run/run-tool.ts';
import { PAT, startAzureServer } from './azure-devops-server.ts';
import { runCommand } from './run-command.ts';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The command as npm runs it, in a process of its own. */
function runProcess(env: Readonly<Record<string, string>>, argv: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['infra/ops/hooks/main.ts', ...argv], { cwd: PROJECT_ROOT, env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

const GITHUB = {
  GATEHOUSE_INSTANCES: JSON.stringify([
    {
      id: 'github',
      provider: 'github',
      webUrl: 'https://github.com',
      apiUrl: 'https://api.github.com',
      repositories: ['acme/*'],
    },
  ]),
};

describe('hooks:create', () => {
  it('runs as a command with the settings of its environment and prints none of the secrets', async () => {
    await using server = await startAzureServer();
    const address = new URL('/org', server.loopback.url).href;
    const secrets = { password: 'the-password-71', header: 'the-header-72' };
    const { code, output } = await runProcess(
      {
        GATEHOUSE_INSTANCES: JSON.stringify([
          { id: 'azure', provider: 'azure-devops', webUrl: address, apiUrl: address, repositories: ['*/*'] },
        ]),
        AZURE_DEVOPS_TOKEN: PAT,
        AZURE_DEVOPS_HOOK_USER: 'gatehouse',
        AZURE_DEVOPS_HOOK_PASSWORDS: secrets.password,
        AZURE_DEVOPS_HOOK_HEADER_SECRETS: secrets.header,
      },
      ['--instance', 'azure', '--project', 'Fabrikam Fiber', '--url', 'https://gatehouse.example'],
    );
    expect(code, output).toBe(0);
    expect(output.split('\n').filter((line) => line.startsWith('created '))).toHaveLength(4);
    for (const secret of [PAT, secrets.password, secrets.header]) expect(output).not.toContain(secret);
    expect(server.stored[0]?.sent.consumerInputs.basicAuthPassword).toBe(secrets.password);
  });

  it('says in one line that the manifest does it for GitHub', async () => {
    const { code, out, err } = await runCommand(GITHUB, ['--instance', 'github']);
    expect([code, out.length, err]).toEqual([0, 1, []]);
    expect(out[0]).toContain('infra/ops/github-app-manifest.json');
  });

  it('explains itself, and what it cannot run with', async () => {
    const help = await runCommand({}, ['--help']);
    expect([help.code, help.err]).toEqual([0, []]);
    expect(help.out[0]).toContain('npm run hooks:create -- --instance ID');
    const wrong = async (...argv: string[]): Promise<unknown> => {
      const { code, out, err } = await runCommand(GITHUB, argv);
      expect(out).toEqual([]);
      return [code, err.join('\n')];
    };
    expect(await wrong()).toEqual([2, expect.stringContaining('--instance names an instance')]);
    expect(await wrong('--instance', 'other')).toEqual([2, expect.stringContaining('it has: github')]);
    expect(await wrong('--nonsense')).toEqual([2, expect.stringContaining('--nonsense')]);
    const unreadable = await runCommand({}, ['--instance', 'x', '--json']);
    expect(unreadable.code).toBe(2);
    expect(JSON.parse(unreadable.out.join('\n'))).toMatchObject({
      hooks: [],
      error: { code: 'unknown_instance', message: expect.stringContaining('it has: none') },
    });
  });
});
