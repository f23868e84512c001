import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startLoopback, type Loopback } from '../providers/loopback.ts';
import { runCommand } from './run-command.ts';

const SIGNING = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const HookBody = z.strictObject({
  url: z.url(),
  merge_requests_events: z.boolean().default(false),
  note_events: z.boolean().default(false),
  confidential_note_events: z.boolean().default(false),
  push_events: z.boolean().default(true),
  enable_ssl_verification: z.boolean().default(true),
  signing_token: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .optional(),
  token: z.string().min(1).optional(),
});
type Hook = z.infer<typeof HookBody> & { id: number; alert_status: string };

interface GitLabServer extends AsyncDisposable {
  readonly loopback: Loopback;
  readonly hooks: Hook[];
}

/** Webhooks of one project or group; before 19.0 signing tokens are ignored and neither secret is shown to exist. */
async function startGitLabServer(path: string, isOld = false): Promise<GitLabServer> {
  const hooks: Hook[] = [];
  const rendered = ({ token, signing_token: signing, ...hook }: Hook): unknown => ({
    ...hook,
    ...(isOld ? {} : { token_present: token !== undefined, signing_token_present: signing !== undefined }),
  });
  const loopback = await startLoopback((response, request) => {
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const url = new URL(request.path, 'http://server');
    if (request.headers.authorization === 'Bearer glpat-reporter') answer(403, { message: '403 Forbidden' });
    else if (request.headers.authorization !== 'Bearer glpat-maintainer')
      answer(401, { message: '401 Unauthorized' });
    else if (url.pathname !== `/api/v4/${path}/hooks`) answer(404, { message: '404 Project Not Found' });
    else if (request.method === 'GET') {
      const size = Number(url.searchParams.get('per_page') ?? 20);
      const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
      answer(200, hooks.slice(from, from + size).map(rendered));
    } else {
      const parsed = HookBody.safeParse(JSON.parse(request.body));
      if (!parsed.success) {
        answer(422, { message: { [String(parsed.error.issues[0]?.path[0])]: ['is invalid'] } });
        return;
      }
      const hook = { ...parsed.data, id: hooks.length + 1, alert_status: 'executable' };
      hooks.push(hook);
      answer(201, rendered(hook));
    }
  });
  return { loopback, hooks, [Symbol.asyncDispose]: async () => loopback[Symbol.asyncDispose]() };
}

function settings(server: GitLabServer, change: Record<string, string> = {}): Record<string, string> {
  const origin = server.loopback.url.origin;
  return {
    GATEHOUSE_INSTANCES: JSON.stringify([
      {
        id: 'lab',
        provider: 'gitlab',
        webUrl: origin,
        apiUrl: `${origin}/api/v4`,
        repositories: ['acme/tools/shop'],
      },
    ]),
    GITLAB_TOKEN: 'glpat-maintainer',
    GITLAB_SIGNING_TOKENS: SIGNING,
    ...change,
  };
}

const RUN = ['--instance', 'lab', '--url', 'https://gatehouse.example/'];
const PROJECT = 'projects/acme%2Ftools%2Fshop';

