import { z } from 'zod';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { CommentReader, ProviderThread, ProviderThreadComment, ThreadReader } from '../ports.ts';
import { User, toAccount } from './accounts.ts';
import type { GitLabClient, ProjectSession } from './gitlab-client.ts';
import { pullPath } from './gitlab-client.ts';
import { isNotFound } from './gitlab-errors.ts';
import { brokenListing } from './http-session.ts';
import { readPull } from './pull-request-reader.ts';

const Line = z.int().nullish();
const RangeEnd = z.object({ old_line: Line, new_line: Line }).nullish();

const Position = z
  .object({
    head_sha: z.string().nullish(),
    old_path: z.string().nullish(),
    new_path: z.string().nullish(),
    old_line: Line,
    new_line: Line,
    line_range: z.object({ start: RangeEnd }).nullish(),
  })
  .nullish();

export const Note = z.object({
  id: z.int(),
  body: z.string().nullish(),
  author: User,
  created_at: z.string().nullish(),
  system: z.boolean().nullish(),
  internal: z.boolean().nullish(),
  confidential: z.boolean().nullish(),
  resolvable: z.boolean().nullish(),
  resolved: z.boolean().nullish(),
  resolved_by: User,
  position: Position,
});
export type Note = z.output<typeof Note>;

export const Discussion = z.object({ id: z.string().min(1), notes: z.array(Note) });
export type Discussion = z.output<typeof Discussion>;

/** Discussions on files, all pages, with their places in the latest head. */
export function createThreadReader(client: GitLabClient): ThreadReader {
  return {
    async listThreads(ref) {
      const session = await client.forProject(ref.repositoryId);
      const { sha } = await readPull(session, ref);
      const discussions = await listDiscussions(session, ref);
      return discussions
        .filter(isOnFile)
        .map((discussion) => toThread(session, ref, discussion, sha ?? undefined));
    },
  };
}

export function createCommentReader(client: GitLabClient): CommentReader {
  return {
    async getComment(ref, comment) {
      if (!/^\d{1,15}$/.test(comment.id)) return undefined;
      const session = await client.forProject(ref.repositoryId);
      try {
        const note = await session.get(`${pullPath(ref)}/notes/${comment.id}`, {}, Note);
        return isPublic(note) ? toComment(session, ref, note) : undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async listGeneralComments(ref) {
      const session = await client.forProject(ref.repositoryId);
      const discussions = await listDiscussions(session, ref);
      return discussions
        .filter((discussion) => !isOnFile(discussion))
        .flatMap(({ notes }) => notes.map((note) => toComment(session, ref, note)))
        .toSorted((one, other) => one.createdAt - other.createdAt);
    },
  };
}

/**
 * What everyone sees: internal notes are for members alone, so they come into no prompt and get no answer in
 * public; system notes are GitLab's own.
 */
async function listDiscussions(session: ProjectSession, ref: PullRequestRef): Promise<Discussion[]> {
  const discussions = await session.list(`${pullPath(ref)}/discussions`, {}, Discussion);
  // After a write whose answer was lost, what a repeated page hides would be written again.
  if (new Set(discussions.map(({ id }) => id)).size < discussions.length)
    throw brokenListing(ref.instance, 'page_repeated');
  return discussions.map(publicPart).filter(({ notes }) => notes.length > 0);
}

/** The same for one discussion; undefined when there is none, or none that is public. */
export async function findDiscussion(
  session: ProjectSession,
  ref: PullRequestRef,
  id: string,
): Promise<Discussion | undefined> {
  if (!/^[0-9A-Za-z]{1,100}$/.test(id)) return undefined;
  try {
    const found = publicPart(await session.get(`${pullPath(ref)}/discussions/${id}`, {}, Discussion));
    return found.notes.length > 0 ? found : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A discussion is internal as a whole when its first note is. */
function publicPart(discussion: Discussion): Discussion {
  const [first] = discussion.notes;
  const notes = first === undefined || isInternal(first) ? [] : discussion.notes.filter(isPublic);
  return { ...discussion, notes };
}

function isInternal(note: Note): boolean {
  return note.internal === true || note.confidential === true;
}

function isPublic(note: Note): boolean {
  return note.system !== true && !isInternal(note);
}

function isOnFile({ notes }: Discussion): boolean {
  return notes[0]?.position !== null && notes[0]?.position !== undefined;
}

/** Resolved when all its resolvable notes are. */
export function isResolved({ notes }: Discussion): boolean {
  const resolvable = notes.filter((note) => note.resolvable === true);
  return resolvable.length > 0 && resolvable.every((note) => note.resolved === true);
}

function toThread(
  session: ProjectSession,
  ref: PullRequestRef,
  discussion: Discussion,
  head: string | undefined,
): ProviderThread {
  const [first] = discussion.notes;
  const position = first?.position;
  const resolver = discussion.notes.find(({ resolved_by: by }) => by !== null && by !== undefined);
  const isOutdated = head !== undefined && position?.head_sha !== head;
  const path = position?.new_path ?? position?.old_path;
  const isDone = isResolved(discussion);
  return {
    id: discussion.id,
    ...(typeof path === 'string' ? { path } : {}),
    ...(isOutdated ? {} : placeOf(position)),
    isResolved: isDone,
    isOutdated,
    ...(isDone && resolver !== undefined ? { resolvedBy: toAccount(resolver.resolved_by) } : {}),
    ...(first === undefined ? {} : { url: session.webUrlOf(ref.number, first.id) }),
    comments: discussion.notes.map((note) => toComment(session, ref, note)),
  };
}

function placeOf(position: z.output<typeof Position>): Pick<ProviderThread, 'line' | 'startLine' | 'side'> {
  const side = typeof position?.new_line === 'number' ? 'new' : 'old';
  const line = side === 'new' ? position?.new_line : position?.old_line;
  if (typeof line !== 'number') return {};
  const start = position?.line_range?.start;
  const startLine = side === 'new' ? start?.new_line : start?.old_line;
  return {
    line,
    side,
    ...(typeof startLine === 'number' && startLine < line ? { startLine } : {}),
  };
}

function toComment(session: ProjectSession, ref: PullRequestRef, note: Note): ProviderThreadComment {
  return {
    id: String(note.id),
    author: toAccount(note.author),
    body: note.body ?? '',
    createdAt: Date.parse(note.created_at ?? '') || 0,
    url: session.webUrlOf(ref.number, note.id),
  };
}
