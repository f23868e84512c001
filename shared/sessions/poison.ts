import { z } from 'zod';
import type { Logger } from '../observability/ports.ts';
import { poisonDelay } from './retry-delay.ts';
import type { SessionStore } from './store.ts';

const AnyBody = z.looseObject({ poisoned: z.int().min(0).optional() });

/**
 * Handles one message of gatehouse-wake-poison: records it and sends the same body again (a guard stays a guard),
 * later each time, because a pull request whose message is gone would wait for the sweep. `dropped` for a body
 * that never was one of ours.
 * @throws AppError when storage fails: the host shows the message again.
 */
export async function handlePoison(
  store: Pick<SessionStore, 'queue' | 'timings'>,
  body: unknown,
  log: Logger,
): Promise<'sent_again' | 'dropped'> {
  const parsed = AnyBody.safeParse(body);
  if (!parsed.success) {
    log.error('message.unreadable');
    return 'dropped';
  }
  const { poisoned = 0 } = parsed.data;
  const delayMs = poisonDelay(store.timings, poisoned);
  log.error('message.poisoned', { times: poisoned + 1, delayMs });
  await store.queue.send({ ...parsed.data, poisoned: poisoned + 1 }, delayMs);
  return 'sent_again';
}
