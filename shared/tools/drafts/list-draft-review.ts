import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { DRAFT_LIFETIME_MS, draftId, isExpired, type Draft } from './draft.ts';
import { isOwnDraft, readDrafts } from './draft-store.ts';

export const listDraftReview = defineTool({
  name: 'list_draft_review',
  title: 'List the draft review',
  description:
    'Lists your draft comments of this pull request that are not published yet, with their ids, and how many drafts of ' +
    'others exist. Drafts expire after 7 days; expired ones are marked and will not be submitted. Use it before ' +
    'submit_review, update_draft_comment or delete_draft_comment.',
  access: 'read',
  needs: 'read',
  showsUntrusted: true,
  idempotent: true,
  input: z.strictObject({}),
  output: z.strictObject({
    comments: z.array(
      z.strictObject({
        id: z.string(),
        path: z.string(),
        line: z.int().optional(),
        startLine: z.int().optional(),
        side: z.enum(['old', 'new']),
        body: z.string(),
        suggestion: z.string().optional(),
        state: z
          .enum(['draft', 'submitting', 'refused', 'expired'])
          .describe(
            'submitting: a submission is under way. refused: the provider would not take it, see note.',
          ),
        isOutdated: z
          .boolean()
          .describe('True when the head moved since; the place is checked again at submit.'),
        expiresAt: z.string(),
        note: z.string().optional(),
      }),
    ),
    ofOthers: z.int().describe('Drafts of other callers, which are left alone.'),
  }),
  async handler(context) {
    const now = context.clock.now();
    const waiting = (await readDrafts(context)).filter((draft) => draft.state !== 'published');
    const own = waiting.filter((draft) => isOwnDraft(context, draft));
    const stateOf = (draft: Draft): 'draft' | 'submitting' | 'refused' | 'expired' =>
      draft.state === 'published' || isExpired(draft, now) ? 'expired' : draft.state;
    return {
      comments: own.map((draft) => ({
        id: draftId(draft),
        ...draft.anchor,
        body: draft.body,
        ...(draft.suggestion === undefined ? {} : { suggestion: draft.suggestion }),
        state: stateOf(draft),
        isOutdated: draft.headSha !== context.pullRequest.headSha,
        expiresAt: new Date(draft.createdAt + DRAFT_LIFETIME_MS).toISOString(),
        ...(draft.note === '' ? {} : { note: draft.note }),
      })),
      ofOthers: waiting.length - own.length,
    };
  },
});
