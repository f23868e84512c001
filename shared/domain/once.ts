/** Computes once; a failure is not kept, so that the next use tries again. */
export function once<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: create() }).value;
}

/** As `once`, by key, for promises. */
export function onceFor<T>(create: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = create(key).catch((error: unknown) => {
      made.delete(key);
      throw error;
    });
    made.set(key, value);
    return value;
  };
}
