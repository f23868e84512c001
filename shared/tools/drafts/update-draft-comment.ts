import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import { defineTool } from '../define-tool.ts';
import { maskForWrite } from '../write-text.ts';
import { MAX_COMMENT } from '../write/write-key.ts';
import { draftContentHash, saysTheSame } from './draft.ts';
import { draftFacts, openOwnDraft } from './draft-facts.ts';
import { draftsContended, isOwnDraft, readDrafts, replaceDrafts } from './draft-store.ts';

export const updateDraftComment = defineTool({
  name: 'update_draft_comment',
  title: 'Change a draft comment',
  description:
    'Replaces the text of one of your draft comments. Its place stays: to move it, delete it and add it anew. A draft ' +
    'that the provider had refused can be submitted again afterwards. Drafts of others cannot be changed.',
  access: 'write',
  needs: 'draft',
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    id: z.string().min(1).max(64).describe('From list_draft_review.'),
    body: z.string().min(1).max(MAX_COMMENT).describe('The new text. Markdown. Secrets are masked.'),
  }),
  output: z.strictObject({ id: z.string() }),
  facts: draftFacts,
  async handler(context, input) {
    if (input.body.trim() === '')
      throw new AppError({ kind: 'rejected', code: 'invalid_comment', message: 'The body is empty.' });
    const draft = await openOwnDraft(context, input.id);
    const body = maskForWrite(context, input.body);
    const contentHash = draftContentHash({ ...draft, body });
    const others = (await readDrafts(context)).filter(
      (other) => isOwnDraft(context, other) && other.rowKey !== draft.rowKey,
    );
    if (others.some((other) => saysTheSame(other, { ...draft, body })))
      throw new AppError({
        kind: 'rejected',
        code: 'duplicate_comment',
        message: 'Another draft says the same in the same place.',
      });
    const changed = await replaceDrafts(context, [{ ...draft, body, contentHash, state: 'draft', note: '' }]);
    if (changed === undefined) throw draftsContended();
    return { id: input.id };
  },
  resultIds: ({ id }) => [id],
});
