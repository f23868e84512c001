import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { GitLabClient, ProjectSession } from './gitlab-client.ts';
import { pullPath } from './gitlab-client.ts';
import { headMoved } from './gitlab-errors.ts';
import { brokenListing } from './http-session.ts';

/** One state of a merge request: every push and every new target makes one. Positions are made of its commits. */
export const Version = z.object({
  id: z.int(),
  head_commit_sha: z.string().min(1),
  /** The merge base. */
  base_commit_sha: z.string().min(1),
  /** Head of the target branch. */
  start_commit_sha: z.string().min(1),
  /** `overflow` when there were more changes than are kept. */
  state: z.string().nullish(),
});
export type Version = z.output<typeof Version>;

export const Diff = z.object({
  old_path: z.string(),
  new_path: z.string(),
  a_mode: z.string().nullish(),
  b_mode: z.string().nullish(),
  /** Hunks without file headers; empty when left out, a notice for binary files. */
  diff: z.string().nullish(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
});
export type Diff = z.output<typeof Diff>;

/** Diffs of a version, which never change. */
export interface DiffReader {
  /** @throws AppError `transient` versions_missing right after the creation of a merge request. */
  latestVersion(session: ProjectSession, ref: PullRequestRef): Promise<Version>;
  /** Every page. @throws AppError `stale` head_moved when another version came meanwhile. */
  listDiffs(session: ProjectSession, ref: PullRequestRef, version: Version): Promise<readonly Diff[]>;
}

/** Merge requests whose diffs are kept at once, for the comments of one review. */
const MAX_KEPT = 4;

export function createDiffReader(client: GitLabClient): DiffReader {
  const kept = new Map<string, Promise<readonly Diff[]>>();

  async function latestVersion(session: ProjectSession, ref: PullRequestRef): Promise<Version> {
    for await (const [latest] of session.pages(`${pullPath(ref)}/versions`, {}, Version))
      if (latest !== undefined) return latest;
      else break;
    throw notPrepared(ref);
  }

  async function read(session: ProjectSession, ref: PullRequestRef, version: Version): Promise<Diff[]> {
    const diffs = await session.list(`${pullPath(ref)}/diffs`, {}, Diff);
    // The listing is always that of the latest version, whichever that is while the pages are read.
    if ((await latestVersion(session, ref)).id !== version.id) throw headMoved();
    const paths = new Set(diffs.map((diff) => `${diff.old_path}\n${diff.new_path}`));
    if (paths.size < diffs.length) throw brokenListing(client.instance, 'page_repeated');
    return diffs;
  }

  return {
    latestVersion,
    listDiffs(session, ref, version) {
      const key = `${session.id} ${ref.number} ${version.id}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const reading = read(session, ref, version);
      kept.set(key, reading);
      reading.catch(() => kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return reading;
    },
  };
}

/** GitLab computes the diff in the background after it answered that the merge request was made. */
export function notPrepared(ref: Pick<PullRequestRef, 'number'>): AppError {
  return new AppError({
    kind: 'transient',
    code: 'diff_pending',
    message: `GitLab is still preparing merge request ${ref.number}; it will be read again.`,
    retryAfterMs: 5_000,
    details: { number: ref.number },
  });
}
