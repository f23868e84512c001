import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  PULL,
  REPOSITORY,
  appToken,
  createSimulatorWorld,
  installationToken,
} from '../../fixtures/github/simulator-world.ts';

describe('who may use the simulated GitHub', () => {
  let world: SimulatorWorld;
  let now: number;
  beforeAll(async () => {
    world = await createSimulatorWorld({ clock: { now: () => now } });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const resetClock = (): void => {
    now = Date.now();
  };
  resetClock();

  const asApp = (token: string) => world.call('GET', '/app', { authorization: `Bearer ${token}` });
  const seconds = (): number => Math.floor(Date.now() / 1000);

  it('knows the App by its RS256 token, by id and by client id', async () => {
    const byId = await asApp(appToken());
    expect([byId.status, byId.body.slug, byId.body.id]).toEqual([200, 'gatehouse', 1001]);
    expect((await asApp(appToken({ iss: 'Iv23li1001' }))).status).toBe(200);
  });

  const otherKey = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

  it.each([
    [
      'signed with another key',
      () => appToken({}, { key: otherKey }),
      401,
      'A JSON web token could not be decoded',
    ],
    [
      'of another algorithm',
      () => appToken({}, { algorithm: 'HS256' }),
      401,
      'A JSON web token could not be decoded',
    ],
    ['of another App', () => appToken({ iss: '7' }), 404, 'Integration not found'],
    [
      'issued in the future',
      () => appToken({ iat: seconds() + 120 }),
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    ],
    [
      'that has expired',
      () => appToken({ exp: seconds() - 1 }),
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    ],
    [
      'that lives longer than ten minutes',
      () => appToken({ exp: seconds() + 700 }),
      401,
      "'Expiration time' claim ('exp') is too far in the future",
    ],
  ])('refuses a token %s', async (_, token, status, message) => {
    const answer = await asApp(token());
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  it('issues long installation tokens that work for an hour', async () => {
    const { status, body } = await installationToken(world);
    expect(status).toBe(201);
    expect(body.token).toMatch(/^ghs_1001_eyJ/);
    expect(body.token.length).toBeGreaterThan(100);
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(59 * 60 * 1000);
    const authorization = `token ${body.token}`;
    expect((await world.call('GET', PULL, { authorization })).status).toBe(200);
    now = Date.now() + 60 * 60 * 1000 + 1;
    const later = await world.call('GET', PULL, { authorization });
    resetClock();
    expect([later.status, later.body.message]).toEqual([401, 'Bad credentials']);
  });

  it('narrows a token to repositories and permissions', async () => {
    const narrow = await installationToken(world, {
      repository_ids: [501],
      permissions: { pull_requests: 'read' },
    });
    expect(narrow.body.repositories.map((one: { id: number }) => one.id)).toEqual([501]);
    expect(narrow.body.permissions).toEqual({ metadata: 'read', pull_requests: 'read' });
    const authorization = `Bearer ${narrow.body.token}`;
    expect((await world.call('GET', PULL, { authorization })).status).toBe(200);
    const write = await world.call('POST', `${PULL}/reviews`, { authorization, body: {} });
    expect([write.status, write.body.message]).toEqual([403, 'Resource not accessible by integration']);
    const contents = await world.call('GET', `${REPOSITORY}/contents/end.txt`, { authorization });
    expect(contents.status).toBe(403);
  });

  it.each([
    [{ repository_ids: [99] }],
    [{ repositories: ['elsewhere'] }],
    [{ permissions: { contents: 'write' } }],
    [{ permissions: { administration: 'read' } }],
  ])('refuses to issue a token for %j', async (body) => {
    expect((await installationToken(world, body)).status).toBe(422);
  });

  it('has no installation for a repository without the App', async () => {
    await using other = await createSimulatorWorld({
      repositories: [{ dir: world.repository.directory, fullName: 'acme/shop', appInstalled: false }],
    });
    const answer = await other.call('GET', `${REPOSITORY}/installation`, {
      authorization: `Bearer ${appToken()}`,
    });
    expect(answer.status).toBe(404);
  });

  it('answers 401 without a credential and to a wrong one', async () => {
    const none = await world.call('GET', PULL, { authorization: null });
    expect([none.status, none.body.message]).toEqual([401, 'Requires authentication']);
    const wrong = await world.call('GET', PULL, { authorization: 'token ghp_wrong' });
    expect([wrong.status, wrong.body.message]).toEqual([401, 'Bad credentials']);
  });

  it('answers 404 where a token does not cover the repository', async () => {
    const answer = await world.call('GET', PULL, { authorization: 'token ghp_elsewhere' });
    expect([answer.status, answer.body.message]).toEqual([404, 'Not Found']);
  });

  it('says who a personal token is, and refuses to say it of an installation', async () => {
    const person = await world.call('GET', '/user');
    expect([person.body.login, person.body.type]).toEqual(['reviewer', 'User']);
    expect(person.body.id).toBeLessThan(2 ** 31);
    const { body } = await installationToken(world);
    const app = await world.call('GET', '/user', { authorization: `token ${body.token}` });
    expect([app.status, app.body.message]).toEqual([403, 'Resource not accessible by integration']);
    const bot = await world.call('GET', '/users/gatehouse%5Bbot%5D');
    expect([bot.body.login, bot.body.type]).toEqual(['gatehouse[bot]', 'Bot']);
  });

  it('tells the permission of a collaborator', async () => {
    world.simulator.setPermission('other', 'maintain');
    const permission = async (login: string) =>
      (await world.call('GET', `${REPOSITORY}/collaborators/${login}/permission`)).body.permission;
    expect(await permission('other')).toBe('write');
    expect(await permission('acme')).toBe('admin');
    expect(await permission('author')).toBe('none');
    expect((await world.call('GET', `${REPOSITORY}/collaborators/nobody-at-all/permission`)).status).toBe(
      404,
    );
  });

  it('serves the same below the prefix of an Enterprise Server, with addresses that stay there', async () => {
    const answer = await world.call('GET', PULL, { base: world.simulator.enterpriseApiUrl });
    expect(answer.body.url).toBe(`${world.simulator.enterpriseApiUrl}${PULL}`);
    const meta = await world.call('GET', '/meta', { base: world.simulator.enterpriseApiUrl });
    expect(meta.body.installed_version).toBe('3.19.0');
    expect((await world.call('GET', '/meta')).body).not.toHaveProperty('installed_version');
  });

  it('finds a repository by its id', async () => {
    const answer = await world.call('GET', '/repositories/501');
    expect(answer.body.full_name).toBe('acme/shop');
    expect((await world.call('GET', '/repositories/502')).status).toBe(404);
  });

  it('refuses requests over the primary limit and says when it resets', async () => {
    await using small = await createSimulatorWorld({ limits: { requestsPerHour: 2 } });
    await small.call('GET', PULL);
    const last = await small.call('GET', PULL);
    expect([last.status, last.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    const over = await small.call('GET', PULL);
    expect([over.status, over.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    expect(Number(over.headers.get('x-ratelimit-reset'))).toBeGreaterThan(seconds());
  });
});
