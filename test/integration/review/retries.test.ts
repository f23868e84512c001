import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { ModelRequest } from '../../../shared/llm/ports.ts';
import {
  createScriptedClient,
  scriptedAnswer,
  scriptedToolCalls,
} from '../../../shared/llm/scripted-client.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import { FAILURE_IDS } from '../../../shared/sessions/ports.ts';
import { aFinding } from '../../unit/review/builders.ts';
import { createRun, createWorld, placesOf, settledOf, storedRuns } from './run-fixtures.ts';
import type { FileChange } from './run-fixtures.ts';

const CHANGE: FileChange = { before: 'one();\ntwo();\n', after: 'one();\nbad();\ntwo();\n' };
const FILES = { 'src/a.ts': CHANGE, 'src/b.ts': CHANGE };
const TWO_UNITS = { unitLimits: { unitCharacters: 400, maxUnits: 10 }, passConcurrency: 1 };
const OVERLOADED = new AppError({
  kind: 'transient',
  code: 'model_overloaded',
  message: 'busy',
  retryAfterMs: 5_000,
});

function findingOn(path: string, patch: Parameters<typeof aFinding>[0] = {}) {
  return aFinding({ path, line: 2, evidence: 'bad();', title: `Bad call in ${path}`, ...patch });
}

function answer(...findings: ReturnType<typeof aFinding>[]) {
  return scriptedAnswer(JSON.stringify({ findings, injection_suspected: false }));
}

/** The path of the one file that a request's diff shows. */
function shownIn(request: ModelRequest): string {
  return /=== (\S+) \(/.exec(JSON.stringify(request.messages[0]))?.[1] ?? '';
}

describe('a job that runs again', () => {
  it('asks the model only for passes that were not answered before', async () => {
    const world = await createWorld(FILES);
    const asked: string[] = [];
    let isDown = true;
    const client = createScriptedClient([
      (request) => {
        const path = shownIn(request);
        asked.push(path);
        return path === 'src/b.ts' && isDown ? OVERLOADED : answer(findingOn(path));
      },
    ]);
    await using run = await createRun(world, client, TWO_UNITS);
    await expect(run.run()).rejects.toBe(OVERLOADED);
    expect(world.reviews).toEqual([]);

    isDown = false;
    const { report } = settledOf(await run.run());
    expect(asked).toEqual(['src/a.ts', 'src/b.ts', 'src/b.ts']);
    expect([report.outcome, report.counts.posted]).toEqual(['posted', 2]);
    expect(placesOf(world)).toEqual(['src/a.ts:2', 'src/b.ts:2']);
  });

  it('after a lost answer of the provider posts nothing twice', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    const client = createScriptedClient([() => answer(findingOn('src/a.ts'))]);
    await using run = await createRun(world, client);
    let isLost = true;
    const push = world.reviews.push.bind(world.reviews);
    world.reviews.push = (...reviews) => {
      const length = push(...reviews);
      if (isLost) {
        isLost = false;
        throw new AppError({ kind: 'transient', code: 'provider_unreachable', message: 'cut' });
      }
      return length;
    };
    const { report } = settledOf(await run.run());
    expect(report.counts).toMatchObject({ verified: 1, posted: 1 });
    expect(placesOf(world)).toEqual(['src/a.ts:2']);
    expect(settledOf(await run.run()).report.counts).toMatchObject({ verified: 1, posted: 1 });
    expect(world.reviews).toHaveLength(1);
    expect(client.requests).toHaveLength(1);
  });

  it('sends the same prefix in both units of a run and in two runs of one pull request', async () => {
    const bytes: string[][] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const client = createScriptedClient([() => answer()]);
      await using run = await createRun(await createWorld(FILES), client, TWO_UNITS);
      settledOf(await run.run());
      bytes.push(client.requests.map((request) => JSON.stringify(request)));
      const shared = client.requests.map(({ system, tools }) => JSON.stringify([tools, system]));
      expect(new Set(shared).size).toBe(1);
    }
    expect(bytes[0]).toHaveLength(2);
    expect(bytes[1]).toEqual(bytes[0]);
  });
});

describe('the record of a run', () => {
  it('is written although the first answers of the table are lost', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    await using run = await createRun(world, createScriptedClient([() => answer(findingOn('src/a.ts'))]));
    const lose = losingWrites(run.deps.runs, 2);
    settledOf(await run.run());
    expect(lose.left()).toBe(0);
    expect(await storedRuns(run)).toMatchObject([{ outcome: 'posted' }]);
  });

  it('keeps the job when it cannot be written, and the retry posts nothing twice', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    await using run = await createRun(world, createScriptedClient([() => answer(findingOn('src/a.ts'))]));
    losingWrites(run.deps.runs, 3);
    await expect(run.run()).rejects.toMatchObject({ kind: 'transient', code: 'run_record_unwritten' });
    expect(settledOf(await run.run()).report.counts.posted).toBe(1);
    expect(world.reviews).toHaveLength(1);
  });

  it('of a finished run is not replaced by one that says superseded', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    await using run = await createRun(world, createScriptedClient([() => answer(findingOn('src/a.ts'))]));
    settledOf(await run.run());
    const superseded = new AppError({ kind: 'stale', code: 'superseded', message: 'newer push' });
    await expect(run.run('review.full', { signal: AbortSignal.abort(superseded) })).rejects.toBe(superseded);
    expect(await storedRuns(run)).toMatchObject([{ outcome: 'posted' }]);
  });
});

