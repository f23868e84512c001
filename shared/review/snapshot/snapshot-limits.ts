/** Bounds of one snapshot. A pull request controls its own archive, so every number here is a defence. */
export interface SnapshotLimits {
  /** Decompressed bytes of the whole archive, headers included. */
  readonly maxTotalBytes: number;
  /** Entries that are not directories. */
  readonly maxFiles: number;
  /** Larger files are named as too large and not kept. */
  readonly maxFileBytes: number;
  /** Decompressed bytes for one compressed byte. */
  readonly maxRatio: number;
  /** Below this many decompressed bytes the ratio is not judged: small archives are mostly padding. */
  readonly ratioFloorBytes: number;
  /** Paths that were not in the archive and are asked from the provider on demand, in one run. */
  readonly maxLookups: number;
}

export const SNAPSHOT_LIMITS: SnapshotLimits = {
  maxTotalBytes: 300_000_000,
  maxFiles: 30_000,
  maxFileBytes: 2_000_000,
  maxRatio: 200,
  ratioFloorBytes: 10_000_000,
  maxLookups: 200,
};
