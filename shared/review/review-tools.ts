import { z } from 'zod';
import { AppError } from '../domain/app-error.ts';
import type { Side } from '../domain/finding.ts';
import { ABORT_REASONS } from '../sessions/ports.ts';
import { invokeTool } from '../tools/invoke-tool.ts';
import type { ToolContext } from '../tools/tool.ts';
import { REFUSAL_CODES } from '../tools/tool-result.ts';
import type { ToolResult } from '../tools/tool-result.ts';

/** One comment of a review, as the tool add_draft_comments takes it. */
export interface DraftComment {
  readonly path: string;
  readonly body: string;
  readonly subject: 'line' | 'file';
  readonly line?: number;
  readonly side?: Side;
  readonly startLine?: number;
  readonly suggestion?: string;
}

const DraftAnswer = z.object({
  items: z.array(
    z.object({ index: z.int(), ok: z.boolean(), id: z.string().optional(), code: z.string().optional() }),
  ),
});
export type DraftItem = z.infer<typeof DraftAnswer>['items'][number];

const SubmitAnswer = z.object({
  published: z.int(),
  remaining: z.int(),
  done: z.boolean(),
  url: z.string().optional(),
  refused: z.array(z.object({ id: z.string(), code: z.string() })),
  stoppedBy: z.string().optional(),
  retryAfterMs: z.int().optional(),
});
export type SubmitAnswer = z.infer<typeof SubmitAnswer>;

/** The gated tools a run publishes with. Failures are AppErrors again: what the gate refuses is `denied`. */
export interface ReviewTools {
  /** 1 to 100 comments, each answered by itself, in their order. */
  addComments(comments: readonly DraftComment[]): Promise<readonly DraftItem[]>;
  /** The same key means the same submission, whatever attempt of the run asks. */
  submit(summary: string, key: string): Promise<SubmitAnswer>;
}

export function createReviewTools(context: ToolContext): ReviewTools {
  const call = async (name: string, args: unknown): Promise<unknown> => {
    const result = await invokeTool(context, name, args);
    if (result.ok) return result.output;
    context.signal.throwIfAborted();
    throw errorOf(name, result);
  };
  return {
    async addComments(comments) {
      return DraftAnswer.parse(await call('add_draft_comments', { comments })).items;
    },
    async submit(summary, idempotencyKey) {
      const args = { action: 'comment', summary, idempotencyKey };
      return SubmitAnswer.parse(await call('submit_review', args));
    },
  };
}

const STALE: ReadonlySet<string> = new Set([...ABORT_REASONS, 'stale_head', 'pull_request_closed']);
const DENIED: ReadonlySet<string> = new Set(REFUSAL_CODES);
/** What no later try can change; an operator has to. */
const PERMANENT: ReadonlySet<string> = new Set([
  'provider_permission',
  'provider_credentials',
  'provider_certificate',
  'app_not_installed',
  'marker_key_missing',
  'budget_table_missing',
  'host_not_allowed',
  'storage_denied',
]);
/** Our own mistakes; they count as attempts of the job. */
const BUGS: ReadonlySet<string> = new Set([
  'internal_error',
  'invalid_input',
  'invalid_comment',
  'unknown_tool',
]);

function errorOf(tool: string, { code, message, retryAfterMs }: Extract<ToolResult, { ok: false }>): Error {
  if (BUGS.has(code)) return new Error(`${tool} failed with ${code}: ${message}`);
  return new AppError({
    kind: kindOf(code),
    code,
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Codes after which this run has nothing more to say, whatever was published before. */
export function isStaleCode(code: string): boolean {
  return STALE.has(code);
}

function kindOf(code: string): 'stale' | 'denied' | 'permanent' | 'transient' {
  if (isStaleCode(code)) return 'stale';
  if (DENIED.has(code)) return 'denied';
  return PERMANENT.has(code) ? 'permanent' : 'transient';
}
