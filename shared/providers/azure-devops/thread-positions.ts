import { AppError, isAppError } from '../../domain/app-error.ts';
import type { NewThread } from '../write-ports.ts';
import type { RepositorySession } from './azure-devops-client.ts';
import type { ChangeEntry } from './change-entries.ts';
import { toChangeEntries } from './change-entries.ts';
import { findEntry, readBlob } from './git-content.ts';
import type { ChangesCache, Iteration } from './iterations.ts';
import { listChanges, listIterations } from './iterations.ts';

interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1: the documentation says 0, its example and the service say 1. */
  readonly offset: number;
}

/** The parts of a new thread that say where it stands. */
export interface ThreadPosition {
  readonly threadContext: {
    readonly filePath: string;
    readonly leftFileStart?: Position;
    readonly leftFileEnd?: Position;
    readonly rightFileStart?: Position;
    readonly rightFileEnd?: Position;
  };
  readonly pullRequestThreadContext?: {
    readonly changeTrackingId: number;
    readonly iterationContext: {
      readonly firstComparingIteration: number;
      readonly secondComparingIteration: number;
    };
  };
}

const MAX_FILE_BYTES = 2 * 1024 * 1024;

/**
 * Azure DevOps takes any position and shows wrong ones nowhere, or at another file, so it is checked here: the path
 * is the one of the change, the lines exist, and the file's number belongs to the very iteration.
 * @throws AppError `rejected` anchor_refused; `stale` head_moved when no iteration has that head.
 */
export async function positionOf(
  cache: ChangesCache,
  session: RepositorySession,
  number: number,
  thread: NewThread,
): Promise<ThreadPosition> {
  const iterations = await listIterations(session, number);
  const iteration = iterations.findLast((candidate) => candidate.sourceRefCommit.commitId === thread.commit);
  if (iteration === undefined) throw headMoved();
  const path = thread.kind === 'file' ? thread.path : thread.comment.path;
  const entries = toChangeEntries(await listChanges(cache, session, number, iteration));
  const entry = entries.find((candidate) => candidate.path === path);
  if (entry === undefined) throw refused('The pull request does not change this file.', path);
  return {
    threadContext: {
      filePath: `/${path}`,
      ...(thread.kind === 'file' ? {} : await linesOf(session, iteration, entry, thread.comment)),
    },
    ...contextOf(iteration, entry),
  };
}

/** Both or neither: with one alone the thread is glued to whatever file has the number. */
function contextOf({ id }: Iteration, { changeTrackingId }: ChangeEntry): Partial<ThreadPosition> {
  if (changeTrackingId === undefined) return {};
  // Equal iterations mean: against the merge base.
  const iterationContext = { firstComparingIteration: id, secondComparingIteration: id };
  return { pullRequestThreadContext: { changeTrackingId, iterationContext } };
}

type LineComment = Extract<NewThread, { kind: 'line' }>['comment'];

async function linesOf(
  session: RepositorySession,
  iteration: Iteration,
  entry: ChangeEntry,
  comment: LineComment,
): Promise<Omit<ThreadPosition['threadContext'], 'filePath'>> {
  const { line, side } = comment;
  const first = comment.startLine ?? line;
  const lengths = await readLineLengths(session, iteration, entry, side);
  if (first < 1 || first > line || (lengths !== undefined && line > lengths.length))
    throw refused(`The file has no lines ${first} to ${line} on the ${side} side.`, entry.path);
  const start = { line: first, offset: 1 };
  // Behind the last character of the line, so that the whole line is marked.
  const end = { line, offset: (lengths?.[line - 1] ?? 0) + 1 };
  return side === 'new'
    ? { rightFileStart: start, rightFileEnd: end }
    : { leftFileStart: start, leftFileEnd: end };
}

/** Characters of each line, without its end; undefined when the file is too large to look. */
async function readLineLengths(
  session: RepositorySession,
  iteration: Iteration,
  entry: ChangeEntry,
  side: LineComment['side'],
): Promise<number[] | undefined> {
  const sha =
    side === 'new' ? entry.newBlob : (entry.oldBlob ?? (await findOldBlob(session, iteration, entry)));
  if (sha === undefined) throw refused(`The file does not exist on the ${side} side.`, entry.path);
  let text: string;
  try {
    text = new TextDecoder().decode(await readBlob(session, sha, MAX_FILE_BYTES));
  } catch (error) {
    if (isAppError(error, 'permanent') && error.code === 'blob_too_large') return undefined;
    throw error;
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, '').length);
}

async function findOldBlob(
  session: RepositorySession,
  iteration: Iteration,
  entry: ChangeEntry,
): Promise<string | undefined> {
  if (entry.change === 'added') return undefined;
  const path = entry.previousPath ?? entry.path;
  return (await findEntry(session, iteration.commonRefCommit.commitId, path))?.sha;
}

function refused(message: string, path: string): AppError {
  return new AppError({ kind: 'rejected', code: 'anchor_refused', message, details: { path } });
}

function headMoved(): AppError {
  return new AppError({
    kind: 'stale',
    code: 'head_moved',
    message: 'No iteration of the pull request has the head that the comment was made for; read it again.',
  });
}
