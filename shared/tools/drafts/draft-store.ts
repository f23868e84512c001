import { AppError } from '../../domain/app-error.ts';
import { prefixRange } from '../../state/keys.ts';
import type { TableAction } from '../../state/ports.ts';
import type { ToolContext } from '../tool.ts';
import { decodeDraft, draftId, draftRowKey, encodeDraft, SHARED_OWNER, type Draft } from './draft.ts';

/** Unsubmitted drafts of one owner on one pull request; all of them fit one transaction. */
export const MAX_DRAFTS = 100;

const MAX_RACES = 10;

type Place = Pick<ToolContext, 'sessions' | 'partitionKey' | 'callerId' | 'sharesDrafts'>;

/** Every draft row of the pull request, also of other callers, in the order they were added per owner. */
export async function readDrafts({ sessions, partitionKey }: Place): Promise<Draft[]> {
  const { from, to } = prefixRange('draft');
  return (await sessions.range(partitionKey, from, to)).map(decodeDraft);
}

/** Who owns drafts that are added here. */
export function ownerOf({ callerId, sharesDrafts }: Place): string {
  return sharesDrafts === true ? SHARED_OWNER : callerId;
}

/** True for the caller's own drafts and for those that belong to the pull request. */
export function isOwnDraft({ callerId }: Place, draft: Draft): boolean {
  return draft.owner === callerId || draft.owner === SHARED_OWNER;
}

/** The draft with this id; undefined when there is none (or, for short ids that collide, not exactly one). */
export function findDraft(drafts: readonly Draft[], id: string): Draft | undefined {
  const found = drafts.filter((draft) => draftId(draft) === id);
  return found.length === 1 ? found[0] : undefined;
}

/** A draft without its place in the store. */
export type NewDraft = Omit<Draft, 'rowKey' | 'etag' | 'owner' | 'n'>;

/**
 * Creates rows for all of `items` at once, or finds them created when the answer of an earlier try was lost.
 * @throws AppError `transient` draft_contended when others keep adding at the same time.
 */
export async function createDrafts(place: Place, items: readonly NewDraft[]): Promise<Draft[]> {
  if (items.length === 0) return [];
  const owner = ownerOf(place);
  for (let race = 0; race < MAX_RACES; race += 1) {
    const existing = (await readDrafts(place)).filter((draft) => draft.owner === owner);
    const first = existing.reduce((highest, draft) => Math.max(highest, draft.n), 0) + 1;
    const wanted = items.map((item, index): Draft => {
      const n = first + index;
      return { ...item, owner, n, rowKey: draftRowKey(owner, n), etag: '' };
    });
    const actions = wanted.map((draft): TableAction => {
      return { kind: 'create', rowKey: draft.rowKey, values: encodeDraft(draft) };
    });
    const written = await place.sessions.transaction(place.partitionKey, actions);
    const made = (await readDrafts(place)).filter(
      (draft) => draft.owner === owner && draft.n >= first && draft.n < first + items.length,
    );
    if (written.kind === 'done' || isSame(made, wanted)) return made;
  }
  throw contended();
}

function isSame(
  made: readonly Draft[],
  wanted: readonly { readonly n: number; readonly contentHash: string }[],
): boolean {
  return (
    made.length === wanted.length &&
    made.every((draft, index) => draft.contentHash === wanted[index]?.contentHash)
  );
}

/**
 * Replaces rows, all or none, as long as nobody changed them since they were read. False when somebody did; a lost
 * answer is resolved by reading.
 */
export async function replaceDrafts(place: Place, changed: readonly Draft[]): Promise<boolean> {
  if (changed.length === 0) return true;
  const actions = changed.map((draft): TableAction => {
    return { kind: 'replace', rowKey: draft.rowKey, etag: draft.etag, values: encodeDraft(draft) };
  });
  const written = await place.sessions.transaction(place.partitionKey, actions);
  if (written.kind === 'done') return true;
  const now = new Map((await readDrafts(place)).map((draft) => [draft.rowKey, draft]));
  return changed.every((draft) => {
    const found = now.get(draft.rowKey);
    return (
      found !== undefined && JSON.stringify({ ...found, etag: '' }) === JSON.stringify({ ...draft, etag: '' })
    );
  });
}

/** Deletes rows, all or none; rows that are gone already count as deleted. */
export async function deleteDrafts(place: Place, gone: readonly Draft[]): Promise<void> {
  let left = gone;
  for (let race = 0; race < MAX_RACES && left.length > 0; race += 1) {
    const actions = left.map((draft): TableAction => ({ kind: 'delete', rowKey: draft.rowKey }));
    const written = await place.sessions.transaction(place.partitionKey, actions);
    if (written.kind === 'done') return;
    const present = new Set((await readDrafts(place)).map((draft) => draft.rowKey));
    left = left.filter((draft) => present.has(draft.rowKey));
  }
  if (left.length > 0) throw contended();
}

function contended(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'draft_contended',
    message: 'Others are changing the drafts of this pull request at the same time.',
    retryAfterMs: 2_000,
  });
}
