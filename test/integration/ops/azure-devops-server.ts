import { z } from 'zod';
import { startLoopback, type Loopback } from '../providers/loopback.ts';

export const PROJECT_ID = '6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c';
export const REPOSITORY_ID = '4bc14d40-c903-45e2-872e-0462c7748079';
export const PAT = 'pat-0123456789';

const Subscription = z.strictObject({
  publisherId: z.literal('tfs'),
  eventType: z.enum([
    'git.pullrequest.created',
    'git.pullrequest.updated',
    'git.pullrequest.merged',
    'ms.vss-code.git-pullrequest-comment-event',
  ]),
  resourceVersion: z.enum(['1.0', '2.0']),
  consumerId: z.literal('webHooks'),
  consumerActionId: z.literal('httpRequest'),
  publisherInputs: z.strictObject({
    projectId: z.literal(PROJECT_ID),
    repository: z.literal(REPOSITORY_ID).optional(),
    notificationType: z
      .enum([
        'PushNotification',
        'ReviewersUpdateNotification',
        'StatusUpdateNotification',
        'ReviewerVoteNotification',
      ])
      .optional(),
  }),
  consumerInputs: z.strictObject({
    url: z.url({ protocol: /^https$/ }),
    httpHeaders: z.string().regex(/^[\w-]+:\S+$/),
    basicAuthUsername: z.string().max(256).regex(/^\S+$/),
    basicAuthPassword: z.string().max(256).regex(/^\S+$/),
    resourceDetailsToSend: z.enum(['all', 'minimal', 'none']),
    messagesToSend: z.enum(['all', 'text', 'html', 'markdown', 'none']),
    detailedMessagesToSend: z.enum(['all', 'text', 'html', 'markdown', 'none']),
  }),
});
export type Subscription = z.infer<typeof Subscription>;

export interface StoredSubscription {
  readonly id: string;
  readonly sent: Subscription;
  status: string;
}

export interface AzureServer extends AsyncDisposable {
  readonly loopback: Loopback;
  readonly stored: StoredSubscription[];
  /** Path and status that the next POST is answered with instead; it stores nothing. */
  refuseNextPost: { readonly status: number; readonly message: string } | undefined;
}

/** Service hooks and repositories of one organization; refuses what the service refuses. */
export async function startAzureServer(): Promise<AzureServer> {
  const stored: StoredSubscription[] = [];
  const accepted = new Set([`Basic ${Buffer.from(`:${PAT}`).toString('base64')}`, 'Bearer eyJh.eyJi.c2ln']);
  const loopback = await startLoopback((response, { method, path, headers, body }) => {
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(value));
    };
    const url = new URL(path, 'http://server');
    if (!accepted.has(headers.authorization ?? '')) {
      response.writeHead(203, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<html><title>Azure DevOps Services | Sign In</title></html>');
    } else if (url.searchParams.get('api-version') !== '7.1') {
      answer(400, { message: 'No api-version was supplied.' });
    } else if (method === 'POST' && url.pathname === '/org/_apis/hooks/subscriptions') {
      if (server.refuseNextPost !== undefined) {
        const { status, message } = server.refuseNextPost;
        server.refuseNextPost = undefined;
        answer(status, { message });
        return;
      }
      const parsed = Subscription.safeParse(JSON.parse(body));
      if (!parsed.success) {
        answer(400, { message: `Invalid subscription: ${parsed.error.issues[0]?.path.join('.')}` });
        return;
      }
      const made = { id: `subscription-${stored.length + 1}`, sent: parsed.data, status: 'enabled' };
      stored.push(made);
      answer(200, rendered(made));
    } else if (method === 'GET' && url.pathname === '/org/_apis/hooks/subscriptions') {
      const wanted = url.searchParams.get('consumerId');
      const value = stored.filter(({ sent }) => sent.consumerId === wanted).map(rendered);
      answer(200, { count: value.length, value });
    } else if (url.pathname === '/org/Fabrikam%20Fiber/_apis/git/repositories') {
      answer(200, { count: 1, value: [repository] });
    } else if (url.pathname === '/org/Fabrikam%20Fiber/_apis/git/repositories/Shop') {
      answer(200, repository);
    } else answer(404, { message: 'TF200016: The following project does not exist.' });
  });
  const server: AzureServer = {
    loopback,
    stored,
    refuseNextPost: undefined,
    [Symbol.asyncDispose]: async () => loopback[Symbol.asyncDispose](),
  };
  return server;
}

const repository = {
  id: REPOSITORY_ID,
  name: 'Shop',
  project: { id: PROJECT_ID, name: 'Fabrikam Fiber', state: 'wellFormed' },
};

/** As the service shows it: confidential inputs masked, inputs of its own added. */
function rendered({ id, sent, status }: StoredSubscription): unknown {
  return {
    ...sent,
    id,
    status,
    publisherInputs: { ...sent.publisherInputs, branch: '', tfsSubscriptionId: 'b0bb5e46' },
    consumerInputs: { ...sent.consumerInputs, basicAuthPassword: '********' },
    createdBy: { displayName: 'Ada' },
  };
}
