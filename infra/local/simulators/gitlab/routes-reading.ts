import type { Route } from '../http/router.ts';
import type { GitLabContext } from './context.ts';
import { page, projectRoute, pullRoute, userRoute } from './context.ts';
import { filesOf, renderDiff } from './diffs.ts';
import { notFound } from './errors.ts';
import { renderProject, renderPull, renderUser, renderVersion } from './render.ts';
import { latestVersion, levelOf } from './state.ts';

/** Who we are, projects, members, merge requests, their versions, diffs and commits. */
export function readingRoutes(context: GitLabContext): Route[] {
  const { state } = context;
  const web = (): string => context.webUrl();
  return [
    userRoute(context, '/user', (_request, viewer) => ({
      status: 200,
      json: { ...renderUser(viewer), bot: viewer.bot },
    })),
    userRoute(context, '/projects', (request, viewer) =>
      page(
        request,
        state.projects
          .filter((project) => levelOf(project, viewer) > 0)
          .map((project) => renderProject(project, web())),
      ),
    ),
    projectRoute(context, 'GET', '', ({ project }) => ({ status: 200, json: renderProject(project, web()) })),
    projectRoute(context, 'GET', '/members/all/:user', ({ project, request }) => {
      const id = Number(request.params['user']);
      const level = project.members.get(id);
      if (level === undefined || level === 0) return notFound('Member');
      return { status: 200, json: { id, state: 'active', access_level: level } };
    }),
    projectRoute(context, 'GET', '/merge_requests', async ({ project, request }) => {
      const wanted = request.query.get('state') ?? 'all';
      const pulls = [...project.pulls.values()].filter((pull) => wanted === 'all' || pull.state === wanted);
      return page(
        request,
        await Promise.all(pulls.toReversed().map((pull) => renderPull(state, pull, web()))),
      );
    }),
    pullRoute(context, 'GET', '', async ({ pull }) => ({
      status: 200,
      json: await renderPull(state, pull, web()),
    })),
    pullRoute(context, 'GET', '/versions', async ({ pull, request }) => {
      const versions = pull.isPrepared ? pull.versions.toReversed() : [];
      return page(request, await Promise.all(versions.map((version) => renderVersion(state, pull, version))));
    }),
    pullRoute(context, 'GET', '/diffs', async ({ pull, request }) => {
      const { files } = await filesOf(state, pull, latestVersion(pull));
      return page(
        request,
        files.map((file) => renderDiff(state, file)),
      );
    }),
    pullRoute(context, 'GET', '/commits', async ({ pull, request }) => {
      const { base, head } = latestVersion(pull);
      const { commits } = await pull.project.git.listCommits(base, head, 10_000);
      return page(
        request,
        commits.toReversed().map((commit) => ({
          id: commit.sha,
          message: commit.message,
          author_name: commit.author.name,
          authored_date: commit.author.date,
        })),
      );
    }),
  ];
}
