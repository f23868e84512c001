import { loadConfig } from '../../../shared/config/load-config.ts';
import { runHooksCommand } from '../../../infra/ops/hooks/run-hooks-command.ts';

export interface CommandRun {
  readonly code: number;
  readonly out: string[];
  readonly err: string[];
}

/** The command in this process, with settings of its own. */
export async function runCommand(
  env: Readonly<Record<string, string>>,
  argv: readonly string[],
  transport: typeof fetch = fetch,
): Promise<CommandRun> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runHooksCommand(argv, {
    loadConfig: () => loadConfig(env),
    transport,
    print: (line) => out.push(line),
    warn: (line) => err.push(line),
  });
  return { code, out, err };
}
