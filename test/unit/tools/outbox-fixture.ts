import type { Secret } from '../../../shared/config/secret.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import { hasMarkerLine } from '../../../shared/tools/markers.ts';
import type { Outbox, OutboxOperation } from '../../../shared/tools/outbox-ports.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import type { Grant } from '../../../shared/tools/tool.ts';
import { REF } from './fake-provider.ts';
import { createCountingRandom, createMemoryLog, FULL_GRANT, MARKER_KEYS, TIMINGS } from './fixture.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** 2027-01-15T08:00:00Z, the start of a clock hour. */
export const HOUR_START = 1_800_000_000_000;

export function setUpOutbox(
  options: { isStopped?: () => boolean; markerKeys?: Secret[]; budgets?: true; table?: TablePort } = {},
) {
  const clock = createVirtualClock(HOUR_START);
  const table = options.table ?? createInMemoryTable(() => clock.now());
  const budgets = createInMemoryTable(() => clock.now());
  const log = createMemoryLog();
  const outbox = createOutbox({
    table,
    clock,
    timings: TIMINGS,
    markerKeys: options.markerKeys ?? MARKER_KEYS,
    random: createCountingRandom(),
    log,
    ...(options.budgets === undefined ? {} : { budgets }),
    ...(options.isStopped === undefined ? {} : { isStopped: async () => options.isStopped?.() === true }),
  });
  const posted: string[] = [];
  const drive = <Result>(operation: OutboxOperation<Result>, box: Outbox = outbox): Promise<Result> =>
    clock.drive(box.run('p', operation));
  return { clock, table, log, outbox, posted, drive };
}

/** An operation that posts into `posted`, unless `fail` throws; what it posts can be read back. */
export function post(
  posted: string[],
  changes: Partial<OutboxOperation<string>> & { grant?: Partial<Grant>; fail?: () => void } = {},
): OutboxOperation<string> {
  const { grant, fail, ...rest } = changes;
  return {
    key: 'k',
    kind: 'thread',
    authority: { grant: { ...FULL_GRANT, ...grant }, pullRequest: REF, callerId: 'c', writesStopped: false },
    confirm: async () => undefined,
    write: async (marker) => {
      fail?.();
      posted.push(marker);
      return `id-${posted.length}`;
    },
    readBack: async (marker) => {
      const index = posted.findIndex((body) => hasMarkerLine(body, marker));
      return index < 0 ? undefined : `found-${index + 1}`;
    },
    encode: (id) => id,
    decode: (id) => id,
    ...rest,
  };
}

export function failure(kind: AppError['kind'], code: string): AppError {
  return new AppError({ kind, code, message: code });
}

/** Fails the first `times` writes with `error`. */
export function failing(times: number, error: Error): () => void {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw error;
  };
}
