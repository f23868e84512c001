import { setTimeout as delay } from 'node:timers/promises';
import type { AppRecord } from '../stack/app-records.ts';

const POLL_MS = 25;

/** How a job ended, as the app's own log says. */
export interface EndedRun {
  readonly outcome: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly endedAt: number;
}

/**
 * Waits until a job has settled, handing on every new record for progress.
 * @throws Error when none settles within `timeoutMs`.
 */
export async function waitForRun(
  records: () => readonly AppRecord[],
  timeoutMs: number,
  onRecord: (record: AppRecord) => void,
): Promise<EndedRun> {
  const deadline = performance.now() + timeoutMs;
  let seen = 0;
  while (performance.now() < deadline) {
    const all = records();
    for (const record of all.slice(seen)) {
      onRecord(record);
      const { outcome, reason } = record;
      if (record.event === 'job.settled' && typeof outcome === 'string' && outcome !== 'superseded') {
        return { outcome, reason: String(reason), endedAt: Date.parse(record.time) };
      }
    }
    seen = all.length;
    await delay(POLL_MS);
  }
  throw new Error(`no review ended within ${Math.round(timeoutMs / 1000)} s; try a longer --timeout`);
}
