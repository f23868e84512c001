import { z } from 'zod';

export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

/** `new` is the file after the change, `old` before it (GitHub RIGHT and LEFT). */
export const Side = z.enum(['old', 'new']);
export type Side = z.infer<typeof Side>;

/** What a pass reports. Everything in it is the model's claim until it is verified and anchored. */
export const Finding = z.strictObject({
  path: z.string().min(1).max(1024),
  /** Claimed line, 1-based, numbered on `side`; null for a finding on the whole file. */
  line: z.int().min(1).nullable(),
  side: Side,
  severity: Severity,
  category: z.string().min(1).max(60),
  title: z.string().min(1).max(200),
  body: z.string().min(1).max(4000),
  /** The code the finding is about, copied from the file. */
  evidence: z.string().max(2000),
  /** Replacement for exactly the evidence lines, or null. */
  suggestion: z.string().max(4000).nullable(),
});
export type Finding = z.infer<typeof Finding>;

export type AnchorKind = 'line' | 'file' | 'summary';

/** Where a verified finding goes after our own line maps had their say. */
export interface Anchor {
  readonly kind: AnchorKind;
  readonly path: string;
  /** Last line of the range, 1-based on `side`; absent unless kind is `line`. */
  readonly line?: number;
  /** First line when the range has more than one. */
  readonly startLine?: number;
  readonly side: Side;
  /** True when the evidence stood elsewhere than claimed. */
  readonly corrected: boolean;
}

export interface AnchoredFinding {
  readonly finding: Finding;
  readonly anchor: Anchor;
  /** Stable over line shifts: hash of path and normalised evidence. */
  readonly fingerprint: string;
}
