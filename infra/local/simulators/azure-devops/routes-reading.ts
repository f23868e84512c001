import type { Route } from '../http/router.ts';
import { listChanges } from './changes.ts';
import type { AzureDevOpsContext } from './context.ts';
import { permissionOf } from './access.ts';
import { pullRoute, repositoryRoute, signedIn } from './context.ts';
import { invalidArgument, refuse } from './errors.ts';
import { isoTime, renderIteration, renderPull, renderRepository } from './render.ts';
import type { SimIteration, SimPull } from './state.ts';
import { latestIteration } from './state.ts';

/** A whole-number query parameter. */
function numberParameter(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  return /^\d+$/.test(text) ? Number(text) : invalidArgument(`${name} must be a number of 0 or more.`);
}

export function iterationOf(pull: SimPull, id: string | undefined): SimIteration {
  return (
    pull.iterations.find((iteration) => String(iteration.id) === id) ??
    refuse(404, 'GitPullRequestIterationNotFoundException', `The iteration ${id ?? ''} was not found.`)
  );
}

function list(value: readonly unknown[]) {
  return { status: 200, json: { value, count: value.length } };
}

const COMMITS_PAGE = 100;

/** Who we are, repositories, pull requests, their iterations, changes and commits. */
export function readingRoutes(context: AzureDevOpsContext): Route[] {
  const { state } = context;
  const base = (): string => context.baseUrl();
  return [
    {
      method: 'GET',
      pattern: '/_apis/connectionData',
      handle: signedIn(context, (_request, viewer) => ({
        status: 200,
        json: {
          authenticatedUser: {
            id: viewer.id,
            subjectDescriptor: viewer.descriptor,
            providerDisplayName: viewer.displayName,
            isActive: true,
            properties: { Account: { $type: 'System.String', $value: viewer.uniqueName } },
          },
          deploymentType: 'hosted',
        },
      })),
    },
    {
      method: 'GET',
      pattern: '/:project/_apis/git/repositories',
      handle: signedIn(context, (_request, viewer) =>
        list(
          state.repositories
            .filter((repository) => permissionOf(repository, viewer) !== 'none')
            .map((repository) => renderRepository(repository, base())),
        ),
      ),
    },
    repositoryRoute(context, 'GET', '', ({ repository }) => ({
      status: 200,
      json: renderRepository(repository, base()),
    })),
    repositoryRoute(context, 'GET', '/pullRequests', async ({ repository, request }) => {
      const status = request.query.get('searchCriteria.status') ?? 'active';
      const skip = numberParameter(request.query, '$skip', 0);
      const top = Math.min(numberParameter(request.query, '$top', 101), 1000);
      const pulls = [...repository.pulls.values()]
        .filter((pull) => status === 'all' || pull.status === status)
        .toReversed();
      return list(await Promise.all(pulls.slice(skip, skip + top).map((pull) => renderPull(pull, base()))));
    }),
    pullRoute(context, 'GET', '', async ({ pull }) => ({
      status: 200,
      json: await renderPull(pull, base()),
    })),
    pullRoute(context, 'GET', '/iterations', ({ pull }) =>
      list(pull.iterations.map((iteration) => renderIteration(pull, iteration))),
    ),
    pullRoute(context, 'GET', '/iterations/:iteration/changes', async ({ pull, request }) => {
      const iteration = iterationOf(pull, request.params['iteration']);
      const compareTo = numberParameter(request.query, '$compareTo', 0);
      if (compareTo >= iteration.id) invalidArgument('$compareTo must be an earlier iteration.');
      const skip = numberParameter(request.query, '$skip', 0);
      const { maxChanges, defaultChanges } = state.limits;
      const top = Math.min(numberParameter(request.query, '$top', defaultChanges), maxChanges);
      const changes = await listChanges(pull, iteration, compareTo);
      const isMore = changes.length > skip + top;
      return {
        status: 200,
        json: {
          changeEntries: changes.slice(skip, skip + top),
          nextSkip: isMore ? skip + top : 0,
          nextTop: isMore ? top : 0,
        },
      };
    }),
    pullRoute(context, 'GET', '/commits', async ({ pull, request }) => {
      const { head, common } = latestIteration(pull);
      const skip = Number(request.query.get('continuationToken') ?? 0);
      const { commits } = await pull.repository.git.listCommits(common, head, 10_000);
      const page = commits.toReversed().slice(skip, skip + COMMITS_PAGE);
      const isMore = commits.length > skip + COMMITS_PAGE;
      return {
        ...list(
          page.map((commit) => ({
            commitId: commit.sha,
            author: { ...commit.author },
            committer: { ...commit.committer },
            comment: commit.message,
            creationDate: isoTime(pull.createdAt),
          })),
        ),
        ...(isMore ? { headers: { 'x-ms-continuationtoken': String(skip + COMMITS_PAGE) } } : {}),
      };
    }),
  ];
}
