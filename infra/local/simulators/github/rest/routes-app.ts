import { z } from 'zod';
import type { SimulatorRequest } from '../../http/exchange.ts';
import { ReplyError, readJson } from '../../http/exchange.ts';
import type { Route } from '../../http/router.ts';
import { authenticate } from '../access/authenticate.ts';
import type { Permissions } from '../access/viewer.ts';
import type { GitHubContext } from '../context.ts';
import type { SimRepository } from '../state/model.ts';
import type { SimApp, SimInstallation } from '../state/state.ts';
import { githubError, notFound, unprocessable } from './errors.ts';
import { renderApp, renderInstallation, renderRepository } from './render-accounts.ts';
import { isoTime, urlsOf } from './urls.ts';

const TokenRequest = z.looseObject({
  repository_ids: z.array(z.number()).optional(),
  repositories: z.array(z.string()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
});

/** The App itself, signed in with its JSON web token. @throws ReplyError 401 for every other credential. */
export function requireApp(context: GitHubContext, request: SimulatorRequest): SimApp {
  const { app } = context.state;
  const viewer = authenticate(context.state, context.tokens, request);
  if (app === undefined || viewer.kind !== 'app') {
    throw new ReplyError(githubError(401, 'A JSON web token could not be decoded'));
  }
  return app;
}

function narrowRepositories(
  installation: SimInstallation,
  wanted: z.infer<typeof TokenRequest>,
): readonly SimRepository[] {
  const missing = unprocessable(
    'There is at least one repository that does not exist or is not accessible to the parent installation.',
  );
  if (wanted.repository_ids === undefined && wanted.repositories === undefined) {
    return installation.repositories;
  }
  const byId = (wanted.repository_ids ?? []).map((id) =>
    installation.repositories.find((repository) => repository.id === id),
  );
  const byName = (wanted.repositories ?? []).map((name) =>
    installation.repositories.find((repository) => repository.name.toLowerCase() === name.toLowerCase()),
  );
  return [...byId, ...byName].map((repository) => {
    if (repository === undefined) throw missing;
    return repository;
  });
}

function narrowPermissions(app: SimApp, wanted: Permissions | undefined): Permissions {
  if (wanted === undefined) return app.permissions;
  for (const [area, level] of Object.entries(wanted)) {
    const granted = app.permissions[area];
    if (granted !== 'write' && granted !== level) {
      throw unprocessable('The permissions requested are not granted to this installation.');
    }
  }
  // Every installation token can read metadata.
  return { metadata: 'read', ...wanted };
}

/** The App about itself, its installations, and installation tokens. */
export function appRoutes(context: GitHubContext): Route[] {
  const findInstallation = (id: string | undefined): SimInstallation => {
    const found = context.state.installations.find((installation) => String(installation.id) === id);
    if (found === undefined) throw notFound();
    return found;
  };
  const render = (installation: SimInstallation, app: SimApp, request: SimulatorRequest): unknown =>
    renderInstallation(installation, app, urlsOf(request), context.state.now());
  return [
    {
      method: 'GET',
      pattern: '/app',
      handle: (request) => ({ status: 200, json: renderApp(requireApp(context, request), urlsOf(request)) }),
    },
    {
      method: 'GET',
      pattern: '/app/installations',
      handle: (request) => {
        const app = requireApp(context, request);
        return {
          status: 200,
          json: context.state.installations.map((installation) => render(installation, app, request)),
        };
      },
    },
    {
      method: 'GET',
      pattern: '/app/installations/:id',
      handle: (request) => {
        const app = requireApp(context, request);
        return { status: 200, json: render(findInstallation(request.params['id']), app, request) };
      },
    },
    {
      method: 'GET',
      pattern: '/repos/:owner/:name/installation',
      handle: (request) => {
        const app = requireApp(context, request);
        const { owner = '', name = '' } = request.params;
        const repository = context.state.findRepository(`${owner}/${name}`);
        if (repository?.installationId === undefined) throw notFound();
        const installation = findInstallation(String(repository.installationId));
        return { status: 200, json: render(installation, app, request) };
      },
    },
    {
      method: 'POST',
      pattern: '/app/installations/:id/access_tokens',
      handle: (request) => {
        const app = requireApp(context, request);
        const installation = findInstallation(request.params['id']);
        if (installation.suspended) {
          throw new ReplyError(githubError(403, 'This installation has been suspended'));
        }
        const body = TokenRequest.safeParse(readJson(request) ?? {});
        if (!body.success) throw unprocessable('Invalid request.');
        const repositories = narrowRepositories(installation, body.data);
        const permissions = narrowPermissions(app, body.data.permissions);
        const issued = context.tokens.issue(installation, repositories, permissions);
        return {
          status: 201,
          json: {
            token: issued.token,
            expires_at: isoTime(issued.expiresAt),
            permissions,
            repository_selection: 'selected',
            repositories: repositories.map((repository) => renderRepository(repository, urlsOf(request))),
          },
        };
      },
    },
  ];
}
