import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Top folder of the project. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface ToolRun {
  readonly exitCode: number;
  /** stdout and stderr as they came; empty unless collected. */
  readonly output: string;
  readonly ms: number;
}

/**
 * Runs one of the project's tools (found on PATH, where the bootstrap put them) in the top folder.
 * Output goes through as it comes, or is collected. Asked to stop, it stops the tool too.
 */
export function runTool(
  command: string,
  args: readonly string[],
  options: { readonly collect?: boolean } = {},
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(command, args, {
      cwd: PROJECT_ROOT,
      env: options.collect === true ? { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined } : process.env,
      stdio: options.collect === true ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    const collect = (chunk: unknown): void => {
      output += String(chunk);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const stop = (signal: NodeJS.Signals): void => {
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, stop);
    const finish = (exitCode: number): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve({ exitCode, output, ms: performance.now() - startedAt });
    };
    child.once('error', (error) => {
      output += `${command} could not be started: ${error.message}\n`;
      finish(127);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}
