import { followLine } from '../../git/hunks.ts';
import type { FileDiff } from './anchors.ts';
import { findLine, readFileDiff } from './anchors.ts';
import type { DiffSide, SimThread } from './model.ts';
import { mergeBaseOf } from './pulls.ts';

/** Where a thread stands in the present diff. */
export interface ThreadPlace {
  /** Undefined for outdated threads and for threads on whole files. */
  readonly line: number | undefined;
  readonly startLine: number | undefined;
  readonly position: number | undefined;
  readonly isOutdated: boolean;
}

const OUTDATED: ThreadPlace = {
  line: undefined,
  startLine: undefined,
  position: undefined,
  isOutdated: true,
};

const NO_BLOB = /^0+$/;

/** Follows one line from the diff it was commented in to the present one; undefined when it is gone. */
async function follow(
  thread: SimThread,
  side: DiffSide,
  line: number,
  then: FileDiff,
  now: FileDiff,
): Promise<number | undefined> {
  const [from, to] =
    side === 'LEFT' ? [then.file.oldSha, now.file.oldSha] : [then.file.newSha, now.file.newSha];
  if (NO_BLOB.test(from) || NO_BLOB.test(to)) return undefined;
  const moved = followLine(await thread.pull.repository.git.blobHunks(from, to), line);
  return moved !== undefined && findLine(now, side, moved) !== undefined ? moved : undefined;
}

async function findPlace(thread: SimThread, mergeBase: string): Promise<ThreadPlace> {
  const { anchor, pull } = thread;
  const { line, startLine, side, startSide = side } = anchor;
  const isUnmoved = anchor.commitId === pull.headSha && anchor.baseCommitId === mergeBase;
  if (isUnmoved) return { line, startLine, position: anchor.position, isOutdated: false };
  const now = await readFileDiff(pull, mergeBase, pull.headSha, anchor.path);
  if (now === undefined) return OUTDATED;
  if (line === undefined) return { ...OUTDATED, isOutdated: false };
  const then = await readFileDiff(pull, anchor.baseCommitId, anchor.commitId, anchor.path);
  if (then === undefined) return OUTDATED;
  const movedLine = await follow(thread, side, line, then, now);
  const movedStart =
    startLine === undefined ? undefined : await follow(thread, startSide, startLine, then, now);
  if (movedLine === undefined || (startLine !== undefined && movedStart === undefined)) return OUTDATED;
  return {
    line: movedLine,
    startLine: movedStart,
    position: findLine(now, side, movedLine)?.position,
    isOutdated: false,
  };
}

export interface Places {
  of(thread: SimThread): Promise<ThreadPlace>;
}

/** Derives places from the first anchor each time the head or the base moves; a push back brings a thread back. */
export function createPlaces(): Places {
  const known = new WeakMap<SimThread, { key: string; place: Promise<ThreadPlace> }>();
  return {
    async of(thread) {
      const mergeBase = await mergeBaseOf(thread.pull);
      const key = `${mergeBase} ${thread.pull.headSha}`;
      const entry = known.get(thread);
      if (entry?.key === key) return entry.place;
      const place = findPlace(thread, mergeBase);
      known.set(thread, { key, place });
      return place;
    },
  };
}
