/** Runs `work` over `items`, at most `limit` at a time, results in the order of the items; the first error wins. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pending = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, item] of pending) {
      if (failed) return;
      signal.throwIfAborted();
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  // All workers end before an error leaves, so that nothing goes on in a store that is about to close.
  const ended = await Promise.allSettled(workers);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
