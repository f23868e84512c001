/** A map that forgets its oldest entry when it is full. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  getOrCreate(key: string, create: () => Value): Value;
}

export function createBoundedCache<Value>(maxEntries: number): BoundedCache<Value> {
  const entries = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get: (key) => entries.get(key),
    set,
    getOrCreate(key, create) {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const value = create();
      set(key, value);
      return value;
    },
  };
}
