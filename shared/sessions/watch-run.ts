import { AppError } from '../domain/app-error.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import { HEAD_KEY, jobKey } from '../state/keys.ts';
import { headRow } from '../state/row-types.ts';
import type { HeldLease } from './lease.ts';
import type { AbortReason, DrainDeps, PullRequestState } from './ports.ts';
import { readJob, type Session, type StoredJob } from './read-session.ts';
import type { SessionStore } from './store.ts';

export interface WatchedRun {
  readonly pr: PullRequestRef;
  /** As the query saw it that chose the job: what is newer aborts the run. */
  readonly head: NonNullable<Session['head']>;
  readonly job: StoredJob;
  readonly jobs: readonly StoredJob[];
  readonly state: PullRequestState;
  readonly isProtected: boolean;
}

export interface RunWatch {
  readonly signal: AbortSignal;
  readonly confirmBeforeWrite: () => Promise<void>;
  readonly abortReason: () => AbortReason | undefined;
  /** Resolves when the run was aborted and did not end within the time of one external write. */
  readonly overdue: Promise<'overdue'>;
  /** Ends the renewals; resolves when none is under way. */
  readonly stop: () => Promise<void>;
}

/**
 * Keeps the lease while a job runs, and aborts the run when the lease is lost, a newer push came, a control job
 * says so, or its time is up.
 */
export function watchRun(store: SessionStore, lease: HeldLease, run: WatchedRun, deps: DrainDeps): RunWatch {
  const { clock, timings, table } = store;
  const aborted = new AbortController();
  const stopped = new AbortController();
  let reason: AbortReason | undefined;
  let knownControl = run.head.newestControl;

  const abort = (why: AbortReason): void => {
    // Whatever else ended the run: who lost the lease writes nothing any more.
    if (reason === undefined || why === 'lost') reason = why;
    if (aborted.signal.aborted) return;
    aborted.abort(
      new AppError({
        kind: 'stale',
        code: why,
        message: 'The run was ended; look at the pull request again.',
      }),
    );
  };

  const isLost = (): boolean => reason === 'lost';

  const lookForControl = async (newest: number): Promise<void> => {
    const rows = await table.range(lease.partitionKey, jobKey(knownControl + 1), jobKey(newest + 1));
    for (const control of rows.flatMap((row) => readJob(row) ?? [])) {
      if (control.class !== 'control' || control.kind === 'run.failed') continue;
      const decision = await deps.applyControl(control, {
        pr: run.pr,
        partitionKey: lease.partitionKey,
        state: run.state,
        running: run.job,
        earlier: run.jobs.filter(({ ticket }) => ticket < control.ticket),
      });
      if (decision.kind === 'applied' && decision.stopsRun) abort('control');
    }
    knownControl = newest;
  };

  const renew = async (): Promise<void> => {
    if ((await lease.fencedWrite([])) === 'lost') return abort('lost');
    const row = await table.get(lease.partitionKey, HEAD_KEY);
    if (row === undefined) throw new Error('a session with a lease has no head');
    const head = headRow.decode(row);
    if (head.newestPush > run.head.newestPush && !run.isProtected) abort('superseded');
    if (head.newestControl > knownControl) await lookForControl(head.newestControl);
  };

  const renewals = async (): Promise<void> => {
    while (!isLost()) {
      try {
        await clock.sleep(timings.renewMs, stopped.signal);
      } catch {
        return;
      }
      // A renewal that fails is not the end: the next one, or the first write, finds out who holds the lease.
      await renew().catch((error: unknown) => deps.log.warn('lease.renewalFailed', { error }));
    }
  };
  const deadline = clock.sleep(timings.runMs, stopped.signal).then(
    () => abort('deadline'),
    () => undefined,
  );
  const overdue = new Promise<'overdue'>((resolve) => {
    aborted.signal.addEventListener('abort', () => {
      clock.sleep(timings.externalWriteMs, stopped.signal).then(
        () => resolve('overdue'),
        () => undefined,
      );
    });
  });
  const background = Promise.all([renewals(), deadline]);

  return {
    signal: aborted.signal,
    abortReason: () => reason,
    overdue,
    confirmBeforeWrite: async () => {
      aborted.signal.throwIfAborted();
      await renew();
      aborted.signal.throwIfAborted();
    },
    stop: async () => {
      stopped.abort();
      await background;
    },
  };
}
