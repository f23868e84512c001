import type { Route } from '../../http/router.ts';
import { canSee } from '../access/viewer.ts';
import type { GitHubContext } from '../context.ts';
import { repositoryRoute, requireActor, requirePermission } from '../context.ts';
import { forbidden, notFound } from './errors.ts';
import { pageReply } from './paging.ts';
import { renderRepository, renderUser } from './render-accounts.ts';
import { urlsOf } from './urls.ts';

const LEGACY_LEVEL = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
};

/** Users, repositories, collaborators, and what the installation says about itself. */
export function accountRoutes(context: GitHubContext): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/user',
      handle: (request) => {
        const viewer = requireActor(context, request);
        if (viewer.kind === 'installation') throw forbidden('Resource not accessible by integration');
        return { status: 200, json: renderUser(viewer.user, urlsOf(request)) };
      },
    },
    {
      method: 'GET',
      pattern: '/users/:login',
      handle: (request) => {
        requireActor(context, request);
        const user = context.state.findUser(request.params['login'] ?? '');
        if (user === undefined) throw notFound();
        return { status: 200, json: renderUser(user, urlsOf(request)) };
      },
    },
    {
      method: 'GET',
      pattern: '/repositories/:id',
      handle: (request) => {
        const viewer = requireActor(context, request);
        const repository = context.state.repositories.find(
          (candidate) => String(candidate.id) === request.params['id'],
        );
        if (repository === undefined || !canSee(viewer, repository)) throw notFound();
        return { status: 200, json: renderRepository(repository, urlsOf(request)) };
      },
    },
    {
      method: 'GET',
      pattern: '/installation/repositories',
      handle: (request) => {
        const viewer = requireActor(context, request);
        if (viewer.kind !== 'installation') {
          throw forbidden(
            'You must authenticate with an installation access token in order to list repositories for an installation.',
          );
        }
        const page = pageReply(request, undefined, viewer.repositories, (repository) =>
          renderRepository(repository, urlsOf(request)),
        );
        return { ...page, json: { total_count: viewer.repositories.length, repositories: page.json } };
      },
    },
    repositoryRoute(context, 'GET', '', ({ repository, urls }) => ({
      status: 200,
      json: renderRepository(repository, urls),
    })),
    repositoryRoute(
      context,
      'GET',
      '/collaborators/:login/permission',
      ({ request, viewer, repository, urls }) => {
        requirePermission(viewer, 'metadata', 'read');
        const user = context.state.findUser(request.params['login'] ?? '');
        if (user === undefined) throw notFound();
        const level = context.state.permissionOf(repository, user);
        return {
          status: 200,
          json: {
            permission: LEGACY_LEVEL[level],
            role_name: level,
            user: {
              ...renderUser(user, urls),
              permissions: {
                pull: level !== 'none',
                push: LEGACY_LEVEL[level] === 'write' || level === 'admin',
              },
            },
          },
        };
      },
    ),
    {
      method: 'GET',
      pattern: '/meta',
      handle: (request) => ({
        status: 200,
        json: {
          verifiable_password_authentication: false,
          ...(request.prefix === '' ? {} : { installed_version: '3.19.0' }),
        },
      }),
    },
  ];
}
