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
  list(): readonly LoggedWrite[];
  clear(): void;
}

export function createWriteLog(): WriteLog {
  let writes: LoggedWrite[] = [];
  return {
    add: (write) => void writes.push(write),
    list: () => [...writes],
    clear: () => {
      writes = [];
    },
  };
}
