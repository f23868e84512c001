import { followLine } from '../git/hunks.ts';
import { listChanges } from './changes.ts';
import type { SimChange } from './changes.ts';
import type { SimIteration, SimPosition, SimPull, SimThread, SimThreadContext } from './state.ts';

export interface Place {
  readonly context: SimThreadContext | undefined;
  /** Where it was posted, when that is another place. */
  readonly original?: SimThreadContext;
}

/** Where a thread stands in an iteration; without tracking, or on the old side, where it was posted. */
export async function placeOf(
  pull: SimPull,
  thread: SimThread,
  iteration: SimIteration | undefined,
): Promise<Place> {
  const { context, tracking } = thread;
  if (context === undefined || tracking === undefined) return { context };
  const posted = pull.iterations.find(
    (candidate) => candidate.id === tracking.iterationContext.secondComparingIteration,
  );
  if (posted === undefined) return { context };
  const before = await entryOf(pull, posted, tracking.changeTrackingId);
  // A wrong number glues the thread to the file that has it.
  const glued: SimThreadContext = { ...context, filePath: pathOf(before) ?? context.filePath };
  if (iteration === undefined || iteration.id === posted.id) return { context: glued };
  const after = await entryOf(pull, iteration, tracking.changeTrackingId);
  const [from, to] = [blobOf(before), blobOf(after)];
  const filePath = pathOf(after) ?? glued.filePath;
  const { rightFileStart: start, rightFileEnd: end } = glued;
  if (!isPosition(start) || !isPosition(end) || from === undefined)
    return { context: { ...glued, filePath } };
  if (from === to && filePath === glued.filePath) return { context: glued };
  const hunks = to === undefined ? undefined : await pull.repository.git.blobHunks(from, to);
  const first = hunks === undefined ? undefined : followLine(hunks, start.line);
  const last = hunks === undefined ? undefined : followLine(hunks, end.line);
  const moved =
    first === undefined || last === undefined
      ? { filePath, rightFileStart: null, rightFileEnd: null }
      : {
          filePath,
          rightFileStart: { ...start, line: first },
          rightFileEnd: { ...end, line: last },
        };
  return { context: moved, original: context };
}

/** True when the thread's path is none of the pull request's files: shown nowhere in the files. */
export async function isOrphaned(pull: SimPull, thread: SimThread): Promise<boolean> {
  if (thread.context === undefined) return false;
  const id = thread.tracking?.iterationContext.secondComparingIteration;
  const iteration = pull.iterations.find((candidate) => candidate.id === id) ?? pull.iterations.at(-1);
  if (iteration === undefined) return true;
  const changes = await listChanges(pull, iteration, 0);
  return !changes.some((change) => pathOf(change) === thread.context?.filePath);
}

/** One end without the other, or ends on both sides: the web page cannot show it. */
export function isBroken({ context }: SimThread): boolean {
  if (context === undefined) return false;
  const right = [context.rightFileStart, context.rightFileEnd].filter(isPosition).length;
  const left = [context.leftFileStart, context.leftFileEnd].filter(isPosition).length;
  return right === 1 || left === 1 || (right > 0 && left > 0);
}

function isPosition(position: SimPosition | null | undefined): position is SimPosition {
  return position !== null && position !== undefined;
}

async function entryOf(pull: SimPull, iteration: SimIteration, id: number): Promise<SimChange | undefined> {
  const changes = await listChanges(pull, iteration, 0);
  return changes.find(
    (change) => change.changeTrackingId === id && !change.changeType.includes('sourceRename'),
  );
}

function pathOf(change: SimChange | undefined): string | undefined {
  return typeof change?.item['path'] === 'string' ? change.item['path'] : undefined;
}

function blobOf(change: SimChange | undefined): string | undefined {
  return typeof change?.item['objectId'] === 'string' ? change.item['objectId'] : undefined;
}
