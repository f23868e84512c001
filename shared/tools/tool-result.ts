/** The gate's typed refusals. Stable: tests, documents and clients rely on them. */
export const REFUSAL_CODES = [
  'out_of_scope',
  'not_allowed',
  'budget_exhausted',
  'writes_stopped',
  'not_own_thread',
  'not_own_draft',
  'foreign_draft',
  'not_found',
  'stale_head',
  'invalid_anchor',
  'unavailable_here',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** What a call came to. `content` is the text for a model; `message` says what to do next and carries no secret. */
export type ToolResult =
  | { readonly ok: true; readonly output: unknown; readonly content: string }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly retryAfterMs?: number };
