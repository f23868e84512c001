import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { draftId } from './draft.ts';
import { deleteDrafts, isOwnDraft, readDrafts } from './draft-store.ts';

export const deleteDraftReview = defineTool({
  name: 'delete_draft_review',
  title: 'Discard the draft review',
  description:
    'Removes all of your draft comments of this pull request for good. Comments that a submission is publishing, ' +
    'published ones and drafts of others stay.',
  access: 'write',
  needs: 'draft',
  destructive: true,
  idempotent: true,
  input: z.strictObject({}),
  output: z.strictObject({
    deleted: z.array(z.string()).describe('Ids of the removed drafts.'),
    kept: z.int().describe('Drafts that stay: of others, or being submitted.'),
  }),
  async handler(context) {
    const waiting = (await readDrafts(context)).filter((draft) => draft.state !== 'published');
    const gone = waiting.filter((draft) => isOwnDraft(context, draft) && draft.state !== 'submitting');
    // One transaction holds 100 rows; a caller's own and the shared ones may be more.
    for (let start = 0; start < gone.length; start += 100)
      await deleteDrafts(context, gone.slice(start, start + 100));
    return { deleted: gone.map(draftId), kept: waiting.length - gone.length };
  },
  resultIds: ({ deleted }) => deleted,
});
