import type { Route } from '../../http/router.ts';
import { isGitError } from '../../git/git-error.ts';
import type { GitHubContext } from '../context.ts';
import { repositoryRoute, requirePermission } from '../context.ts';
import type { SimRepository } from '../state/model.ts';
import { githubError, notFound } from './errors.ts';
import { readPage } from './paging.ts';
import { renderCommit, renderFile } from './render-pull.ts';

/** A side of a comparison may name the owner: `owner:branch`. */
async function resolveSide(repository: SimRepository, side: string): Promise<string> {
  const sha = await repository.git.findCommit(side.replace(/^[\w.-]+:/, ''));
  if (sha === undefined) throw notFound();
  return sha;
}

/** Three-dot comparison; files only on page 1 and only the first 300. */
export function compareRoutes(context: GitHubContext): Route[] {
  const { limits } = context.state;
  return [
    repositoryRoute(context, 'GET', '/compare/*basehead', async ({ request, viewer, repository, urls }) => {
      requirePermission(viewer, 'contents', 'read');
      const [baseName = '', headName = ''] = (request.params['basehead'] ?? '').split('...');
      const { git } = repository;
      const base = await resolveSide(repository, baseName);
      const head = await resolveSide(repository, headName);
      let mergeBase: string;
      try {
        mergeBase = await git.mergeBase(base, head);
      } catch (error) {
        if (!isGitError(error, 'no_merge_base')) throw error;
        return githubError(404, `No common ancestor between ${baseName} and ${headName}.`);
      }
      const ahead = await git.listCommits(base, head, Number.MAX_SAFE_INTEGER);
      const behind = await git.listCommits(head, base, 0);
      const status =
        ahead.total === 0
          ? behind.total === 0
            ? 'identical'
            : 'behind'
          : behind.total === 0
            ? 'ahead'
            : 'diverged';
      const { page, perPage } = readPage(request);
      const isPaged = request.query.has('page') || request.query.has('per_page');
      const commits = isPaged
        ? ahead.commits.slice((page - 1) * perPage, page * perPage)
        : ahead.commits.slice(0, limits.maxCommits);
      const files = page > 1 ? [] : await git.changedFiles(mergeBase, head);
      const web = `${urls.web}/${repository.fullName}/compare/${baseName}...${headName}`;
      return {
        status: 200,
        json: {
          url: `${urls.repository(repository)}/compare/${baseName}...${headName}`,
          html_url: web,
          permalink_url: web,
          diff_url: `${web}.diff`,
          patch_url: `${web}.patch`,
          base_commit: renderCommit(await git.readCommit(base), repository, urls),
          merge_base_commit: renderCommit(await git.readCommit(mergeBase), repository, urls),
          status,
          ahead_by: ahead.total,
          behind_by: behind.total,
          total_commits: ahead.total,
          commits: commits.map((commit) => renderCommit(commit, repository, urls)),
          files: files
            .slice(0, limits.maxCompareFiles)
            .map((file) => renderFile(file, repository, head, urls)),
        },
      };
    }),
  ];
}
