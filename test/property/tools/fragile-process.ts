import type { TablePort } from '../../../shared/state/ports.ts';
import type { VirtualClock } from '../../unit/tools/virtual-clock.ts';

/**
 * What happens to one call of the table. `crash_*`: the process ends before or after the call took effect.
 * `unclear_*`: the answer is lost. `slow`: others get ahead.
 */
export const TABLE_FAULTS = [
  'ok',
  'crash_before',
  'crash_after',
  'unclear_before',
  'unclear_after',
  'slow',
] as const;
export type TableFault = (typeof TABLE_FAULTS)[number];

/** One process of several: when it crashes, nothing it waits for ever answers, as if it were gone. */
export interface FragileProcess {
  readonly table: TablePort;
  /** Resolves when the process crashed. */
  readonly gone: Promise<'crashed'>;
}

const NEVER = new Promise<never>(() => undefined);

/** `faults` is consumed call by call; none left means ok. */
export function createFragileProcess(
  table: TablePort,
  clock: VirtualClock,
  faults: TableFault[],
): FragileProcess {
  const { promise: gone, resolve: crash } = Promise.withResolvers<'crashed'>();
  let isGone = false;

  const die = (): Promise<never> => {
    isGone = true;
    crash('crashed');
    return NEVER;
  };

  const step = async <Result>(
    isWrite: boolean,
    act: () => Promise<Result>,
    unclear: Result,
  ): Promise<Result> => {
    if (isGone) return NEVER;
    const fault = faults.shift() ?? 'ok';
    if (fault === 'crash_before') return die();
    if (fault === 'unclear_before' && isWrite) return unclear;
    if (fault === 'slow') {
      clock.busy += 1;
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      clock.busy -= 1;
    }
    const result = await act();
    if (fault === 'crash_after') return die();
    return fault === 'unclear_after' && isWrite ? unclear : result;
  };

  return {
    gone,
    table: {
      get: (partitionKey, rowKey) => step(false, () => table.get(partitionKey, rowKey), undefined),
      range: (partitionKey, from, to) => step(false, () => table.range(partitionKey, from, to), []),
      transaction: (partitionKey, actions) =>
        step(true, () => table.transaction(partitionKey, actions), { kind: 'unclear', status: 503 }),
    },
  };
}
