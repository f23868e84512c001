import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADD_REVIEW, ADD_THREAD, SUBMIT, addReview, readThreads } from '../../fixtures/github/documents.ts';
import type { SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  createSharedHistory,
  createSimulatorWorld,
  installationToken,
} from '../../fixtures/github/simulator-world.ts';

const note = { path: 'src/app.ts', body: 'note' };

describe('reading GraphQL of the simulated GitHub', () => {
  let history: SharedHistory;
  let world: SimulatorWorld;
  let pullId: string;
  beforeAll(() => {
    history = createSharedHistory();
  });
  afterAll(() => history.repository.dispose());
  beforeEach(async () => {
    world = await createSimulatorWorld({}, history);
    pullId = world.simulator.findPull(1).nodeId;
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('refuses a field, an argument and an input that the published schema does not have', async () => {
    const field = await world.graphql('{ viewer { login shoeSize } }');
    expect(field.errors[0].message).toBe('Cannot query field "shoeSize" on type "User".');
    expect(field).not.toHaveProperty('data');
    const argument = await world.graphql('{ repository(owner: "acme", name: "shop", colour: "red") { id } }');
    expect(argument.errors[0].message).toBe('Unknown argument "colour" on field "Query.repository".');
    const input = await world.graphql(ADD_THREAD, {
      input: { pullRequestId: pullId, ...note, line: 10, lines: 2 },
    });
    expect(input.errors[0].message).toContain(
      'Field "lines" is not defined by type "AddPullRequestReviewThreadInput"',
    );
    const syntax = await world.graphql('{ viewer { login ');
    expect(syntax.errors[0].message).toBe('Syntax Error: Expected Name, found <EOF>.');
  });

  it('says so when a valid field is not simulated, instead of answering null', async () => {
    const answer = await world.graphql('{ viewer { bio } }');
    expect(answer.errors[0].message).toBe('the simulator does not serve User.bio');
  });

  it('needs a credential, and an installation rather than the App itself', async () => {
    const none = await world.call('POST', '/graphql', {
      body: { query: '{ viewer { login } }' },
      authorization: null,
    });
    expect([none.status, none.body.message]).toEqual([
      401,
      'This endpoint requires you to be authenticated.',
    ]);
    const { body } = await installationToken(world);
    const bot = await world.graphql('{ viewer { login } }', {}, `bearer ${body.token}`);
    expect(bot.data.viewer.login).toBe('gatehouse[bot]');
  });

  it('answers at the address of an Enterprise Server too', async () => {
    const answer = await world.call('POST', '/api/graphql', {
      body: { query: '{ rateLimit { cost remaining resetAt } }' },
    });
    expect([answer.status, answer.body.data.rateLimit.cost]).toEqual([200, 1]);
  });

  it('reports missing things as NOT_FOUND next to null data, with status 200', async () => {
    for (const [query, path] of [
      ['{ repository(owner: "acme", name: "nope") { id } }', ['repository']],
      [
        '{ repository(owner: "acme", name: "shop") { pullRequest(number: 7) { id } } }',
        ['repository', 'pullRequest'],
      ],
      ['{ node(id: "PRRT_nope") { id } }', ['node']],
    ] as const) {
      const answer = await world.call('POST', '/graphql', { body: { query } });
      expect([answer.status, answer.body.errors[0].type, answer.body.errors[0].path]).toEqual([
        200,
        'NOT_FOUND',
        path,
      ]);
    }
    const hidden = await world.graphql(
      '{ repository(owner: "acme", name: "shop") { id } }',
      {},
      'token ghp_elsewhere',
    );
    expect(hidden.errors[0].type).toBe('NOT_FOUND');
  });

  it('gives every field of a thread that the product reads', async () => {
    const reviewId = await addReview(world, { threads: [{ ...note, line: 12, startLine: 10 }] });
    await world.graphql(SUBMIT, { input: { pullRequestReviewId: reviewId, event: 'COMMENT', body: 'done' } });
    const { nodes } = await readThreads(world, 'first: 10');
    const [thread] = nodes;
    const [comment] = thread.comments.nodes;
    expect({ ...thread, id: '', comments: [] }).toEqual({
      id: '',
      isResolved: false,
      isOutdated: false,
      isCollapsed: false,
      resolvedBy: null,
      path: 'src/app.ts',
      line: 12,
      startLine: 10,
      originalLine: 12,
      originalStartLine: 10,
      diffSide: 'RIGHT',
      startDiffSide: 'RIGHT',
      subjectType: 'LINE',
      viewerCanReply: true,
      viewerCanResolve: true,
      comments: [],
    });
    expect(comment).toMatchObject({
      body: 'note',
      author: { __typename: 'User', login: 'reviewer' },
      viewerDidAuthor: true,
      isMinimized: false,
      state: 'SUBMITTED',
      replyTo: null,
      outdated: false,
    });
    expect(BigInt(comment.fullDatabaseId)).toBeGreaterThan(2n ** 32n);
    expect(comment.reactionGroups).toHaveLength(8);
  });

  it('cannot put an id above 2^31 into the deprecated databaseId', async () => {
    await addReview(world, { threads: [{ ...note, line: 10 }] });
    const answer = await readThreads(world, 'first: 1', 'comments(first: 1) { nodes { databaseId } }');
    expect(JSON.stringify(answer)).toContain('"databaseId":null');
  });

  it('pages threads and comments by cursor, at most 100 a page', async () => {
    const all = Array.from({ length: 7 }, (_, index) => ({ ...note, body: `${index}`, line: 10 }));
    await addReview(world, { threads: all, event: 'COMMENT', body: 'x' });
    const seen: string[] = [];
    let after = '';
    let pages = 0;
    for (let more = true; more; pages += 1) {
      const page = await readThreads(world, `first: 3${after}`, 'comments(first: 1) { nodes { body } }');
      seen.push(
        ...page.nodes.map(
          (node: { comments: { nodes: { body: string }[] } }) => node.comments.nodes[0]?.body,
        ),
      );
      more = page.pageInfo.hasNextPage;
      after = `, after: "${page.pageInfo.endCursor}"`;
      expect(page.totalCount).toBe(7);
    }
    expect([pages, seen]).toEqual([3, ['0', '1', '2', '3', '4', '5', '6']]);
    const last = await readThreads(world, 'last: 2', 'comments(first: 1) { nodes { body } }');
    expect(
      last.nodes.map((node: { comments: { nodes: { body: string }[] } }) => node.comments.nodes[0]?.body),
    ).toEqual(['5', '6']);
    expect((await readThreads(world, 'first: 101', 'id')).errors[0]).toMatchObject({
      type: 'EXCESSIVE_PAGINATION',
      message:
        'Requesting 101 records on the `reviewThreads` connection exceeds the `first` limit of 100 records.',
    });
    expect((await readThreads(world, 'after: null', 'id')).errors[0]).toMatchObject({
      type: 'MISSING_PAGINATION_BOUNDARIES',
    });
  });

  it('writes the login of a bot without its suffix, unlike REST, and a deleted account as null', async () => {
    const { body } = await installationToken(world);
    await world.graphql(
      ADD_REVIEW,
      { input: { pullRequestId: pullId, event: 'COMMENT', body: 'x', threads: [{ ...note, line: 10 }] } },
      `token ${body.token}`,
    );
    await world.simulator.commentOnLineAs('other', 1, { ...note, line: 11 });
    world.simulator.deleteAccount('other');
    const { nodes } = await readThreads(world, 'first: 2');
    expect(
      nodes.map((node: { comments: { nodes: { author: unknown }[] } }) => node.comments.nodes[0]?.author),
    ).toEqual([{ __typename: 'Bot', login: 'gatehouse' }, null]);
    expect((await world.simulator.comments(1))[0]?.author).toBe('gatehouse[bot]');
  });
});
