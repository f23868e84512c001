import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DIFF_BENCH_TOOLS } from './diff-measure.ts';
import type { DiffBenchTool, DiffMeasurement } from './diff-measure.ts';

const SIZES = [10_000, 100_000, 300_000];
const MAX_RATIO = 4;

/** A busy machine can slow one measurement; time that is not linear shows every time. */
const ATTEMPTS = 3;

/**
 * Parses and maps patches of 10,000, 100,000 and 300,000 changed lines with our code, beside jsdiff alone and
 * parse-diff, each in a process of its own, and prints lines per second and peak memory.
 * @returns 1 when 300,000 lines take more than four times as long as 100,000 in each of three attempts, else 0.
 */
export async function runDiffBench(_args: string[]): Promise<number> {
  const ours = new Map<number, number>();
  print(['tool', 'changed lines', 'ms', 'lines/s', 'peak MB'].join('\t'));
  for (const tool of DIFF_BENCH_TOOLS) {
    for (const size of SIZES) {
      const { ms, peakBytes, lines } = await measure(tool, size);
      if (tool === 'gatehouse') ours.set(size, ms);
      const speed = Math.round((lines / ms) * 1000).toLocaleString('en');
      print([tool, lines.toLocaleString('en'), ms.toFixed(1), speed, Math.round(peakBytes / 1e6)].join('\t'));
    }
  }
  let ratio = (ours.get(300_000) ?? Infinity) / (ours.get(100_000) ?? 1);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const isLinear = ratio <= MAX_RATIO;
    print(
      `time(300k) / time(100k) = ${ratio.toFixed(2)}, at most ${MAX_RATIO}: ${isLinear ? 'ok' : 'too slow'}`,
    );
    if (isLinear) return 0;
    if (attempt < ATTEMPTS) {
      const slow = await measure('gatehouse', 300_000);
      ratio = slow.ms / (await measure('gatehouse', 100_000)).ms;
    }
  }
  return 1;
}

/** A process of its own gives each measurement its own peak memory and a cold heap. */
async function measure(tool: DiffBenchTool, size: number): Promise<DiffMeasurement> {
  const script = fileURLToPath(new URL('diff-measure.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, tool, String(size)]);
  // The script is ours and prints one object of this type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(stdout) as DiffMeasurement;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
