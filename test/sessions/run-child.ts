import { spawn } from 'node:child_process';

/**
 * Runs a TypeScript program of the tests in a process of its own and answers the JSON lines it printed. The
 * explorations use it to have both cores, and modules that no test runner has transformed.
 */
export function runChild(program: string, args: readonly string[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) {
        reject(new Error(`${program} ended with ${code}: ${errors.slice(-2_000)}`));
        return;
      }
      const lines = output.split('\n').filter((line) => line !== '');
      resolve(lines.map((line): unknown => JSON.parse(line)));
    });
  });
}
