import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { bytes } from '../../unit/azure-devops/deliveries.ts';
import { PAT, PROJECT_ID, REPOSITORY_ID, startAzureServer, type AzureServer } from './azure-devops-server.ts';
import { runCommand } from './run-command.ts';

function settings(server: AzureServer, change: Record<string, string> = {}): Record<string, string> {
  const address = new URL('/org', server.loopback.url).href;
  return {
    GATEHOUSE_INSTANCES: JSON.stringify([
      {
        id: 'azure',
        provider: 'azure-devops',
        webUrl: address,
        apiUrl: address,
        repositories: ['Fabrikam Fiber/*'],
      },
    ]),
    GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example',
    AZURE_DEVOPS_TOKEN: PAT,
    AZURE_DEVOPS_HOOK_USER: 'gatehouse',
    AZURE_DEVOPS_HOOK_PASSWORDS: 'password-1,password-2',
    AZURE_DEVOPS_HOOK_HEADER_SECRETS: 'header-1',
    ...change,
  };
}

const Result = z.object({ hooks: z.array(z.object({ advice: z.string().optional() })) });
const RUN = ['--instance', 'azure'];

describe('hooks:create for Azure DevOps', () => {
  it('creates the four subscriptions of a project, each with its literal body, and then none', async () => {
    await using server = await startAzureServer();
    const first = await runCommand(settings(server), RUN);
    expect(first).toEqual({
      code: 0,
      out: [
        'created       Fabrikam Fiber: pull request created (subscription-1)',
        'created       Fabrikam Fiber: source branch updated (subscription-2)',
        'created       Fabrikam Fiber: status changed (subscription-3)',
        'created       Fabrikam Fiber: comment (subscription-4)',
      ],
      err: [],
    });
    const bodies = server.loopback.seen
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body));
    expect(bodies[0]).toEqual({
      publisherId: 'tfs',
      eventType: 'git.pullrequest.created',
      resourceVersion: '1.0',
      consumerId: 'webHooks',
      consumerActionId: 'httpRequest',
      publisherInputs: { projectId: PROJECT_ID },
      consumerInputs: {
        url: 'https://gatehouse.example/webhooks/azure',
        httpHeaders: 'X-Gatehouse-Secret:header-1',
        basicAuthUsername: 'gatehouse',
        basicAuthPassword: 'password-1',
        resourceDetailsToSend: 'all',
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    });
    expect(
      bodies.slice(1).map(({ eventType, resourceVersion, publisherInputs }) => ({
        eventType,
        resourceVersion,
        publisherInputs,
      })),
    ).toEqual([
      {
        eventType: 'git.pullrequest.updated',
        resourceVersion: '1.0',
        publisherInputs: { projectId: PROJECT_ID, notificationType: 'PushNotification' },
      },
      {
        eventType: 'git.pullrequest.updated',
        resourceVersion: '1.0',
        publisherInputs: { projectId: PROJECT_ID, notificationType: 'StatusUpdateNotification' },
      },
      {
        eventType: 'ms.vss-code.git-pullrequest-comment-event',
        resourceVersion: '2.0',
        publisherInputs: { projectId: PROJECT_ID },
      },
    ]);
    const again = await runCommand(settings(server), [...RUN, '--repository', 'Fabrikam Fiber/Shop']);
    expect(again.code).toBe(0);
    expect(again.out).toHaveLength(4);
    expect(again.out.every((line) => line.startsWith('exists '))).toBe(true);
    expect(server.stored).toHaveLength(4);
  });

  it('makes hooks whose deliveries the app takes', async () => {
    await using server = await startAzureServer();
    const limited = JSON.stringify([
      { value: 'of-another', repositories: ['Other/*'] },
      { value: 'limited', repositories: ['fabrikam fiber/*'] },
    ]);
    const env = settings(server, { AZURE_DEVOPS_HOOK_PASSWORDS: limited });
    expect((await runCommand(env, RUN)).code).toBe(0);
    const [instance] = loadConfig(env).instances;
    if (instance?.provider !== 'azure-devops') throw new Error('no instance');
    const source = createAzureDevOpsWebhookSource(instance);
    const body = bytes({
      resource: { repository: { id: REPOSITORY_ID, name: 'Shop', project: { name: 'Fabrikam Fiber' } } },
    });
    for (const { sent } of server.stored) {
      const { basicAuthUsername: user, basicAuthPassword: password, httpHeaders } = sent.consumerInputs;
      const [name = '', value = ''] = httpHeaders.split(':');
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      expect(password).toBe('limited');
      expect(source.authenticate({ authorization, [name.toLowerCase()]: value }, body)).toBe(true);
      expect(source.authenticate({ authorization }, body)).toBe(false);
    }
  });

  it('creates only what is missing, for one repository, and in a dry run nothing', async () => {
    await using server = await startAzureServer();
    const place = ['--repository', 'Fabrikam Fiber/Shop'];
    await runCommand(settings(server), [...RUN, ...place]);
    expect(server.stored.map(({ sent }) => sent.publisherInputs.repository)).toEqual(
      Array<string>(4).fill(REPOSITORY_ID),
    );
    server.stored.splice(1, 1);
    const dry = await runCommand(settings(server), [...RUN, ...place, '--dry-run']);
    expect(dry.out[1]).toBe('would create  Fabrikam Fiber/Shop: source branch updated');
    expect([dry.code, server.stored.length]).toEqual([0, 3]);
    const wet = await runCommand(settings(server), [...RUN, ...place, '--json']);
    expect(JSON.parse(wet.out.join('\n'))).toMatchObject({
      instance: 'azure',
      dryRun: false,
      hooks: [{ state: 'exists' }, { state: 'created' }, { state: 'exists' }, { state: 'exists' }],
    });
    // A project has more repositories than the one that is covered.
    const project = await runCommand(settings(server), [...RUN, '--project', 'Fabrikam Fiber']);
    expect(project.out.map((line) => line.split(' ')[0])).toEqual(Array<string>(4).fill('created'));
  });

  it('says what is wrong with a subscription that exists', async () => {
    await using server = await startAzureServer();
    await runCommand(settings(server), RUN);
    const [first, second, third, fourth] = server.stored;
    if (first === undefined || third === undefined || second === undefined || fourth === undefined)
      throw new Error('not created');
    first.status = 'disabledBySystem';
    second.sent.consumerInputs.resourceDetailsToSend = 'minimal';
    third.sent.consumerInputs.httpHeaders = 'X-Other:value';
    fourth.sent.consumerInputs.basicAuthUsername = 'someone';
    const { code, out } = await runCommand(settings(server), [...RUN, '--json']);
    expect(code).toBe(1);
    const { hooks } = Result.parse(JSON.parse(out.join('\n')));
    expect(hooks.map(({ advice }) => advice)).toEqual([
      'It is disabledBySystem: enable it in Project settings, Service hooks.',
      'Set its "Resource details to send" to All.',
      'Give it the header X-Gatehouse-Secret with a value of AZURE_DEVOPS_HOOK_HEADER_SECRETS.',
      'Set its user name to AZURE_DEVOPS_HOOK_USER.',
    ]);
    expect(server.stored).toHaveLength(4);
  });

  it.each([
    ['a wrong token', { AZURE_DEVOPS_TOKEN: 'wrong' }, 1, /answered 203 .* wrong, revoked or expired/],
    ['no token', { AZURE_DEVOPS_TOKEN: '' }, 2, /has no token.* AZURE_DEVOPS_TOKEN/],
    ['no password', { AZURE_DEVOPS_HOOK_PASSWORDS: '' }, 2, /Set AZURE_DEVOPS_HOOK_PASSWORDS/],
    ['an http address', { GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:1' }, 2, /must be https/],
  ])('creates nothing with %s', async (_name, change, expected, message) => {
    await using server = await startAzureServer();
    const { code, out, err } = await runCommand(settings(server, change), RUN);
    expect([code, out, server.stored]).toEqual([expected, [], []]);
    expect(err.join('\n')).toMatch(message);
  });

  it('takes an Entra access token', async () => {
    await using server = await startAzureServer();
    const env = settings(server, { AZURE_DEVOPS_TOKEN: 'eyJh.eyJi.c2ln' });
    expect((await runCommand(env, RUN)).code).toBe(0);
    expect(server.loopback.seen[0]?.headers.authorization).toBe('Bearer eyJh.eyJi.c2ln');
  });

  it('reports a refusal with what was made before it, and no secret that the service repeats', async () => {
    await using server = await startAzureServer();
    server.refuseNextPost = { status: 400, message: 'basicAuthPassword "password-1"\nis too weak' };
    const refused = await runCommand(settings(server), [...RUN, '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out.join('\n'))).toEqual({
      instance: 'azure',
      dryRun: false,
      hooks: [],
      error: {
        code: 'refused',
        message:
          'azure answered 400 to POST /_apis/hooks/subscriptions: basicAuthPassword "[secret]" is too weak',
      },
    });
    server.refuseNextPost = { status: 503, message: '' };
    const busy = await runCommand(settings(server), RUN);
    expect([busy.code, busy.err]).toEqual([
      2,
      ['hooks:create: azure answered 503 to POST /_apis/hooks/subscriptions: try again later.'],
    ]);
    const missing = await runCommand(settings(server), [...RUN, '--project', 'Nowhere']);
    expect([missing.code, missing.err[0]]).toEqual([
      1,
      expect.stringContaining('answered 404 to GET /Nowhere/'),
    ]);
  });

  it('sends nothing to another origin', async () => {
    await using server = await startAzureServer();
    const asked: string[] = [];
    const redirecting: typeof fetch = async (input, init) => {
      asked.push(String(input instanceof Request ? input.url : input));
      return init?.redirect === 'manual'
        ? new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/_signin' } })
        : fetch('https://elsewhere.example/');
    };
    const { code } = await runCommand(settings(server), RUN, redirecting);
    expect(code).toBe(1);
    expect(asked.map((url) => new URL(url).origin)).toEqual([server.loopback.url.origin]);
  });
});
