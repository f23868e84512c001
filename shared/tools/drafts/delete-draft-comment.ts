import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { draftFacts, openOwnDraft } from './draft-facts.ts';
import { deleteDrafts } from './draft-store.ts';

export const deleteDraftComment = defineTool({
  name: 'delete_draft_comment',
  title: 'Delete a draft comment',
  description:
    'Removes one of your draft comments for good. Published comments and drafts of others cannot be deleted.',
  access: 'write',
  needs: 'draft',
  destructive: true,
  input: z.strictObject({ id: z.string().min(1).max(64).describe('From list_draft_review.') }),
  output: z.strictObject({ id: z.string() }),
  facts: draftFacts,
  async handler(context, { id }) {
    await deleteDrafts(context, [await openOwnDraft(context, id)]);
    return { id };
  },
  resultIds: ({ id }) => [id],
});
