import type { Route } from '../../http/router.ts';
import type { ArchiveDownloads } from '../archive-downloads.ts';
import type { GitHubContext, RepositoryRequest } from '../context.ts';
import { repositoryRoute, requirePermission } from '../context.ts';
import { notFound } from './errors.ts';

/** Archive links: a redirect to the download host. */
export function archiveRoutes(context: GitHubContext, downloads: ArchiveDownloads): Route[] {
  const redirect = (format: 'tar.gz' | 'zip') => async (input: RepositoryRequest) => {
    requirePermission(input.viewer, 'contents', 'read');
    const { repository } = input;
    const commit = await repository.git.findCommit(input.request.params['ref'] ?? repository.defaultBranch);
    if (commit === undefined) throw notFound();
    const link = downloads.createLink(repository, commit, format);
    return { status: 302, headers: { location: `${context.codeloadOrigin()}${link}` }, text: '' };
  };
  return [
    repositoryRoute(context, 'GET', '/tarball', redirect('tar.gz')),
    repositoryRoute(context, 'GET', '/tarball/*ref', redirect('tar.gz')),
    repositoryRoute(context, 'GET', '/zipball', redirect('zip')),
    repositoryRoute(context, 'GET', '/zipball/*ref', redirect('zip')),
  ];
}
