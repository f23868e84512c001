import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { RepositorySession } from './azure-devops-client.ts';
import type { PromiseCache } from './promise-cache.ts';

const Commit = z.object({ commitId: z.string().min(1) });

/** One state of a pull request: every push makes one, and so does a new target. */
const Iteration = z.object({
  /** From 1. */
  id: z.int().min(1),
  sourceRefCommit: Commit,
  targetRefCommit: Commit,
  /** The merge base. */
  commonRefCommit: Commit,
});
export type Iteration = z.output<typeof Iteration>;

const Change = z.object({
  changeTrackingId: z.int().optional(),
  /** Comma-separated, e.g. `edit, rename`. */
  changeType: z.string(),
  item: z
    .object({
      path: z.string().nullish(),
      objectId: z.string().nullish(),
      originalObjectId: z.string().nullish(),
      isFolder: z.boolean().nullish(),
      gitObjectType: z.string().nullish(),
    })
    .nullish(),
  originalPath: z.string().nullish(),
  sourceServerItem: z.string().nullish(),
});
export type Change = z.output<typeof Change>;

const Iterations = z.object({ value: z.array(Iteration) });
const Changes = z.object({
  changeEntries: z.array(Change),
  nextSkip: z.int().nullish(),
  nextTop: z.int().nullish(),
});

/** "The maximum value is 2000" (REST documentation, "Pull Request Iteration Changes - Get", `$top`). */
const PAGE_SIZE = 2000;
const MAX_PAGES = 500;

/** Oldest first. */
export async function listIterations(session: RepositorySession, number: number): Promise<Iteration[]> {
  const { value } = await session.get(`/pullRequests/${number}/iterations`, {}, Iterations);
  return value.toSorted((one, other) => one.id - other.id);
}

/** @throws AppError `transient` iterations_missing: right after its creation a pull request has none yet. */
export function latestOf(iterations: readonly Iteration[], number: number): Iteration {
  const latest = iterations.at(-1);
  if (latest !== undefined) return latest;
  throw new AppError({
    kind: 'transient',
    code: 'iterations_missing',
    message: `Pull request ${number} has no iteration yet; it will be read again.`,
    retryAfterMs: 5_000,
    details: { number },
  });
}

/** Changes of iterations, which never change, by repository, pull request and iteration. */
export type ChangesCache = PromiseCache<readonly Change[]>;

/** Every change of an iteration against its merge base, all pages. */
export function listChanges(
  cache: ChangesCache,
  session: RepositorySession,
  number: number,
  iteration: Iteration,
): Promise<readonly Change[]> {
  const key = `${session.names.id} ${number} ${iteration.id} ${iteration.sourceRefCommit.commitId}`;
  return cache.get(key, () => readChanges(session, number, iteration.id));
}

async function readChanges(session: RepositorySession, number: number, id: number): Promise<Change[]> {
  const changes: Change[] = [];
  let skip = 0;
  let top = PAGE_SIZE;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await session.get(
      `/pullRequests/${number}/iterations/${id}/changes`,
      { $top: top, $skip: skip, $compareTo: 0 },
      Changes,
    );
    changes.push(...page.changeEntries);
    const next = page.nextSkip ?? 0;
    if (next === 0) return changes;
    // What an empty page left out is never listed again, and a page that does not move on would never end.
    if (page.changeEntries.length === 0) throw brokenListing(session, 'page_empty');
    if (next <= skip) throw brokenListing(session, 'page_repeated');
    skip = next;
    top = Math.min(PAGE_SIZE, Math.max(1, page.nextTop ?? PAGE_SIZE));
  }
  throw brokenListing(session, 'page_repeated');
}

function brokenListing(session: RepositorySession, code: 'page_empty' | 'page_repeated'): AppError {
  return new AppError({
    kind: 'transient',
    code,
    message: 'Azure DevOps listed the changes incompletely; they will be read again.',
    details: { repositoryId: session.names.id },
  });
}
