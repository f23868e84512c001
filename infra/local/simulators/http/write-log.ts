/** One change of a simulator's state, in the order in which they took effect. */
export interface LoggedWrite {
  readonly at: number;
  /** `noun.pastTense`, e.g. `review.created`. */
  readonly kind: string;
  /** The request that caused it; absent for changes made in code. */
  readonly requestId?: number;
  readonly actor: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface WriteLog {
  add(write: LoggedWrite): void;
  /** Called after each write, in order. */
  onAdd(listener: (write: LoggedWrite) => void): void;
  list(): readonly LoggedWrite[];
  clear(): void;
}

export function createWriteLog(): WriteLog {
  let writes: LoggedWrite[] = [];
  const listeners: ((write: LoggedWrite) => void)[] = [];
  return {
    add(write) {
      writes.push(write);
      for (const listener of listeners) listener(write);
    },
    onAdd: (listener) => void listeners.push(listener),
    list: () => [...writes],
    clear: () => {
      writes = [];
    },
  };
}
