/** Answers that never change, kept until `maxEntries` newer ones came. A failed one is asked for again. */
export interface PromiseCache<Value> {
  get(key: string, load: () => Promise<Value>): Promise<Value>;
}

export function createPromiseCache<Value>(maxEntries: number): PromiseCache<Value> {
  const entries = new Map<string, Promise<Value>>();
  return {
    get(key, load) {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const loading = load();
      entries.set(key, loading);
      loading.catch(() => entries.delete(key));
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      return loading;
    },
  };
}
