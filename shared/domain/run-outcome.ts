/** How a run ended. A failure never looks like "no findings". */
export const OUTCOMES = ['posted', 'clean', 'partial', 'failed', 'superseded', 'skipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** posted + heldBack + duplicates + unanchored + refused = verified, asserted when settling. */
export interface FindingCounts {
  readonly verified: number;
  readonly posted: number;
  readonly heldBack: number;
  readonly duplicates: number;
  readonly unanchored: number;
  readonly refused: number;
}

/** Something that was not reviewed, named. */
export interface NotReviewed {
  /** A path, a pass name or a finding id. */
  readonly what: string;
  /** Stable reason code, e.g. `binary`, `export_ignored`, `too_large`. */
  readonly reason: string;
}

export interface RunReport {
  readonly outcome: Outcome;
  /** Stable reason code, always set: `nothing_to_say` for clean, `draft` for skipped, ... */
  readonly reason: string;
  readonly headSha?: string;
  readonly counts: FindingCounts;
  readonly notReviewed: readonly NotReviewed[];
  readonly filesReviewed: number;
}
