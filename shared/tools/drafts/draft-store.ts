import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../domain/app-error.ts';
import { prefixRange } from '../../state/keys.ts';
import type { TableAction } from '../../state/ports.ts';
import { keepWithin } from '../bounded-text.ts';
import type { ToolContext } from '../tool.ts';
import { decodeDraft, draftId, draftRowKey, encodeDraft, SHARED_OWNER, type Draft } from './draft.ts';

/** Unsubmitted drafts of one owner on one pull request: a transaction has 100 actions. */
export const MAX_DRAFTS = 100;

/** Bytes of their texts: a transaction has 4 MiB, of which the rest is left for names and numbers. */
export const MAX_DRAFT_BYTES = 3 * 1024 * 1024;

/** What a draft adds to a transaction, at the larger of the two sizes that count: as stored, and as sent. */
export function draftBytes({ anchor, body, suggestion, evidence, note }: NewDraft): number {
  const text = [anchor.path, body, suggestion ?? '', evidence, note].join('');
  return Math.max(2 * text.length, Buffer.byteLength(text, 'utf8'));
}

/** The leading drafts that one transaction can change. */
export function oneTransaction<Kept extends NewDraft>(drafts: readonly Kept[]): readonly Kept[] {
  return keepWithin(drafts.slice(0, MAX_DRAFTS), MAX_DRAFT_BYTES, draftBytes).kept;
}

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

/** How often a change of drafts is tried again because others changed them at the same time. */
export const MAX_DRAFT_RACES = 10;

/** A draft without its place in the store. */
export type NewDraft = Omit<Draft, 'rowKey' | 'etag' | 'owner' | 'n'>;

/**
 * Creates rows for all of `items`, numbered after those in `known`, or finds them created when the answer was lost.
 * Undefined when somebody added drafts since `known` was read: what is new must then be decided anew.
 */
export async function createDrafts(
  place: Place,
  items: readonly NewDraft[],
  known: readonly Draft[],
): Promise<Draft[] | undefined> {
  if (items.length === 0) return [];
  const owner = ownerOf(place);
  const first =
    1 + known.reduce((last, draft) => (draft.owner === owner ? Math.max(last, draft.n) : last), 0);
  const wanted = items.map((item, index): Draft => {
    const n = first + index;
    return { ...item, owner, n, rowKey: draftRowKey(owner, n), etag: '' };
  });
  const actions = wanted.map((draft): TableAction => {
    return { kind: 'create', rowKey: draft.rowKey, values: encodeDraft(draft) };
  });
  const written = await place.sessions.transaction(place.partitionKey, actions);
  if (written.kind === 'done') return wanted;
  const stored = new Map((await readDrafts(place)).map((draft) => [draft.rowKey, draft]));
  const isOurs = wanted.every((draft) => {
    const found = stored.get(draft.rowKey);
    return found !== undefined && found.batch === draft.batch;
  });
  return isOurs ? wanted : undefined;
}

/**
 * Replaces rows, all or none, as long as nobody changed them since they were read, and gives them back with their
 * new ETags. Undefined when somebody did; a lost answer is resolved by reading.
 */
export async function replaceDrafts(place: Place, changed: readonly Draft[]): Promise<Draft[] | undefined> {
  if (changed.length === 0) return [];
  const actions = changed.map((draft): TableAction => {
    return { kind: 'replace', rowKey: draft.rowKey, etag: draft.etag, values: encodeDraft(draft) };
  });
  const written = await place.sessions.transaction(place.partitionKey, actions);
  if (written.kind === 'done')
    return changed.map((draft, index) => ({ ...draft, etag: written.etags[index] ?? '' }));
  const stored = new Map((await readDrafts(place)).map((draft) => [draft.rowKey, draft]));
  const found = changed.flatMap((draft) => {
    const now = stored.get(draft.rowKey);
    return now !== undefined && isDeepStrictEqual({ ...now, etag: '' }, { ...draft, etag: '' }) ? [now] : [];
  });
  return found.length === changed.length ? found : undefined;
}

/**
 * Records what became of drafts. Another instance may do the same at the same time: what is published stays so.
 * @throws AppError `transient` draft_contended when others keep changing the rows.
 */
export async function settleDrafts(place: Place, settled: readonly Draft[]): Promise<void> {
  let open = settled;
  for (let race = 0; race < MAX_DRAFT_RACES; race += 1) {
    if ((await replaceDrafts(place, open)) !== undefined) return;
    const stored = new Map((await readDrafts(place)).map((draft) => [draft.rowKey, draft]));
    open = settled.flatMap((draft) => {
      const now = stored.get(draft.rowKey);
      return now === undefined || now.state === 'published' ? [] : [{ ...draft, etag: now.etag }];
    });
  }
  throw draftsContended();
}

/** Deletes rows, all or none; rows that are gone already count as deleted. */
export async function deleteDrafts(place: Place, gone: readonly Draft[]): Promise<void> {
  let left = gone;
  for (let race = 0; race < MAX_DRAFT_RACES && left.length > 0; race += 1) {
    const actions = left.map((draft): TableAction => ({ kind: 'delete', rowKey: draft.rowKey }));
    const written = await place.sessions.transaction(place.partitionKey, actions);
    if (written.kind === 'done') return;
    const present = new Set((await readDrafts(place)).map((draft) => draft.rowKey));
    left = left.filter((draft) => present.has(draft.rowKey));
  }
  if (left.length > 0) throw draftsContended();
}

export function draftsContended(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'draft_contended',
    message: 'Others are changing the drafts of this pull request at the same time.',
    retryAfterMs: 2_000,
  });
}
