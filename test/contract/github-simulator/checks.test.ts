import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  REPOSITORY,
  createSimulatorWorld,
  installationToken,
} from '../../fixtures/github/simulator-world.ts';

describe('checks and statuses of the simulated GitHub', () => {
  let world: SimulatorWorld;
  let app: string;
  beforeAll(async () => {
    world = await createSimulatorWorld();
    app = `token ${(await installationToken(world)).body.token}`;
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const create = (fields: Record<string, unknown>, authorization = app): Promise<Answer> =>
    world.call('POST', `${REPOSITORY}/check-runs`, {
      authorization,
      body: { name: 'Gatehouse', head_sha: world.head, ...fields },
    });
  const annotations = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      path: 'src/app.ts',
      start_line: index + 1,
      end_line: index + 1,
      annotation_level: 'warning',
      message: 'note',
    }));

  it('lets only Apps write check runs', async () => {
    const answer = await create({}, 'token ghp_reviewer');
    expect([answer.status, answer.body.message]).toEqual([403, 'You must authenticate via a GitHub App.']);
  });

  it('creates a run, appends annotations and completes it by a conclusion', async () => {
    const run = await create({
      external_id: 'key-1',
      output: { title: 'T', summary: 'S', annotations: annotations(50) },
    });
    expect([run.status, run.body.status, run.body.conclusion, run.body.external_id]).toEqual([
      201,
      'queued',
      null,
      'key-1',
    ]);
    const url = `${REPOSITORY}/check-runs/${run.body.id}`;
    const updated = await world.call('PATCH', url, {
      authorization: app,
      body: { conclusion: 'neutral', output: { summary: 'S2', annotations: annotations(7) } },
    });
    expect(updated.body).toMatchObject({
      status: 'completed',
      conclusion: 'neutral',
      output: { title: 'T', summary: 'S2', annotations_count: 57 },
    });
    const listed = await world.call(
      'GET',
      `${REPOSITORY}/commits/${world.head}/check-runs?check_name=Gatehouse`,
      {
        authorization: app,
      },
    );
    expect(listed.body.total_count).toBe(1);
    const paged = await world.call('GET', `${url}/annotations?per_page=50&page=2`, { authorization: app });
    expect(paged.body).toHaveLength(7);
  });

  it.each([
    [{ output: { summary: 'S', annotations: annotations(51) } }],
    [{ output: { title: 'T' } }],
    [{ output: { summary: 'x'.repeat(65_536) } }],
    [{ status: 'completed' }],
    [{ conclusion: 'great' }],
    [{ head_sha: 'f'.repeat(40) }],
    [{ name: undefined }],
    [{ actions: Array.from({ length: 4 }, () => ({ label: 'a', description: 'b', identifier: 'c' })) }],
    [{ actions: [{ label: 'x'.repeat(21), description: 'b', identifier: 'c' }] }],
  ])('refuses a run with %j', async (fields) => {
    expect((await create(fields)).status).toBe(422);
  });

  it('does not complete a run without a conclusion, and leaves it as it was', async () => {
    const run = await create({ name: 'Other' });
    const url = `${REPOSITORY}/check-runs/${run.body.id}`;
    const answer = await world.call('PATCH', url, {
      authorization: app,
      body: { status: 'completed', name: 'New' },
    });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'Invalid request.\n\n"conclusion" wasn\'t supplied.',
    ]);
    expect((await world.call('GET', url, { authorization: app })).body).toMatchObject({
      name: 'Other',
      status: 'queued',
    });
  });

  it('keeps statuses by context, newest first', async () => {
    const url = `${REPOSITORY}/statuses/${world.head}`;
    for (const state of ['pending', 'success']) {
      const answer = await world.call('POST', url, {
        body: { state, context: 'gatehouse', description: state },
      });
      expect(answer.status).toBe(201);
    }
    const { body } = await world.call('GET', `${REPOSITORY}/commits/feature/statuses`);
    expect(body.map((status: { state: string }) => status.state)).toEqual(['success', 'pending']);
  });

  it.each([
    ['an unknown state', { state: 'great' }, undefined],
    ['a description over 140 characters', { state: 'success', description: 'x'.repeat(141) }, undefined],
    ['an abbreviated commit', { state: 'success' }, 'short'],
    ['an unknown commit', { state: 'success' }, 'f'.repeat(40)],
  ])('refuses a status with %s', async (_, body, sha) => {
    const target = sha === 'short' ? world.head.slice(0, 8) : (sha ?? world.head);
    expect((await world.call('POST', `${REPOSITORY}/statuses/${target}`, { body })).status).toBe(422);
  });
});
