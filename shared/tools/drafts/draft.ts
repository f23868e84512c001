import { Side } from '../../domain/finding.ts';
import { defineRow, enumColumn, int32Column, int64Column, textColumn } from '../../state/define-row.ts';
import { draftKey, shortHash } from '../../state/keys.ts';
import type { Row, RowValues } from '../../state/ports.ts';

/** Owner of drafts that belong to the pull request: what a run leaves in draft mode. */
export const SHARED_OWNER = 'pull-request';

export const DRAFT_LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * `draft`: waits to be submitted. `submitting`: part of a submission that is under way. `published`: visible.
 * `refused`: the provider would not take it; it may be changed or deleted.
 */
export const DRAFT_STATES = ['draft', 'submitting', 'published', 'refused'] as const;
export type DraftState = (typeof DRAFT_STATES)[number];

export const SUBMISSION_MODES = ['batch', 'single'] as const;
export type SubmissionMode = (typeof SUBMISSION_MODES)[number];

/** Where a draft comment stands; a comment on a whole file has no line. */
export interface DraftAnchor {
  readonly path: string;
  readonly side: Side;
  readonly line?: number;
  readonly startLine?: number;
}

export interface Draft {
  readonly rowKey: string;
  readonly etag: string;
  readonly owner: string;
  readonly n: number;
  readonly state: DraftState;
  readonly anchor: DraftAnchor;
  readonly body: string;
  /** Replacement for exactly the commented lines; undefined when the comment offers none. */
  readonly suggestion: string | undefined;
  /** Token of the call that added it: tells a lost answer of ours from somebody else's draft. */
  readonly batch: string;
  /** Equal for the same text at the same place of the same head. */
  readonly contentHash: string;
  readonly headSha: string;
  /** The commented lines as they were at `headSha`; empty for a comment on a file. */
  readonly evidence: string;
  readonly createdAt: number;
  /** The submission it is or was part of; empty before. */
  readonly submission: string;
  /** Hash of the arguments that submission was called with. */
  readonly submissionArgs: string;
  /** Epoch ms at which that submission began; 0 before. */
  readonly submittedAt: number;
  /** Whether that submission is one review or comment by comment; fixed, or a second try could repeat the first. */
  readonly submissionMode: SubmissionMode;
  /** Address when published, the provider's reason when refused. */
  readonly note: string;
}

/** The id callers use: short, and without meaning outside this pull request. */
export function draftId(draft: Pick<Draft, 'owner' | 'n'>): string {
  return `${shortHash(draft.owner).slice(0, 8)}-${draft.n}`;
}

export function draftRowKey(owner: string, n: number): string {
  return draftKey(owner, n);
}

export function draftContentHash(draft: Pick<Draft, 'anchor' | 'body' | 'suggestion' | 'headSha'>): string {
  const { path, side, line, startLine } = draft.anchor;
  return shortHash(
    JSON.stringify([path, side, line, startLine, draft.body, draft.suggestion, draft.headSha]),
  );
}

/**
 * True when both say the same in the same place: on the same head, or on another one whose commented lines are the
 * same, as long as `other` is not published.
 */
export function saysTheSame(
  other: Draft,
  draft: Pick<Draft, 'anchor' | 'body' | 'suggestion' | 'headSha' | 'evidence'>,
): boolean {
  const contentHash = draftContentHash(draft);
  if (other.contentHash === contentHash) return true;
  if (other.state === 'published' || other.evidence !== draft.evidence) return false;
  return draftContentHash({ ...other, headSha: draft.headSha }) === contentHash;
}

export function isExpired(draft: Pick<Draft, 'createdAt'>, now: number): boolean {
  return now - draft.createdAt >= DRAFT_LIFETIME_MS;
}

/** Row `w<client>-<n>`: one draft comment. */
export const draftRow = defineRow({
  name: 'draft',
  version: 1,
  upgrades: [],
  columns: {
    owner: textColumn,
    n: int32Column,
    state: enumColumn(DRAFT_STATES),
    path: textColumn,
    side: enumColumn(Side.options),
    /** 0 for a comment on the file. */
    line: int32Column,
    /** 0 for a single line. */
    startLine: int32Column,
    body: textColumn,
    /** As JSON, `null` for none: an empty suggestion deletes the lines. */
    suggestion: textColumn,
    batch: textColumn,
    contentHash: textColumn,
    headSha: textColumn,
    evidence: textColumn,
    createdAt: int64Column,
    submission: textColumn,
    submissionArgs: textColumn,
    submittedAt: int64Column,
    submissionMode: enumColumn(SUBMISSION_MODES),
    note: textColumn,
  },
});

export function encodeDraft({ anchor, suggestion, rowKey: _key, etag: _etag, ...rest }: Draft): RowValues {
  return draftRow.encode({
    ...rest,
    path: anchor.path,
    side: anchor.side,
    line: anchor.line ?? 0,
    startLine: anchor.startLine ?? 0,
    suggestion: JSON.stringify(suggestion ?? null),
  });
}

export function decodeDraft(row: Row): Draft {
  const { path, side, line, startLine, suggestion, ...rest } = draftRow.decode(row);
  const replacement: unknown = JSON.parse(suggestion);
  return {
    ...rest,
    rowKey: row.rowKey,
    etag: row.etag,
    anchor: { path, side, ...(line > 0 ? { line } : {}), ...(startLine > 0 ? { startLine } : {}) },
    suggestion: typeof replacement === 'string' ? replacement : undefined,
  };
}
