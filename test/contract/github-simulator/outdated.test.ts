import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  PULL,
  createSharedHistory,
  createSimulatorWorld,
  numbered,
} from '../../fixtures/github/simulator-world.ts';

const THREADS = `query {
  repository(owner: "acme", name: "shop") { pullRequest(number: 1) { reviewThreads(first: 100) { nodes {
    isOutdated line startLine originalLine originalStartLine comments(first: 1) { nodes { outdated line } }
  } } } }
}`;

describe('threads after the head of the simulated pull request moved', () => {
  let history: SharedHistory;
  let world: SimulatorWorld;
  beforeAll(() => {
    history = createSharedHistory();
  });
  afterAll(() => history.repository.dispose());
  beforeEach(async () => {
    history.repository.git('checkout', '-q', '-f', '-B', 'feature', history.head);
    history.repository.git('clean', '-fdq');
    world = await createSimulatorWorld({}, history);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  async function comment(fields: Record<string, unknown>): Promise<void> {
    const answer = await world.call('POST', `${PULL}/comments`, {
      body: { body: 'note', commit_id: world.head, path: 'src/app.ts', ...fields },
    });
    expect(answer.status).toBe(201);
  }
  /** Pushes a new version of a file to the pull request's branch. */
  async function push(path: string, text: string): Promise<string> {
    world.repository.write(path, text);
    const head = world.repository.commit('More');
    await world.simulator.pushHead(1, head);
    return head;
  }
  const changed = numbered(40).replace('\n10\n', '\nten\nten and a half\n').replace('\n30\n', '\n');

  it('moves a comment with its line', async () => {
    await comment({ line: 11, start_line: 10 });
    const head = await push('src/app.ts', `zero\nhalf\n${changed}`);
    const [one] = (await world.call('GET', `${PULL}/comments`)).body;
    expect([one.line, one.start_line, one.original_line, one.original_start_line]).toEqual([13, 12, 11, 10]);
    expect([one.commit_id, one.original_commit_id]).toEqual([head, world.head]);
    const { data } = await world.graphql(THREADS);
    expect(data.repository.pullRequest.reviewThreads.nodes).toEqual([
      {
        isOutdated: false,
        line: 13,
        startLine: 12,
        originalLine: 11,
        originalStartLine: 10,
        comments: { nodes: [{ outdated: false, line: 13 }] },
      },
    ]);
  });

  it('calls a comment outdated when its line changed', async () => {
    await comment({ line: 11 });
    await push('src/app.ts', changed.replace('ten and a half', 'ten and three quarters'));
    const [one] = (await world.call('GET', `${PULL}/comments`)).body;
    expect([one.line, one.position, one.original_line, one.commit_id]).toEqual([null, null, 11, world.head]);
    const { data } = await world.graphql(THREADS);
    expect(data.repository.pullRequest.reviewThreads.nodes[0]).toMatchObject({
      isOutdated: true,
      line: null,
      originalLine: 11,
      comments: { nodes: [{ outdated: true, line: null }] },
    });
  });

  it('calls a range outdated when its first line changed', async () => {
    await comment({ line: 11, start_line: 10 });
    await push('src/app.ts', changed.replace('ten\n', 'TEN\n'));
    expect((await world.simulator.comments(1))[0]).toMatchObject({ isOutdated: true, currentLine: null });
  });

  it('calls a comment outdated when its line left the diff', async () => {
    await comment({ line: 10, side: 'LEFT' });
    await comment({ line: 8 });
    await push('src/app.ts', numbered(40).replace('\n30\n', '\n'));
    const posted = await world.simulator.comments(1);
    expect(posted.map((one) => one.isOutdated)).toEqual([true, true]);
  });

  it('keeps a comment on the old side while the base stays', async () => {
    await comment({ line: 30, side: 'LEFT' });
    await push('src/app.ts', `zero\n${changed}`);
    expect((await world.simulator.comments(1))[0]).toMatchObject({ isOutdated: false, currentLine: 30 });
  });

  it('brings a comment back when the head goes back', async () => {
    await comment({ line: 11 });
    await push('src/app.ts', numbered(40));
    expect((await world.simulator.comments(1))[0]?.isOutdated).toBe(true);
    await world.simulator.pushHead(1, world.head);
    expect((await world.simulator.comments(1))[0]).toMatchObject({ isOutdated: false, currentLine: 11 });
  });

  it('keeps comments on whole files until the file leaves the diff', async () => {
    await comment({ path: 'gone.txt', subject_type: 'file' });
    await push('other.txt', 'x\n');
    expect((await world.simulator.comments(1))[0]?.isOutdated).toBe(false);
    await push('gone.txt', 'first\nsecond\n');
    expect((await world.simulator.comments(1))[0]?.isOutdated).toBe(true);
  });

  it('still takes comments on an earlier commit, as outdated ones where they no longer fit', async () => {
    await push('src/app.ts', numbered(40).replace('\n30\n', '\n'));
    await comment({ line: 11 });
    expect((await world.simulator.comments(1))[0]).toMatchObject({
      line: 11,
      commit: world.head,
      isOutdated: true,
    });
  });

  it('takes comments on a head that a force push replaced', async () => {
    world.repository.git('checkout', '-q', '-B', 'rewritten', 'main');
    world.repository.write('src/app.ts', numbered(40).replace('\n5\n', '\nfive\n'));
    await world.simulator.pushHead(1, world.repository.commit('Rewritten'));
    await comment({ line: 11 });
    expect((await world.simulator.comments(1))[0]?.isOutdated).toBe(true);
  });
});