describe('hooks:create for GitLab', () => {
  it('creates the webhook of a project with its literal body, and then none', async () => {
    await using server = await startGitLabServer(PROJECT);
    const dry = await runCommand(settings(server), [...RUN, '--dry-run']);
    expect([dry.code, dry.out, server.hooks]).toEqual([
      0,
      ['would create  acme/tools/shop: merge requests and comments'],
      [],
    ]);
    const first = await runCommand(settings(server), RUN);
    expect(first).toEqual({
      code: 0,
      out: ['created       acme/tools/shop: merge requests and comments (1)'],
      err: [],
    });
    expect(JSON.parse(server.loopback.seen.find(({ method }) => method === 'POST')?.body ?? '')).toEqual({
      url: 'https://gatehouse.example/webhooks/lab',
      merge_requests_events: true,
      note_events: true,
      confidential_note_events: false,
      push_events: false,
      enable_ssl_verification: true,
      signing_token: SIGNING,
    });
    const again = await runCommand(settings(server), RUN);
    expect([again.code, again.out, server.hooks.length]).toEqual([
      0,
      ['exists        acme/tools/shop: merge requests and comments (1)'],
      1,
    ]);
  });

  it('finds a webhook on a later page, and says what is wrong with it', async () => {
    await using server = await startGitLabServer(PROJECT);
    const other = {
      merge_requests_events: true,
      note_events: true,
      confidential_note_events: false,
      push_events: false,
      enable_ssl_verification: true,
      signing_token: SIGNING,
      alert_status: 'executable',
    };
    for (let id = 1; id <= 100; id += 1)
      server.hooks.push({ ...other, id, url: `https://other.example/${id}` });
    const ours: Hook = { ...other, id: 101, url: 'https://gatehouse.example/webhooks/lab' };
    server.hooks.push(ours);
    const advice = async (change: Partial<Hook>): Promise<unknown> => {
      server.hooks[100] = { ...ours, ...change };
      const { code, out } = await runCommand(settings(server), [...RUN, '--json']);
      const { hooks } = z
        .object({ hooks: z.array(z.object({ state: z.string(), advice: z.string().optional() })) })
        .parse(JSON.parse(out.join('\n')));
      return [code, hooks[0]?.state, hooks[0]?.advice];
    };
    expect(await advice({})).toEqual([0, 'exists', undefined]);
    const hand = (text: string): unknown => [1, 'needs_a_hand', expect.stringContaining(text)];
    expect(await advice({ note_events: false })).toEqual(hand('"Merge request events" and "Comments"'));
    expect(await advice({ confidential_note_events: true })).toEqual(hand('Confidential comments'));
    expect(await advice({ enable_ssl_verification: false })).toEqual(hand('SSL verification'));
    expect(await advice({ alert_status: 'disabled' })).toEqual(hand('disabled after failures'));
    expect(await advice({ signing_token: undefined })).toEqual(hand('GITLAB_SIGNING_TOKENS'));
    expect(server.hooks).toHaveLength(101);
  });

  it('does not take a webhook for signed where GitLab ignores signing tokens', async () => {
    await using server = await startGitLabServer(PROJECT, true);
    const unsigned = await runCommand(settings(server), RUN);
    expect(unsigned.code).toBe(1);
    expect(unsigned.out[0]).toMatch(/^needs a hand .*\(1\)\. This GitLab may ignore signing tokens/);
    server.hooks.length = 0;
    const both = settings(server, { GITLAB_WEBHOOK_TOKENS: 'a-secret-token' });
    expect((await runCommand(both, RUN)).code).toBe(0);
    expect(server.hooks[0]).toMatchObject({ token: 'a-secret-token', signing_token: SIGNING });
  });

  it('creates the webhook of a group', async () => {
    await using server = await startGitLabServer('groups/acme%2Ftools');
    const { code, out } = await runCommand(settings(server), [...RUN, '--group', 'acme/tools']);
    expect([code, out]).toEqual([0, ['created       acme/tools: merge requests and comments (1)']]);
  });

  it.each([
    ['a wrong token', { GITLAB_TOKEN: 'wrong' }, 1, /answered 401 .* wrong, revoked or expired.*Maintainer/],
    ['too small a role', { GITLAB_TOKEN: 'glpat-reporter' }, 1, /answered 403 .*Maintainer/],
    ['a signing token of another shape', { GITLAB_SIGNING_TOKENS: 'whsec_short' }, 2, /32 random bytes/],
    ['no webhook secret', { GITLAB_SIGNING_TOKENS: '' }, 2, /Set GITLAB_SIGNING_TOKENS/],
  ])('creates nothing with %s', async (_name, change, expected, message) => {
    await using server = await startGitLabServer(PROJECT);
    const { code, out, err } = await runCommand(settings(server, change), RUN);
    expect([code, out, server.hooks]).toEqual([expected, [], []]);
    expect(err.join('\n')).toMatch(message);
    expect(err.join('\n')).not.toMatch(/whsec_(short|A)|glpat/);
  });
});
