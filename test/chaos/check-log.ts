import type { LoggedComment } from './provider-log.ts';

/** One delivery that was answered 2xx, in the order of the answers. */
export interface AcceptedDelivery {
  readonly delivery: string;
  readonly pr: number;
  readonly jobClass: 'push' | 'command';
}

export interface Verdict {
  readonly settled: number;
  readonly duplicates: readonly string[];
  readonly lost: readonly string[];
}

/**
 * What became of the deliveries, from the provider's log alone. Every command has one comment (or the report of
 * its failure). A push has at most one, and of the pushes to one pull request at least one whose delivery was
 * made after that of every other push has: any push but the last may have been superseded.
 */
export function checkLog(
  deliveries: readonly AcceptedDelivery[],
  comments: readonly LoggedComment[],
  lastPushes: ReadonlyMap<number, string>,
): Verdict {
  const written = new Map<string, number>();
  for (const { delivery, kind } of comments) {
    written.set(`${kind}/${delivery}`, (written.get(`${kind}/${delivery}`) ?? 0) + 1);
  }
  const isWritten = (delivery: string): boolean =>
    written.has(`comment/${delivery}`) || written.has(`failure/${delivery}`);
  const lost = deliveries
    .filter(
      ({ delivery, pr, jobClass }) =>
        !isWritten(delivery) && (jobClass === 'command' || lastPushes.get(pr) === delivery),
    )
    .map(({ delivery }) => delivery);
  return {
    settled: deliveries.length - lost.length,
    duplicates: [...written].filter(([, count]) => count > 1).map(([key]) => key),
    lost,
  };
}