/** Makes the next `count` writes of a table end without an answer and without effect. */
function losingWrites(table: TablePort, count: number): { left(): number } {
  let left = count;
  const write = table.transaction.bind(table);
  table.transaction = async (partitionKey, actions) => {
    if (left === 0) return write(partitionKey, actions);
    left -= 1;
    return { kind: 'unclear', status: 500 };
  };
  return { left: () => left };
}

describe('a run that may not go on', () => {
  it('posts nothing when the head moved while the model was working', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    const client = createScriptedClient([
      () => {
        world.pullRequest = { ...world.pullRequest, headSha: 'c'.repeat(40) };
        return answer(findingOn('src/a.ts'));
      },
    ]);
    await using run = await createRun(world, client);
    await expect(run.run()).rejects.toMatchObject({ kind: 'stale', code: 'stale_head' });
    expect(world.reviews).toEqual([]);
    expect(await storedRuns(run)).toMatchObject([
      { outcome: 'superseded', reason: 'stale_head', verified: 0 },
    ]);
  });

  it('posts nothing when the lease is lost right before the write', async () => {
    const lost = new AppError({ kind: 'stale', code: 'lost', message: 'another worker took over' });
    const world = await createWorld({ 'src/a.ts': CHANGE });
    await using run = await createRun(world, createScriptedClient([() => answer(findingOn('src/a.ts'))]));
    const confirmBeforeWrite = () => Promise.reject(lost);
    await expect(run.run('review.full', { confirmBeforeWrite })).rejects.toMatchObject({
      kind: 'stale',
      code: 'lost',
    });
    expect(world.reviews).toEqual([]);
    expect(await storedRuns(run)).toEqual([]);
  });

  it('ends with the reason of an abort in the middle of a pass', async () => {
    const superseded = new AppError({ kind: 'stale', code: 'superseded', message: 'newer push' });
    const controller = new AbortController();
    const world = await createWorld({ 'src/a.ts': CHANGE });
    const client = createScriptedClient([
      () => {
        controller.abort(superseded);
        return scriptedToolCalls([{ name: 'list_files', input: {} }]);
      },
    ]);
    await using run = await createRun(world, client);
    await expect(run.run('review.full', { signal: controller.signal })).rejects.toBe(superseded);
    expect(client.requests).toHaveLength(1);
  });

  it('a stop of all writes refuses every finding and never looks like none', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    const client = createScriptedClient([() => answer(findingOn('src/a.ts'))]);
    await using run = await createRun(world, client, { writesStopped: true });
    const { report, state } = settledOf(await run.run());
    expect(report).toMatchObject({
      outcome: 'failed',
      reason: 'writes_stopped',
      counts: { verified: 1, posted: 0, refused: 1 },
    });
    expect(state.lastCompletedHead).toBeUndefined();
    expect(world.reviews).toEqual([]);
  });

  it('a missing permission is permanent', async () => {
    const world = await createWorld({ 'src/a.ts': CHANGE });
    world.beforeReview = () => {
      throw new AppError({ kind: 'permanent', code: 'provider_permission', message: 'no' });
    };
    await using run = await createRun(world, createScriptedClient([() => answer(findingOn('src/a.ts'))]));
    await expect(run.run()).rejects.toMatchObject({ kind: 'permanent', code: 'provider_permission' });
  });
});

describe('the report of a failed job', () => {
  it('says on the pull request that the review failed, once', async () => {
    const world = await createWorld(FILES);
    await using run = await createRun(world, createScriptedClient([]));
    const ids = { [FAILURE_IDS.kind]: 'review.full', [FAILURE_IDS.code]: 'attempts_exhausted' };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { report, state } = settledOf(await run.run('run.failed', { ids }));
      expect([report.outcome, report.reason]).toEqual(['failed', 'attempts_exhausted']);
      expect(state).toMatchObject({ lastOutcome: 'failed' });
      expect(state.lastCompletedHead).toBeUndefined();
    }
    expect(world.reviews).toHaveLength(1);
    expect(world.reviews[0]?.body).toContain('**The review failed**');
    expect(world.reviews[0]?.body).toContain('could not review this change (attempts exhausted)');
    expect(await storedRuns(run)).toMatchObject([
      { outcome: 'failed', reason: 'attempts_exhausted', url: 'http://localhost/review/1' },
    ]);
  });

  it('says nothing on a closed pull request or about a comment', async () => {
    const world = await createWorld(FILES);
    await using run = await createRun(world, createScriptedClient([]));
    settledOf(await run.run('run.failed', { ids: { [FAILURE_IDS.kind]: 'comment' } }));
    world.pullRequest = { ...world.pullRequest, state: 'closed' };
    settledOf(await run.run('run.failed', { ids: { [FAILURE_IDS.kind]: 'review.full' } }));
    expect(world.reviews).toEqual([]);
  });
});
