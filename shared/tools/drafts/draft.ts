import type { Side } from '../../domain/finding.ts';
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

export function draftContentHash(anchor: DraftAnchor, body: string, headSha: string): string {
  return shortHash(JSON.stringify([anchor.path, anchor.side, anchor.line, anchor.startLine, body, headSha]));
}

export function isExpired(draft: Pick<Draft, 'createdAt'>, now: number): boolean {
  return now - draft.createdAt >= DRAFT_LIFETIME_MS;
}

export function encodeDraft(draft: Omit<Draft, 'rowKey' | 'etag'>): RowValues {
  return {
    v: 1,
    owner: draft.owner,
    n: draft.n,
    state: draft.state,
    path: draft.anchor.path,
    side: draft.anchor.side,
    // 0 stands for "no line": a property that is absent would keep its old value in a merge.
    line: draft.anchor.line ?? 0,
    startLine: draft.anchor.startLine ?? 0,
    body: draft.body,
    contentHash: draft.contentHash,
    headSha: draft.headSha,
    evidence: draft.evidence,
    createdAt: BigInt(draft.createdAt),
    submission: draft.submission,
    submissionArgs: draft.submissionArgs,
    submissionMode: draft.submissionMode,
    note: draft.note,
  };
}

export function decodeDraft({ rowKey, etag, values }: Row): Draft {
  const state = DRAFT_STATES.find((known) => known === values.state);
  if (state === undefined) throw new Error('A draft row has an unknown state.');
  const line = Number(values.line);
  const startLine = Number(values.startLine);
  return {
    rowKey,
    etag,
    owner: String(values.owner),
    n: Number(values.n),
    state,
    anchor: {
      path: String(values.path),
      side: values.side === 'old' ? 'old' : 'new',
      ...(line > 0 ? { line } : {}),
      ...(startLine > 0 ? { startLine } : {}),
    },
    body: String(values.body),
    contentHash: String(values.contentHash),
    headSha: String(values.headSha),
    evidence: String(values.evidence),
    createdAt: Number(values.createdAt),
    submission: String(values.submission),
    submissionArgs: String(values.submissionArgs),
    submissionMode: values.submissionMode === 'batch' ? 'batch' : 'single',
    note: String(values.note),
  };
}
