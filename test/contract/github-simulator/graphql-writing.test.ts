import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ADD_REVIEW,
  ADD_THREAD,
  REPLY,
  SUBMIT,
  addReview,
  readThreads,
} from '../../fixtures/github/documents.ts';
import type { SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  OTHER,
  createSharedHistory,
  createSimulatorWorld,
  installationToken,
} from '../../fixtures/github/simulator-world.ts';

const note = { path: 'src/app.ts', body: 'note' };

describe('writing through GraphQL of the simulated GitHub', () => {
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

  it('drafts thread by thread, shows drafts to their author alone, then submits', async () => {
    const reviewId = await addReview(world, { body: 'marker', clientMutationId: 'c1' });
    const line = await world.graphql(ADD_THREAD, {
      input: { pullRequestReviewId: reviewId, ...note, line: 10 },
    });
    expect(line.data.addPullRequestReviewThread.thread).toMatchObject({
      line: 10,
      comments: { nodes: [{ state: 'PENDING' }] },
    });
    const file = await world.graphql(ADD_THREAD, {
      input: { pullRequestReviewId: reviewId, path: 'picture.bin', body: 'x', subjectType: 'FILE' },
    });
    expect(file.data.addPullRequestReviewThread.thread).toMatchObject({ line: null, subjectType: 'FILE' });
    const reviews = `{ repository(owner: "acme", name: "shop") { pullRequest(number: 1) {
      reviews(first: 10, states: [PENDING]) { nodes { id body } } } } }`;
    const own = await world.graphql(reviews);
    expect(own.data.repository.pullRequest.reviews.nodes).toEqual([{ id: reviewId, body: 'marker' }]);
    const foreign = await world.graphql(reviews, {}, OTHER);
    expect(foreign.data.repository.pullRequest.reviews.nodes).toEqual([]);
    expect([
      (await readThreads(world, 'first: 10')).totalCount,
      (await readThreads(world, 'first: 10', 'id', OTHER)).totalCount,
    ]).toEqual([2, 0]);
    const submitted = await world.graphql(SUBMIT, { input: { pullRequestId: pullId, event: 'COMMENT' } });
    expect(submitted.data.submitPullRequestReview.pullRequestReview).toEqual({
      id: reviewId,
      state: 'COMMENTED',
      body: 'marker',
    });
    expect((await readThreads(world, 'first: 10', 'id', OTHER)).totalCount).toBe(2);
  });

  it.each([
    [{ line: 20 }, 'pull_request_review_thread.line must be part of the diff'],
    [{ path: 'nope', line: 1 }, 'pull_request_review_thread.path is invalid'],
    [{ line: 10, startLine: 11 }, 'pull_request_review_thread.start_line must precede the end line.'],
    [
      { line: 30, startLine: 10 },
      'pull_request_review_thread.start_line must be part of the same hunk as the line.',
    ],
    [{ line: 10, body: '' }, "Body can't be blank"],
    // The schema's default for startSide is RIGHT, whatever side is.
    [{ line: 10, side: 'LEFT', startLine: 9 }, undefined],
    [
      { line: 9, side: 'LEFT', startLine: 10 },
      'pull_request_review_thread.start_line must precede the end line.',
    ],
  ])('answers a thread %j with an error beside null', async (fields, message) => {
    const reviewId = await addReview(world);
    const answer = await world.graphql(ADD_THREAD, {
      input: { pullRequestReviewId: reviewId, ...note, ...fields },
    });
    expect(answer.errors?.[0].message).toBe(message);
    expect(answer.errors?.[0].type).toBe(message === undefined ? undefined : 'UNPROCESSABLE');
    expect(await world.simulator.comments(1)).toHaveLength(message === undefined ? 1 : 0);
  });

  it('can answer a thread outside the diff with null and no error, as is also reported', async () => {
    await using silent = await createSimulatorWorld({ unanchoredThreads: 'null' }, history);
    const id = silent.simulator.findPull(1).nodeId;
    const answer = await silent.graphql(ADD_THREAD, { input: { pullRequestId: id, ...note, line: 20 } });
    expect(answer).toEqual({ data: { addPullRequestReviewThread: { thread: null } } });
    expect([silent.simulator.reviews(1), await silent.simulator.comments(1)]).toEqual([[], []]);
  });

  it('fails a whole review for one bad thread, and a second pending one', async () => {
    const bad = await world.graphql(ADD_REVIEW, {
      input: {
        pullRequestId: pullId,
        threads: [
          { ...note, line: 10 },
          { ...note, line: 20 },
        ],
      },
    });
    expect(bad.data.addPullRequestReview).toBeNull();
    expect(world.simulator.reviews(1)).toEqual([]);
    await addReview(world);
    const second = await world.graphql(ADD_REVIEW, { input: { pullRequestId: pullId } });
    expect(second.errors[0]).toMatchObject({
      type: 'UNPROCESSABLE',
      path: ['addPullRequestReview'],
      message: 'User can only have one pending review per pull request',
    });
  });

  it('replies at once without a draft, and into the draft when there is one', async () => {
    const first = await addReview(world, { threads: [{ ...note, line: 10 }], event: 'COMMENT', body: 'x' });
    expect(first).toMatch(/^PRR_/);
    const { nodes } = await readThreads(world, 'first: 1');
    const input = { pullRequestReviewThreadId: nodes[0].id, body: 'reply' };
    const posted = await world.graphql(REPLY, { input });
    expect(posted.data.addPullRequestReviewThreadReply.comment).toMatchObject({
      state: 'SUBMITTED',
      replyTo: { id: nodes[0].comments.nodes[0].id },
    });
    const draft = await addReview(world);
    const drafted = await world.graphql(REPLY, { input: { ...input, pullRequestReviewId: draft } });
    expect(drafted.data.addPullRequestReviewThreadReply.comment.state).toBe('PENDING');
    const foreign = await world.graphql(REPLY, { input: { ...input, pullRequestReviewId: draft } }, OTHER);
    expect(foreign.errors[0].type).toBe('NOT_FOUND');
    const removed = await world.graphql(
      'mutation ($input: DeletePullRequestReviewInput!) { deletePullRequestReview(input: $input) { pullRequestReview { id } } }',
      { input: { pullRequestReviewId: draft } },
    );
    expect(removed.data.deletePullRequestReview.pullRequestReview.id).toBe(draft);
    expect(await world.simulator.comments(1)).toHaveLength(2);
  });

  it('edits, minimises, reacts to and deletes a comment', async () => {
    await addReview(world, { threads: [{ ...note, line: 10 }], event: 'COMMENT', body: 'x' });
    const { nodes } = await readThreads(world, 'first: 1');
    const [{ id }] = nodes[0].comments.nodes;
    const run = async (
      mutation: string,
      type: string,
      input: unknown,
      selection: string,
      authorization?: string,
    ) =>
      world.graphql(
        `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`,
        { input },
        authorization,
      );
    const edited = await run(
      'updatePullRequestReviewComment',
      'UpdatePullRequestReviewCommentInput',
      { pullRequestReviewCommentId: id, body: 'better' },
      'pullRequestReviewComment { body }',
    );
    expect(edited.data.updatePullRequestReviewComment.pullRequestReviewComment.body).toBe('better');
    const foreign = await run(
      'updatePullRequestReviewComment',
      'UpdatePullRequestReviewCommentInput',
      { pullRequestReviewCommentId: id, body: 'x' },
      'clientMutationId',
      OTHER,
    );
    expect(foreign.errors[0].type).toBe('FORBIDDEN');
    const hidden = await run(
      'minimizeComment',
      'MinimizeCommentInput',
      { subjectId: id, classifier: 'OUTDATED' },
      'minimizedComment { isMinimized minimizedReason }',
    );
    expect(hidden.data.minimizeComment.minimizedComment).toEqual({
      isMinimized: true,
      minimizedReason: 'outdated',
    });
    const reacted = await run(
      'addReaction',
      'AddReactionInput',
      { subjectId: id, content: 'EYES' },
      'reaction { content } reactionGroups { content reactors { totalCount } }',
    );
    expect(
      reacted.data.addReaction.reactionGroups.find((group: { content: string }) => group.content === 'EYES')
        .reactors.totalCount,
    ).toBe(1);
    const deleted = await run(
      'deletePullRequestReviewComment',
      'DeletePullRequestReviewCommentInput',
      { id },
      'pullRequestReviewComment { id }',
    );
    expect(deleted.data.deletePullRequestReviewComment.pullRequestReviewComment.id).toBe(id);
    expect((await readThreads(world, 'first: 1')).totalCount).toBe(0);
  });

  it('resolves and reopens threads, and can demand the right to push for it', async () => {
    const resolve = async (
      target: SimulatorWorld,
      mutation: string,
      threadId: string,
      authorization?: string,
    ) =>
      target.graphql(
        `mutation ($input: ${mutation === 'resolveReviewThread' ? 'Resolve' : 'Unresolve'}ReviewThreadInput!) {
          ${mutation}(input: $input) { thread { isResolved isCollapsed resolvedBy { login } } } }`,
        { input: { threadId } },
        authorization,
      );
    const comment = await world.simulator.commentOnLineAs('other', 1, { ...note, line: 10 });
    const id = comment.thread.nodeId;
    const closed = await resolve(world, 'resolveReviewThread', id);
    expect(closed.data.resolveReviewThread.thread).toEqual({
      isResolved: true,
      isCollapsed: true,
      resolvedBy: { login: 'reviewer' },
    });
    const open = await resolve(world, 'unresolveReviewThread', id);
    expect(open.data.unresolveReviewThread.thread).toEqual({
      isResolved: false,
      isCollapsed: false,
      resolvedBy: null,
    });
    await using strict = await createSimulatorWorld({ resolveNeedsContents: true }, history);
    const other = await strict.simulator.commentOnLineAs('other', 1, { ...note, line: 10 });
    const { body } = await installationToken(strict);
    const refused = await resolve(strict, 'resolveReviewThread', other.thread.nodeId, `token ${body.token}`);
    expect(refused.errors[0]).toMatchObject({
      type: 'FORBIDDEN',
      message: 'Resource not accessible by integration',
    });
    expect((await strict.simulator.comments(1))[0]?.isResolved).toBe(false);
  });

  it('refuses writes of a token that may only read', async () => {
    const { body } = await installationToken(world, { permissions: { pull_requests: 'read' } });
    const answer = await world.graphql(
      ADD_REVIEW,
      { input: { pullRequestId: pullId } },
      `token ${body.token}`,
    );
    expect(answer.errors[0]).toMatchObject({
      type: 'FORBIDDEN',
      message: 'Resource not accessible by integration',
    });
  });
});
