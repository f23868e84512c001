import type { ReviewFile } from './review-file.ts';

export const TIERS = ['skim', 'standard', 'deep'] as const;
export type Tier = (typeof TIERS)[number];

export interface TierChoice {
  readonly tier: Tier;
  /** Stable reason code: `documentation_only`, `risky_path`, `large`, `ordinary`. */
  readonly reason: string;
}

const DOCUMENTATION = /\.(?:md|mdx|rst|adoc|txt)$/i;
const RISKY = /auth|crypt|secur|password|secret|token|permission|payment|billing|migration|session/i;
const LARGE_LINES = 400;
const LARGE_FILES = 20;

/** How much effort a change deserves, by what it touches and how large it is. */
export function chooseTier(files: readonly ReviewFile[]): TierChoice {
  const paths = files.map(({ file }) => file.path);
  if (paths.every((path) => DOCUMENTATION.test(path))) return { tier: 'skim', reason: 'documentation_only' };
  if (paths.some((path) => RISKY.test(path) && !DOCUMENTATION.test(path))) {
    return { tier: 'deep', reason: 'risky_path' };
  }
  const lines = files.reduce((sum, { file }) => sum + file.additions + file.deletions, 0);
  if (lines > LARGE_LINES || files.length > LARGE_FILES) return { tier: 'deep', reason: 'large' };
  return { tier: 'standard', reason: 'ordinary' };
}
