/** Disk that all snapshots of this process may use together. */
export interface SnapshotBudget {
  /** False when the bytes do not fit; nothing is reserved then. */
  tryReserve(bytes: number): boolean;
  release(bytes: number): void;
  readonly usedBytes: number;
}

/** The design's process-wide bound: 500 MB. One object per process, made by the composition root. */
export const SNAPSHOT_BUDGET_BYTES = 500_000_000;

export function createSnapshotBudget(maxBytes: number = SNAPSHOT_BUDGET_BYTES): SnapshotBudget {
  let used = 0;
  return {
    tryReserve(bytes) {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    release(bytes) {
      used -= bytes;
    },
    get usedBytes() {
      return used;
    },
  };
}
