import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import { createMarkers, hasMarkerLine, readMarker } from '../../../shared/tools/markers.ts';
import type { Outbox, OutboxOperation } from '../../../shared/tools/outbox-ports.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import type { Grant } from '../../../shared/tools/tool.ts';
import { REF } from './fake-provider.ts';
import { createCountingRandom, createMemoryLog, FULL_GRANT, MARKER_KEYS, TIMINGS } from './fixture.ts';
import { createVirtualClock } from './virtual-clock.ts';

const HOUR_START = 1_800_000_000_000;

function setUp(
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
function post(
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

function failure(kind: AppError['kind'], code: string): AppError {
  return new AppError({ kind, code, message: code });
}

/** Fails the first `times` writes with `error`. */
function failing(times: number, error: AppError): () => void {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw error;
  };
}

describe('outbox results', () => {
  it('answers a repeated call from the row, without another write', async () => {
    const { posted, drive } = setUp();
    expect(await drive(post(posted))).toBe('id-1');
    expect(await drive(post(posted))).toBe('id-1');
    expect(posted).toHaveLength(1);
  });

  it('writes anew, under another marker, once a result is older than it may be repeated', async () => {
    const { posted, drive, clock } = setUp();
    const daily = post(posted, { repeatAfterMs: 1_000 });
    await drive(daily);
    clock.advance(999);
    expect(await drive(daily)).toBe('id-1');
    clock.advance(1);
    expect(await drive(daily)).toBe('id-2');
    expect(posted[0]).not.toBe(posted[1]);
  });

  it('keeps the result of a write although it cannot be recorded, and finds it later', async () => {
    const { posted, clock, table, log } = setUp();
    const broken: TablePort = {
      ...table,
      transaction: async (partition, actions) => {
        if (posted.length > 0) throw failure('transient', 'storage_failed');
        return table.transaction(partition, actions);
      },
    };
    const first = setUp({ table: broken });
    expect(await first.drive(post(posted))).toBe('id-1');
    expect(first.log.lines.map(({ event }) => event)).toEqual(['outbox.resultNotRecorded']);
    const later = createOutbox({
      table,
      clock,
      timings: TIMINGS,
      markerKeys: MARKER_KEYS,
      random: createCountingRandom(50),
      log,
    });
    expect(await clock.drive(later.run('p', post(posted)))).toBe('found-1');
    expect(posted).toHaveLength(1);
  });
});

describe('outbox failures', () => {
  it('may write again at once after an answer that says nothing was written', async () => {
    for (const error of [
      failure('transient', 'provider_rate_limited'),
      failure('transient', 'provider_secondary_limit'),
      failure('permanent', 'provider_permission'),
      failure('rejected', 'provider_refused'),
      failure('stale', 'stale_head'),
    ]) {
      const { posted, drive, clock } = setUp();
      const operation = post(posted, { fail: failing(1, error) });
      await expect(drive(operation)).rejects.toBe(error);
      expect(await drive(operation)).toBe('id-1');
      expect(clock.now()).toBe(HOUR_START);
    }
  });

  it('waits until the intent is 60 s old and looks twice after an answer that says nothing', async () => {
    for (const error of [
      failure('transient', 'provider_failed'),
      failure('transient', 'provider_conflict'),
      failure('permanent', 'answer_html'),
      new Error('a bug'),
    ]) {
      const { posted, drive, clock } = setUp();
      let looks = 0;
      const operation = post(posted, {
        fail: failing(1, error as AppError),
        readBack: async () => {
          looks += 1;
          return undefined;
        },
      });
      expect(await drive(operation)).toBe('id-1');
      expect(looks).toBe(2);
      expect(clock.now() - HOUR_START).toBe(63_000);
    }
  });

  it('gives up after a second unknown outcome and says when it will be known', async () => {
    const { posted, drive, clock } = setUp();
    const operation = post(posted, { fail: failing(2, failure('transient', 'provider_failed')) });
    await expect(drive(operation)).rejects.toMatchObject({
      kind: 'transient',
      code: 'write_unknown',
      retryAfterMs: 57_000,
    });
    expect(clock.now() - HOUR_START).toBe(63_000);
    clock.advance(57_000);
    expect(await drive(operation)).toBe('id-1');
  });

  it('ends a call that the provider never answers after 20 s, and tells it to stop', async () => {
    const { posted, drive, clock } = setUp();
    let aborted: unknown;
    const operation = post(posted, {
      write: (marker, signal) => {
        posted.push(marker);
        signal.addEventListener('abort', () => {
          aborted = clock.now() - HOUR_START;
        });
        return new Promise(() => undefined);
      },
    });
    expect(await drive(operation)).toBe('found-1');
    expect(aborted).toBe(20_000);
    expect(posted).toHaveLength(1);
  });

  it('looks once more when the provider refuses what an earlier try may have written', async () => {
    const { posted, drive } = setUp();
    const operation = post(posted, {
      write: async (marker) => {
        posted.push(marker);
        throw failure('rejected', 'provider_refused');
      },
    });
    expect(await drive(operation)).toBe('found-1');
  });

  it('leaves the intent of another alone that took over meanwhile', async () => {
    const { posted, outbox, clock, drive } = setUp();
    const refusedLate = post(posted, {
      write: () => Promise.reject(failure('rejected', 'provider_refused')),
      // Looking for an earlier try takes so long that the intent grows old.
      readBack: async () => {
        await clock.sleep(70_000);
        return undefined;
      },
    });
    const slow = post(posted, {
      write: async (marker) => {
        posted.push(marker);
        await clock.sleep(15_000);
        return 'slow';
      },
    });
    const first = outbox.run('p', refusedLate).catch((error: unknown) => error);
    const second = clock.sleep(1_000).then(() => outbox.run('p', slow));
    expect(await clock.drive(first)).toMatchObject({ code: 'provider_refused' });
    // Were the row `failed` now, this would write at once, next to the write that is under way.
    expect(await drive(post(posted))).toBe('slow');
    expect(await second).toBe('slow');
    expect(posted).toHaveLength(1);
  });

  it('never tries again after a refusal that is final', async () => {
    const { posted, drive } = setUp();
    const refusal = failure('rejected', 'review_refused');
    const operation = post(posted, { fail: failing(1, refusal), isFinalRefusal: () => true });
    await expect(drive(operation)).rejects.toBe(refusal);
    await expect(drive(operation)).rejects.toMatchObject({ kind: 'rejected', code: 'review_refused' });
    expect(posted).toEqual([]);
  });

  it('takes only a rejection for final', async () => {
    const { posted, drive } = setUp();
    const operation = post(posted, {
      fail: failing(1, failure('permanent', 'provider_permission')),
      isFinalRefusal: () => true,
    });
    await expect(drive(operation)).rejects.toMatchObject({ code: 'provider_permission' });
    expect(await drive(operation)).toBe('id-1');
  });

  it('writes nothing when the confirmation fails', async () => {
    const { posted, drive, clock } = setUp();
    const stale = failure('stale', 'stale_head');
    const operation = post(posted, { confirm: () => Promise.reject(stale) });
    await expect(drive(operation)).rejects.toBe(stale);
    expect(posted).toEqual([]);
    expect(await drive(post(posted))).toBe('id-1');
    expect(clock.now()).toBe(HOUR_START);
  });

  it('stops waiting when the caller gives up', async () => {
    const { posted, outbox, clock } = setUp();
    const controller = new AbortController();
    const operation = post(posted, {
      signal: controller.signal,
      fail: failing(9, failure('transient', 'provider_failed')),
    });
    const run = outbox.run('p', operation);
    void clock.sleep(1_000).then(() => controller.abort(failure('stale', 'superseded')));
    await expect(clock.drive(run)).rejects.toMatchObject({ code: 'superseded' });
    expect(clock.now() - HOUR_START).toBe(1_000);
  });
});

describe('outbox authority', () => {
  it.each([
    ['out_of_scope', { repositories: ['other/*'] }],
    ['out_of_scope', { pullRequest: { repositoryId: '4711', number: 13 } }],
    ['not_allowed', { expiresAt: HOUR_START }],
  ])('refuses with %s what the grant does not cover, before anything is stored', async (code, grant) => {
    const { posted, drive, table } = setUp();
    await expect(drive(post(posted, { grant }))).rejects.toMatchObject({ kind: 'denied', code });
    expect(posted).toEqual([]);
    expect(await table.range('p', 'a', 'z')).toEqual([]);
  });

  it('refuses every write while writes are stopped', async () => {
    const { posted, drive } = setUp();
    const operation = post(posted);
    const stopped = { ...operation, authority: { ...operation.authority, writesStopped: true } };
    await expect(drive(stopped)).rejects.toMatchObject({ kind: 'denied', code: 'writes_stopped' });
    expect(posted).toEqual([]);
  });

  it('asks for the stop again right before the write', async () => {
    let isStopped = false;
    const { posted, drive } = setUp({ isStopped: () => isStopped });
    const operation = post(posted, {
      confirm: async () => {
        isStopped = true;
      },
    });
    expect(await drive(operation)).toBe('id-1');
    const failed = post(posted, { key: 'other' });
    await expect(drive(failed)).rejects.toMatchObject({ code: 'writes_stopped' });
    expect(posted).toHaveLength(1);
  });

  it('writes nothing without a marker key', async () => {
    const { posted, drive } = setUp({ markerKeys: [] });
    await expect(drive(post(posted))).rejects.toMatchObject({
      kind: 'permanent',
      code: 'marker_key_missing',
    });
    expect(posted).toEqual([]);
  });
});

describe('markers', () => {
  const [first, second] = MARKER_KEYS as [Secret, Secret];

  it('are 24 hex characters of an HMAC, signed with the first key and verified with all', () => {
    const old = createMarkers([second]).sign('k');
    expect(old).toBe('f9e9b1311a7b6fd56d0d72be');
    const markers = createMarkers([first, second]);
    expect(markers.sign('k')).not.toBe(old);
    expect(markers.matchesMarker(`<!-- gatehouse:${old} -->\ntext`, 'k')).toBe(true);
    expect(markers.matchesMarker(`<!-- gatehouse:${old} -->\ntext`, 'other')).toBe(false);
    expect(createMarkers([first]).matchesMarker(`<!-- gatehouse:${old} -->\ntext`, 'k')).toBe(false);
  });

  it.each([
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->\ntext', 'a'.repeat(24)],
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->\r\ntext', 'a'.repeat(24)],
    ['text\n[//]: # (gatehouse:bbbbbbbbbbbbbbbbbbbbbbbb)\n', 'b'.repeat(24)],
    ['text\n<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    [' <!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    ['<!-- gatehouse:AAAAAAAAAAAAAAAAAAAAAAAA -->', undefined],
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    ['> <!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    ['', undefined],
  ])('are read from %j as %s', (body, marker) => {
    expect(readMarker(body)).toBe(marker);
  });

  it('stay the same for a write that was begun before the keys were rotated', async () => {
    const { posted, drive, table, clock } = setUp();
    const unknown = post(posted, { fail: failing(9, failure('transient', 'provider_failed')) });
    await expect(drive(unknown)).rejects.toMatchObject({ code: 'write_unknown' });
    const rotated = createOutbox({
      table,
      clock,
      timings: TIMINGS,
      markerKeys: [new Secret('new'), ...MARKER_KEYS],
      random: createCountingRandom(90),
      log: createMemoryLog(),
    });
    await clock.drive(rotated.run('p', post(posted)));
    expect(posted).toEqual([`<!-- gatehouse:${createMarkers(MARKER_KEYS).sign('k')} -->`]);
  });
});
