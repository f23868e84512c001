import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { ToolContext } from '../tool.ts';
import { maskForWrite } from '../write-text.ts';
import { MAX_COMMENT } from '../write/write-key.ts';
import { checkAnchor } from './check-anchor.ts';
import { ANCHOR_FIELDS, anchorOf } from './comment-anchor.ts';
import { draftContentHash, draftId, isExpired, saysTheSame, type Draft } from './draft.ts';
import {
  createDrafts,
  draftBytes,
  MAX_DRAFT_BYTES,
  draftsContended,
  isOwnDraft,
  MAX_DRAFT_RACES,
  MAX_DRAFTS,
  ownerOf,
  readDrafts,
  type NewDraft,
} from './draft-store.ts';

const CommentInput = z.strictObject({
  ...ANCHOR_FIELDS,
  body: z.string().max(MAX_COMMENT).describe('Markdown. Secrets are masked.'),
  suggestion: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'Replacement for exactly the commented lines (side new), offered as a commit. Empty deletes them.',
    ),
});
type CommentInput = z.infer<typeof CommentInput>;

const ItemAnswer = z.strictObject({
  index: z.int().describe('Place in comments, from 0.'),
  ok: z.boolean(),
  id: z.string().optional().describe('Id of the draft, when ok.'),
  state: z
    .enum(['added', 'already_there', 'already_published'])
    .optional()
    .describe('already_*: the same comment at the same place existed and nothing was added.'),
  code: z.string().optional().describe('Why not, when not ok.'),
  message: z.string().optional(),
});
type ItemAnswer = z.infer<typeof ItemAnswer>;

export const addDraftComments = defineTool({
  name: 'add_draft_comments',
  title: 'Add draft comments',
  description:
    `Adds 1 to ${MAX_DRAFTS} comments to the draft review. Nobody sees them before submit_review. Each comment is answered by ` +
    'itself: valid ones are kept although others are refused. A comment must stand on a line the diff shows, or on a ' +
    'changed file; a refusal names the valid lines. Adding the same comment again changes nothing.',
  access: 'write',
  needs: 'draft',
  idempotent: true,
  input: z.strictObject({ comments: z.array(CommentInput).min(1).max(MAX_DRAFTS) }),
  output: z.strictObject({ items: z.array(ItemAnswer), added: z.int(), refused: z.int() }),
  async handler(context, { comments }) {
    const { plan, created } = await planAndCreate(context, comments);
    const ids = new Map(created.map((draft) => [draft.contentHash, draftId(draft)]));
    const items = plan.map((item, index): ItemAnswer => {
      if (item.kind === 'answer') return { index, ...item.answer };
      const id = ids.get(item.draft.contentHash);
      return { index, ok: true, state: 'added', ...(id === undefined ? {} : { id }) };
    });
    return { items, added: created.length, refused: items.filter((item) => !item.ok).length };
  },
  resultIds: ({ items }) => items.flatMap((item) => (item.id === undefined ? [] : [item.id])),
});

/** Decides and adds in one go: whoever adds at the same time makes it decide again, so that nothing is added twice. */
async function planAndCreate(
  context: ToolContext,
  comments: readonly CommentInput[],
): Promise<{ plan: readonly PlannedItem[]; created: readonly Draft[] }> {
  const batch = context.random.hex(8);
  for (let race = 0; race < MAX_DRAFT_RACES; race += 1) {
    const known = await readDrafts(context);
    const own = known.filter((draft) => isOwnDraft(context, draft));
    const plan = planItems(context, comments, own, batch);
    const added = plan.flatMap((item) => (item.kind === 'add' ? [item.draft] : []));
    const created = await createDrafts(context, added, known);
    if (created !== undefined) return { plan, created };
  }
  throw draftsContended();
}

type PlannedItem =
  | { readonly kind: 'add'; readonly draft: NewDraft }
  | { readonly kind: 'answer'; readonly answer: Omit<ItemAnswer, 'index'> };

function planItems(
  context: ToolContext,
  comments: readonly CommentInput[],
  existing: readonly Draft[],
  batch: string,
): PlannedItem[] {
  const now = context.clock.now();
  const owner = ownerOf(context);
  const live = existing.filter((draft) => !isExpired(draft, now));
  const held = live.filter((draft) => draft.owner === owner && draft.state !== 'published');
  let room = MAX_DRAFTS - held.length;
  let bytes = held.reduce((sum, draft) => sum + draftBytes(draft), 0);
  const seen = new Set<string>();
  return comments.map((comment): PlannedItem => {
    const anchor = anchorOf(comment);
    if (typeof anchor === 'string') return refuse('invalid_anchor', anchor);
    if (comment.body.trim() === '') return refuse('invalid_comment', 'The body is empty.');
    if (comment.suggestion !== undefined && (anchor.line === undefined || anchor.side !== 'new'))
      return refuse('invalid_comment', 'A suggestion needs a line on side new.');
    const check = checkAnchor(context.changedFiles, anchor);
    if (!check.ok) return refuse('invalid_anchor', check.message);
    const { evidence } = check;
    const body = maskForWrite(context, comment.body);
    const { headSha } = context.pullRequest;
    const suggestion =
      comment.suggestion === undefined ? undefined : maskForWrite(context, comment.suggestion);
    const contentHash = draftContentHash({ anchor, body, suggestion, headSha });
    if (seen.has(contentHash))
      return refuse('duplicate_comment', 'The same comment is in this call already.');
    seen.add(contentHash);
    const twin = live.find((other) => saysTheSame(other, { anchor, body, suggestion, headSha, evidence }));
    if (twin !== undefined) return { kind: 'answer', answer: alreadyThere(twin) };
    const draft: NewDraft = {
      state: 'draft',
      anchor,
      body,
      suggestion,
      batch,
      contentHash,
      headSha,
      evidence,
      createdAt: now,
      submission: '',
      submissionArgs: '',
      submittedAt: 0,
      submissionMode: 'single',
      note: '',
    };
    bytes += draftBytes(draft);
    if (room <= 0 || bytes > MAX_DRAFT_BYTES)
      return refuse(
        'draft_full',
        `A draft review holds ${MAX_DRAFTS} comments or 3 MiB; submit it or delete some.`,
      );
    room -= 1;
    return { kind: 'add', draft };
  });
}

function refuse(code: string, message: string): PlannedItem {
  return { kind: 'answer', answer: { ok: false, code, message } };
}

function alreadyThere(twin: Draft): Omit<ItemAnswer, 'index'> {
  return {
    ok: true,
    id: draftId(twin),
    state: twin.state === 'published' ? 'already_published' : 'already_there',
  };
}
