import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReviewMeasurement } from './review-measure.ts';

const SIZES = [10, 100, 1_000, 3_000];
const SAMPLE_FILES = 12;
const MAX_PEAK_BYTES = 512 * 1024 * 1024;
const MAX_TIME_RATIO = 3.6;
const MAX_SIZE_RATIO = 1.9;

/** A busy machine can slow one measurement; time that is not linear shows every time. */
const ATTEMPTS = 3;

/**
 * A whole review without the model's time, for 10 to 3,000 changed files, each in a process of its own.
 * @returns 1 when 3,000 files take more than 512 MB or more than 3.6 times as long as 1,000 in each of three
 *   attempts, or when the first request for 12 files is more than 1.9 times the diff plus the rules; else 0.
 */
export async function runReviewBench(_args: string[]): Promise<number> {
  print(
    ['files', 'ms', 'peak MB', 'provider calls', 'model calls', 'diff KB', 'sent / diff', 'cacheable'].join(
      '\t',
    ),
  );
  const measured = new Map<number, ReviewMeasurement>();
  for (const files of SIZES) {
    const one = await measure(files);
    measured.set(files, one);
    print(
      [
        files,
        one.ms.toFixed(0),
        Math.round(one.peakBytes / 1e6),
        one.providerCalls,
        one.modelCalls,
        Math.round(one.diffBytes / 1e3),
        (one.sentBytes / one.diffBytes).toFixed(2),
        `${Math.round(one.cacheableShare * 100)} %`,
      ].join('\t'),
    );
  }
  const peak = measured.get(3_000)?.peakBytes ?? Infinity;
  const results = [
    verdict(`peak at 3,000 files ${Math.round(peak / 1e6)} MB`, 'at most 537', peak <= MAX_PEAK_BYTES),
    await isLinear(measured),
    await isSmall(),
  ];
  return results.every(Boolean) ? 0 : 1;
}

async function isLinear(measured: ReadonlyMap<number, ReviewMeasurement>): Promise<boolean> {
  let ratio = (measured.get(3_000)?.ms ?? Infinity) / (measured.get(1_000)?.ms ?? 1);
  for (let attempt = 1; ; attempt += 1) {
    const isOk = verdict(
      `time(3,000) / time(1,000) = ${ratio.toFixed(2)}`,
      `at most ${MAX_TIME_RATIO}`,
      ratio <= MAX_TIME_RATIO,
    );
    if (isOk || attempt === ATTEMPTS) return isOk;
    const slow = await measure(3_000);
    ratio = slow.ms / (await measure(1_000)).ms;
  }
}

async function isSmall(): Promise<boolean> {
  const { firstRequestBytes, rulesBytes, diffBytes } = await measure(SAMPLE_FILES);
  const ratio = firstRequestBytes / (diffBytes + rulesBytes);
  const what = `first request for ${SAMPLE_FILES} files / (diff + rules) = ${ratio.toFixed(2)}`;
  return verdict(what, `at most ${MAX_SIZE_RATIO}`, ratio <= MAX_SIZE_RATIO);
}

function verdict(what: string, limit: string, isOk: boolean): boolean {
  print(`${what}, ${limit}: ${isOk ? 'ok' : 'too much'}`);
  return isOk;
}

/** A process of its own gives each measurement its own peak memory and a cold heap. */
async function measure(files: number): Promise<ReviewMeasurement> {
  const script = fileURLToPath(new URL('review-measure.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(files)]);
  // The script is ours and prints one object of this type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(stdout) as ReviewMeasurement;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
