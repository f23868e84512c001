import type { Route } from '../../http/router.ts';
import type { GitHubContext } from '../context.ts';
import { pullRoute, repositoryRoute, requirePermission } from '../context.ts';
import type { SimPull } from '../state/model.ts';
import { mergeBaseOf } from '../state/pulls.ts';
import { pageReply } from './paging.ts';
import { renderCommit, renderFile, renderPull, renderPullSummary } from './render-pull.ts';

/** `mergeable` is computed in the background: the first read after a push answers null. */
async function readMergeable(pull: SimPull): Promise<boolean | null> {
  if (pull.state === 'closed') return null;
  if (pull.mergeableUnknownReads > 0) {
    pull.mergeableUnknownReads -= 1;
    return null;
  }
  return pull.mergeable ?? (await pull.repository.git.mergesCleanly(pull.baseSha, pull.headSha)) ?? true;
}

/** Pull requests, their files and their commits. */
export function pullRoutes(context: GitHubContext): Route[] {
  const { state } = context;
  return [
    repositoryRoute(context, 'GET', '/pulls', ({ request, viewer, repository, urls }) => {
      requirePermission(viewer, 'pull_requests', 'read');
      const wanted = request.query.get('state') ?? 'open';
      const base = request.query.get('base');
      const pulls = [...repository.pulls.values()]
        .filter((pull) => wanted === 'all' || pull.state === wanted)
        .filter((pull) => base === null || pull.baseRef === base)
        .toSorted((left, right) => right.number - left.number);
      return pageReply(request, repository, pulls, (pull) => renderPullSummary(pull, state, urls));
    }),
    pullRoute(context, 'GET', '', async ({ pull, urls }) => {
      const mergeBase = await mergeBaseOf(pull);
      const files = await pull.repository.git.changedFiles(mergeBase, pull.headSha);
      const { total } = await pull.repository.git.listCommits(pull.baseSha, pull.headSha, 0);
      const mergeable = await readMergeable(pull);
      return { status: 200, json: renderPull(pull, { mergeable, commits: total, files }, state, urls) };
    }),
    pullRoute(context, 'GET', '/files', async ({ request, pull, repository, urls }) => {
      const files = await repository.git.changedFiles(await mergeBaseOf(pull), pull.headSha);
      return pageReply(request, repository, files.slice(0, state.limits.maxFiles), (file) =>
        renderFile(file, repository, pull.headSha, urls),
      );
    }),
    pullRoute(context, 'GET', '/commits', async ({ request, pull, repository, urls }) => {
      const { commits } = await repository.git.listCommits(
        pull.baseSha,
        pull.headSha,
        state.limits.maxCommits,
      );
      return pageReply(request, repository, commits, (commit) => renderCommit(commit, repository, urls));
    }),
  ];
}
