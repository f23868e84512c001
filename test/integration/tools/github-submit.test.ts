import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import type { PostedComment } from '../../../infra/local/simulators/github/queries.ts';
import type { PullRequest } from '../../../shared/domain/pull-request.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { sessionPartition } from '../../../shared/state/keys.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { createScopedProvider } from '../../../shared/tools/scoped-provider.ts';
import type { ToolContext } from '../../../shared/tools/tool.ts';
import { DEFAULT_DISCLAIMER } from '../../../shared/tools/write/review-text.ts';
import { createGitHubWorld, type GitHubWorld } from '../../contract/providers/github-setup.ts';
import {
  createCountingRandom,
  createMemoryLog,
  FULL_GRANT,
  MARKER_KEYS,
  outputOf,
} from '../../unit/tools/fixture.ts';

const MARKER_LINE = /^<!-- gatehouse:[0-9a-f]{24} -->$/;
/** Scaled down; a loaded machine may miss the deadline, which changes the way and not the end. */
const TIMINGS = { externalWriteMs: 500, outboxIntentMs: 1_500, readBackGapMs: 50 };
const DRAFTS = {
  comments: [
    { path: 'src/app.ts', line: 10, body: 'Spell it.' },
    { path: 'src/app.ts', line: 11, startLine: 10, body: 'Both.', suggestion: 'line 10' },
    { path: 'src/app.ts', line: 10, side: 'old', body: 'Was fine.' },
    { path: 'src/app.ts', subject: 'file', body: 'The file.' },
  ],
};
const SUBMIT = { action: 'comment', summary: 'Four things.' };

