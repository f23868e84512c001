import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/domain/app-error.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import { CAPABILITIES } from '../../../shared/tools/tool.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { createCountingRandom, MARKER_KEYS, TIMINGS } from './fixture.ts';
import { failing, failure, HOUR_START, post, setUpOutbox } from './outbox-fixture.ts';

describe('outbox results', () => {
  it('answers a repeated call from the row, without another write', async () => {
    const { posted, drive } = setUpOutbox();
    expect(await drive(post(posted))).toBe('id-1');
    expect(await drive(post(posted))).toBe('id-1');
    expect(posted).toHaveLength(1);
  });

  it('writes anew, under another marker, once a result is older than it may be repeated', async () => {
    const { posted, drive, clock } = setUpOutbox();
    const daily = post(posted, { repeatAfterMs: 1_000 });
    await drive(daily);
    clock.advance(999);
    expect(await drive(daily)).toBe('id-1');
    clock.advance(1);
    expect(await drive(daily)).toBe('id-2');
    expect(posted[0]).not.toBe(posted[1]);
  });

  it('keeps the result of a write although it cannot be recorded, and finds it later', async () => {
    const { posted, clock, table, log } = setUpOutbox();
    const broken: TablePort = {
      ...table,
      transaction: async (partition, actions) => {
        if (posted.length > 0) throw failure('transient', 'storage_failed');
        return table.transaction(partition, actions);
      },
    };
    const first = setUpOutbox({ table: broken });
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
      const { posted, drive, clock } = setUpOutbox();
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
      const { posted, drive, clock } = setUpOutbox();
      let looks = 0;
      const operation = post(posted, {
        fail: failing(1, error),
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

  it('hears of the result of another at once, without waiting for the intent to grow old', async () => {
    const { posted, outbox, clock } = setUpOutbox();
    const slow = post(posted, {
      write: async (marker) => {
        posted.push(marker);
        await clock.sleep(2_500);
        return 'slow';
      },
    });
    const first = outbox.run('p', slow);
    const second = clock.sleep(100).then(() => outbox.run('p', post(posted)));
    expect(await clock.drive(Promise.all([first, second]))).toEqual(['slow', 'slow']);
    expect(clock.now() - HOUR_START).toBe(3_100);
    expect(posted).toHaveLength(1);
  });

  it('gives up after a second unknown outcome and says when it will be known', async () => {
    const { posted, drive, clock } = setUpOutbox();
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
    const { posted, drive, clock } = setUpOutbox();
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
    const { posted, drive } = setUpOutbox();
    const operation = post(posted, {
      write: async (marker) => {
        posted.push(marker);
        throw failure('rejected', 'provider_refused');
      },
    });
    expect(await drive(operation)).toBe('found-1');
  });

  it('leaves the intent of another alone that took over meanwhile', async () => {
    const { posted, outbox, clock, drive } = setUpOutbox();
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
    const { posted, drive } = setUpOutbox();
    const refusal = failure('rejected', 'review_refused');
    const operation = post(posted, { fail: failing(1, refusal), isFinalRefusal: () => true });
    await expect(drive(operation)).rejects.toBe(refusal);
    await expect(drive(operation)).rejects.toMatchObject({ kind: 'rejected', code: 'review_refused' });
    expect(posted).toEqual([]);
  });

  it('takes only a rejection for final', async () => {
    const { posted, drive } = setUpOutbox();
    const operation = post(posted, {
      fail: failing(1, failure('permanent', 'provider_permission')),
      isFinalRefusal: () => true,
    });
    await expect(drive(operation)).rejects.toMatchObject({ code: 'provider_permission' });
    expect(await drive(operation)).toBe('id-1');
  });

  it('writes nothing when the confirmation fails', async () => {
    const { posted, drive, clock } = setUpOutbox();
    const stale = failure('stale', 'stale_head');
    const operation = post(posted, { confirm: () => Promise.reject(stale) });
    await expect(drive(operation)).rejects.toBe(stale);
    expect(posted).toEqual([]);
    expect(await drive(post(posted))).toBe('id-1');
    expect(clock.now()).toBe(HOUR_START);
  });

  it('stops waiting when the caller gives up', async () => {
    const { posted, outbox, clock } = setUpOutbox();
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
    const { posted, drive, table } = setUpOutbox();
    await expect(drive(post(posted, { grant }))).rejects.toMatchObject({ kind: 'denied', code });
    expect(posted).toEqual([]);
    expect(await table.range('p', 'a', 'z')).toEqual([]);
  });

  it.each([
    ['review', ['submit']],
    ['summary', ['submit', 'observe']],
    ['thread', ['comment', 'submit']],
    ['reply', ['comment']],
    ['resolve', ['resolve']],
    ['status', ['observe']],
    ['notice', ['observe']],
    ['reaction', ['observe']],
  ] as const)('writes a %s for a grant with one of %j only', async (kind, enough) => {
    const outcomes: string[] = [];
    for (const capability of CAPABILITIES) {
      const { posted, drive } = setUpOutbox();
      const run = drive(post(posted, { kind, grant: { capabilities: [capability] } }));
      const outcome = await run.catch((error: AppError) => error.code);
      outcomes.push(`${capability}: ${outcome}, ${posted.length}`);
    }
    expect(outcomes).toEqual(
      CAPABILITIES.map((capability) =>
        enough.some((one) => one === capability) ? `${capability}: id-1, 1` : `${capability}: not_allowed, 0`,
      ),
    );
  });

  it('refuses every write while writes are stopped', async () => {
    const { posted, drive } = setUpOutbox();
    const operation = post(posted);
    const stopped = { ...operation, authority: { ...operation.authority, writesStopped: true } };
    await expect(drive(stopped)).rejects.toMatchObject({ kind: 'denied', code: 'writes_stopped' });
    expect(posted).toEqual([]);
  });

  it('asks for the stop again right before the write', async () => {
    let isStopped = false;
    const { posted, drive } = setUpOutbox({ isStopped: () => isStopped });
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
    const { posted, drive } = setUpOutbox({ markerKeys: [] });
    await expect(drive(post(posted))).rejects.toMatchObject({
      kind: 'permanent',
      code: 'marker_key_missing',
    });
    expect(posted).toEqual([]);
  });
});
