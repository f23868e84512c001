import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { sessionPartition } from '../../../shared/state/keys.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { createScopedProvider } from '../../../shared/tools/scoped-provider.ts';
import type { ToolContext } from '../../../shared/tools/tool.ts';
import { DEFAULT_DISCLAIMER } from '../../../shared/tools/write/review-text.ts';
import type { AzureWorld } from '../../contract/azure-devops/setup.ts';
import { FULL_NAME, createAzureWorld } from '../../contract/azure-devops/setup.ts';
import {
  createCountingRandom,
  createMemoryLog,
  FULL_GRANT,
  MARKER_KEYS,
  outputOf,
} from '../../unit/tools/fixture.ts';

const MARKER_LINE = /^\[\/\/\]: # \(gatehouse:[0-9a-f]{24}\)$/;
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

async function openTools(world: AzureWorld): Promise<(name: string, args: unknown) => Promise<unknown>> {
  const pull = await world.provider.pullRequests.getPullRequest(world.ref);
  const sessions = createInMemoryTable(() => systemClock.now());
  const random = createCountingRandom(1_000);
  const log = createMemoryLog();
  const context: ToolContext = {
    grant: { ...FULL_GRANT, instances: ['azure'], repositories: [FULL_NAME] },
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
  return async (name, args) => outputOf(await invokeTool(context, name, args));
}

/** What people see of a body, whose last line must be our marker. */
function said(body: string): string {
  const lines = body.split('\n');
  expect(lines.at(-1)).toMatch(MARKER_LINE);
  return lines.slice(0, -1).join('\n').trimEnd();
}

describe('submit_review on Azure DevOps', () => {
  it('posts a thread for each comment and the text as a closed one, once', async () => {
    await using world = await createAzureWorld();
    const { simulator, ref } = world;
    const call = await openTools(world);
    await call('add_draft_comments', DRAFTS);
    const done = { published: 4, remaining: 0, done: true };
    expect(await call('submit_review', SUBMIT)).toMatchObject(done);
    expect(await call('submit_review', SUBMIT)).toMatchObject({ published: 4, done: true });
    const comments = await simulator.comments(ref.number);
    expect(comments.map(({ line, startLine, side, body }) => [line, startLine, side, said(body)])).toEqual([
      [10, null, 'RIGHT', 'Spell it.'],
      [11, 10, 'RIGHT', 'Both.\n\n```suggestion\nline 10\n```'],
      [10, null, 'LEFT', 'Was fine.'],
      [null, null, 'RIGHT', 'The file.'],
    ]);
    expect(comments.filter(({ isOrphaned, isBroken }) => isOrphaned || isBroken)).toEqual([]);
    expect(simulator.generalComments(ref.number).map(({ status, body }) => [status, said(body)])).toEqual([
      ['closed', `${DEFAULT_DISCLAIMER}\n\nFour things.`],
    ]);
    expect(simulator.unknownFields()).toEqual([]);
  });

  it.each(['lose-response', 'lose-request', 'truncated-json'] as const)(
    'posts everything once although an answer is %s',
    async (kind) => {
      await using world = await createAzureWorld();
      const { simulator, ref } = world;
      const call = await openTools(world);
      await call('add_draft_comments', DRAFTS);
      const match = { method: 'POST', path: '/threads' };
      const fault = simulator.faults.next({ match, action: { kind }, skip: 1 });
      let answer: unknown;
      for (let calls = 0; calls < 4; calls += 1) answer = await call('submit_review', SUBMIT);
      expect(answer).toMatchObject({ published: 4, done: true });
      expect(fault.hits()).toBe(1);
      expect(await simulator.comments(ref.number)).toHaveLength(4);
      expect(simulator.generalComments(ref.number)).toHaveLength(1);
    },
  );

  it('reads its own threads back as its own, and resolves them', async () => {
    await using world = await createAzureWorld();
    const call = await openTools(world);
    await call('add_draft_comments', DRAFTS);
    await call('submit_review', SUBMIT);
    const [thread] = await world.provider.threads.listThreads(world.ref);
    expect(await call('resolve_thread', { threadId: thread?.id })).toBeDefined();
    expect(await world.provider.threads.listThreads(world.ref)).toMatchObject([
      { isResolved: true },
      { isResolved: false },
      { isResolved: false },
      { isResolved: false },
    ]);
  });
});
