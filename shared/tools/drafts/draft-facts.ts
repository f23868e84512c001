import { AppError } from '../../domain/app-error.ts';
import type { TargetFacts, ToolContext } from '../tool.ts';
import type { Draft } from './draft.ts';
import { findDraft, isOwnDraft, readDrafts } from './draft-store.ts';

/** What the gate must know about the draft a call names. A published comment is no draft any more. */
export async function draftFacts(
  context: ToolContext,
  { id }: { readonly id: string },
): Promise<TargetFacts> {
  const draft = await findWaiting(context, id);
  if (draft === undefined) return { draft: 'missing' };
  return { draft: isOwnDraft(context, draft) ? 'own' : 'foreign' };
}

/**
 * The caller's draft, after the gate let it pass.
 * @throws AppError `rejected` not_found when it vanished since, draft_submitting while a submission publishes it.
 */
export async function openOwnDraft(context: ToolContext, id: string): Promise<Draft> {
  const draft = await findWaiting(context, id);
  if (draft === undefined || !isOwnDraft(context, draft))
    throw new AppError({
      kind: 'rejected',
      code: 'not_found',
      message: 'No such draft comment on this pull request; call list_draft_review for the ids.',
    });
  if (draft.state === 'submitting')
    throw new AppError({
      kind: 'rejected',
      code: 'draft_submitting',
      message: 'This comment is being submitted; call submit_review again to finish that first.',
    });
  return draft;
}

async function findWaiting(context: ToolContext, id: string): Promise<Draft | undefined> {
  const draft = findDraft(await readDrafts(context), id);
  return draft?.state === 'published' ? undefined : draft;
}
