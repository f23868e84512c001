import type { PullRequestRef } from '../domain/pull-request.ts';
import { HEAD_KEY } from '../state/keys.ts';
import type { HeldLease } from './lease.ts';
import { plainWake } from './message.ts';
import type { Session } from './read-session.ts';
import type { SessionStore } from './store.ts';

/**
 * R1: gives the lease back because the query found no job. The head must be as that query saw it, or a job that
 * was appended since would wait without a message (its wake found the lease held). `busy`: look again.
 */
export async function releaseIdle(
  store: SessionStore,
  lease: HeldLease,
  head: NonNullable<Session['head']>,
): Promise<'released' | 'busy' | 'lost'> {
  const result = await lease.free([
    { kind: 'replace', rowKey: HEAD_KEY, values: head.values, etag: head.etag },
  ]);
  if (result.kind === 'unclear') {
    const now = await lease.reread();
    if (now === 'ours') return 'busy';
    if (now === 'lost') return 'lost';
  }
  await store.queue.delete(lease.guard);
  return 'released';
}

/**
 * R2: gives the lease back although jobs wait, and has the pull request looked at again after `delayMs`. In this
 * order: a wake that came before the release would find the lease held, and without wake and guard nobody comes.
 */
export async function releaseLater(
  store: SessionStore,
  lease: HeldLease,
  pr: PullRequestRef,
  delayMs: number,
): Promise<void> {
  const result = await lease.free([]);
  // The guard stays and takes over, whoever holds the lease now.
  if (result.kind === 'unclear') return;
  await store.queue.send(plainWake(pr), delayMs);
  await store.queue.delete(lease.guard);
}