let world: GitHubWorld;
beforeAll(async () => {
  world = await createGitHubWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

let context: ToolContext;
let pull: PullRequest;
beforeEach(async () => {
  const opened = await world.simulator.createPullRequest({ base: 'main', head: 'feature', title: 'Say ten' });
  pull = await world.provider.pullRequests.getPullRequest({ ...world.ref, number: opened.number });
  const sessions = createInMemoryTable(() => systemClock.now());
  const random = createCountingRandom(opened.number * 1_000);
  const log = createMemoryLog();
  context = {
    grant: { ...FULL_GRANT, instances: ['github'] },
    provider: createScopedProvider(world.provider, pull.ref),
    pullRequest: pull,
    changedFiles: await world.provider.pullRequests.listChangedFiles(pull),
    snapshot: undefined,
    sessions,
    partitionKey: sessionPartition(pull.ref),
    outbox: createOutbox({
      table: sessions,
      clock: systemClock,
      timings: TIMINGS,
      markerKeys: MARKER_KEYS,
      random,
      log,
    }),
    clock: systemClock,
    random,
    log,
    writesStopped: false,
    callerId: 'run-1',
    signal: new AbortController().signal,
  };
});

async function call(name: string, args: unknown): Promise<unknown> {
  return outputOf(await invokeTool(context, name, args));
}

function comments(): Promise<PostedComment[]> {
  return world.simulator.comments(pull.ref.number);
}

function said(body: string): string {
  const [marker, ...text] = body.split('\n');
  expect(marker).toMatch(MARKER_LINE);
  return text.join('\n');
}

describe('submit_review on GitHub', () => {
  it('posts one review, and the comment on the file as a thread of its own', async () => {
    await call('add_draft_comments', DRAFTS);
    expect(await call('submit_review', SUBMIT)).toMatchObject({
      published: 4,
      remaining: 0,
      done: true,
      refused: [],
    });
    const reviews = world.simulator.reviews(pull.ref.number).filter(({ body }) => body !== '');
    expect(reviews.map(({ state, author, body }) => [state, author, said(body)])).toEqual([
      ['COMMENTED', 'gatehouse[bot]', `${DEFAULT_DISCLAIMER}\n\nFour things.`],
    ]);
    expect(
      (await comments()).map(({ line, startLine, side, body }) => [line, startLine, side, said(body)]),
    ).toEqual([
      [10, null, 'RIGHT', 'Spell it.'],
      [11, 10, 'RIGHT', 'Both.\n\n```suggestion\nline 10\n```'],
      [10, null, 'LEFT', 'Was fine.'],
      [null, null, 'RIGHT', 'The file.'],
    ]);
    expect(await call('submit_review', SUBMIT)).toMatchObject({ published: 4, done: true });
    expect(await comments()).toHaveLength(4);
    expect(world.simulator.unknownFields()).toEqual([]);
  });

  it.each(['lose-response', 'lose-request', 'truncated-json', 'html'] as const)(
    'posts it once although the first answer is %s',
    async (kind) => {
      await call('add_draft_comments', DRAFTS);
      const fault = world.simulator.faults.next({
        match: { method: 'POST', path: '/reviews' },
        action: { kind },
      });
      expect(await call('submit_review', SUBMIT)).toMatchObject({ published: 4, done: true });
      expect(fault.hits()).toBe(1);
      expect(await comments()).toHaveLength(4);
      expect(
        world.simulator.reviews(pull.ref.number).filter(({ body }) => body.includes('Four things.')),
      ).toHaveLength(1);
    },
  );

  it('posts comment by comment when GitHub refuses the whole', async () => {
    await call('add_draft_comments', DRAFTS);
    // Our map thinks that line 10 exists; GitHub does not, as when the head moved in between.
    const body = { message: 'Unprocessable Entity', errors: ['Line could not be resolved'] };
    world.simulator.faults.next({
      match: { method: 'POST', path: '/reviews' },
      action: { kind: 'answer', status: 422, body },
    });
    world.simulator.faults.next({
      match: { method: 'POST', path: '/comments', body: 'Was fine.' },
      action: { kind: 'answer', status: 422, body },
    });
    expect(await call('submit_review', SUBMIT)).toMatchObject({
      published: 3,
      remaining: 0,
      done: true,
      refused: [{ path: 'src/app.ts', code: 'provider_refused' }],
    });
    expect((await comments()).map(({ body: text }) => said(text).split('\n')[0])).toEqual([
      'Spell it.',
      'Both.',
      'The file.',
    ]);
    expect(
      world.simulator.reviews(pull.ref.number).filter(({ body: text }) => text.includes('Four things.')),
    ).toHaveLength(1);
  });

  it('says that the head moved when somebody pushes right before the write', async () => {
    await call('add_draft_comments', DRAFTS);
    world.git.git('checkout', '-q', '-B', 'newer', 'feature');
    world.git.write('src/more.ts', 'more\n');
    const newer = world.git.commit('more');
    world.git.git('checkout', '-q', 'feature');
    const { number } = pull.ref;
    world.simulator.faults.next({
      match: { method: 'GET', path: `/pulls/${number}` },
      action: { kind: 'head-moves-now', number, revision: newer },
    });
    expect(await invokeTool(context, 'submit_review', SUBMIT)).toMatchObject({
      ok: false,
      code: 'stale_head',
    });
    expect(await comments()).toEqual([]);
    expect(world.simulator.reviews(number)).toEqual([]);
  });

  it('approves through a pending review that nobody else can see', async () => {
    await call('add_draft_comments', { comments: DRAFTS.comments.slice(0, 1) });
    expect(await call('submit_review', { ...SUBMIT, action: 'approve' })).toMatchObject({
      action: 'approve',
      done: true,
    });
    expect(
      world.simulator
        .reviews(pull.ref.number)
        .filter(({ body }) => body !== '')
        .map(({ state, body }) => [state, said(body)]),
    ).toEqual([['APPROVED', `${DEFAULT_DISCLAIMER}\n\nFour things.`]]);
    expect((await comments()).map(({ isPending }) => isPending)).toEqual([false]);
  });

  it('leaves a pending review of our identity alone, and says who must act', async () => {
    await context.provider.pendingReviews?.createPendingReview(pull.ref, {
      commit: pull.headSha,
      body: 'by hand',
    });
    await call('add_draft_comments', DRAFTS);
    expect(await invokeTool(context, 'submit_review', SUBMIT)).toMatchObject({
      ok: false,
      code: 'foreign_draft',
    });
    expect(world.simulator.reviews(pull.ref.number).map(({ state, body }) => [state, body])).toEqual([
      ['PENDING', 'by hand'],
    ]);
    expect(await comments()).toEqual([]);
  });
});

describe('threads on GitHub', () => {
  it('are opened, listed as own, answered and resolved, each once', async () => {
    const made = (await call('create_inline_thread', { path: 'src/app.ts', line: 10, body: 'Here.' })) as {
      threadId: string;
    };
    const { threadId } = made;
    expect(await call('create_inline_thread', { path: 'src/app.ts', line: 10, body: 'Here.' })).toEqual(made);
    await call('reply_to_thread', { threadId, body: 'And /close it.' });
    await call('reply_to_thread', { threadId, body: 'And /close it.' });
    expect(await call('list_threads', {})).toMatchObject({
      threads: [
        {
          id: threadId,
          isOwn: true,
          isResolved: false,
          comments: [{ body: 'Here.' }, { author: 'gatehouse[bot]' }],
        },
      ],
      total: 1,
    });
    expect(await call('resolve_thread', { threadId })).toEqual({ threadId, wasResolved: false });
    expect(await call('resolve_thread', { threadId })).toEqual({ threadId, wasResolved: true });
    expect((await comments()).map(({ isResolved }) => isResolved)).toEqual([true, true]);
  });

  it('of another pull request cannot be reached by their ids', async () => {
    const { threadId } = (await call('create_inline_thread', {
      path: 'src/app.ts',
      line: 10,
      body: 'Here.',
    })) as { threadId: string };
    const other = await world.simulator.createPullRequest({ base: 'main', head: 'feature', title: 'Other' });
    const ref = { ...pull.ref, number: other.number };
    const pullRequest = await world.provider.pullRequests.getPullRequest(ref);
    const elsewhere: ToolContext = {
      ...context,
      pullRequest,
      provider: createScopedProvider(world.provider, ref),
    };
    const before = world.simulator.writes().length;
    for (const [name, args] of [
      ['resolve_thread', { threadId }],
      ['reply_to_thread', { threadId, body: 'x' }],
    ] as const)
      expect(await invokeTool(elsewhere, name, args)).toMatchObject({ ok: false, code: 'not_found' });
    expect(world.simulator.writes()).toHaveLength(before);
  });
});
