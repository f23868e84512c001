import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../infra/local/simulators/offline-reviewer/faults.ts';
import { startOfflineReviewer } from '../../../infra/local/simulators/offline-reviewer/start-offline-reviewer.ts';
import type { OfflineReviewer } from '../../../infra/local/simulators/offline-reviewer/start-offline-reviewer.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { ChangedFile } from '../../../shared/domain/pull-request.ts';
import { createAnthropicClient } from '../../../shared/llm/anthropic-client.ts';
import { createRun, createWorld, placesOf, settledOf, storedRuns } from './run-fixtures.ts';
import type { FileChange } from './run-fixtures.ts';
import { silentLog } from './snapshot-fixtures.ts';

let reviewer: OfflineReviewer;
beforeEach(async () => {
  reviewer = await startOfflineReviewer({ apiKey: 'key' });
});
afterEach(async () => {
  await reviewer.stop();
});

function model() {
  return createAnthropicClient({ apiKey: new Secret('key'), baseUrl: new URL(reviewer.url), log: silentLog });
}

const CLEAN: FileChange = { before: 'export const a = 1;\n', after: 'export const a = 2;\n' };
const DEFECT: FileChange = {
  before: 'export function a() {\n  return 1;\n}\n',
  after: 'export function a() {\n  debugger;\n  return 1;\n}\n',
};

function withoutPatch(file: ChangedFile): ChangedFile {
  const { patch: _, ...rest } = file;
  return rest;
}

async function review(files: Readonly<Record<string, FileChange>>, faults: readonly Fault[] = []) {
  const world = await createWorld(files);
  await using run = await createRun(world, model());
  reviewer.failNext(...faults);
  const { report, state } = settledOf(await run.run());
  return { world, report, state, runs: await storedRuns(run) };
}

describe('a review from the job to the posted review', () => {
  it('posts what it finds, on the right lines, once', async () => {
    const { world, report, state, runs } = await review({
      'src/a.ts': DEFECT,
      'src/b.py': { after: 'import os\nbreakpoint()\nx = eval(source)\n' },
      'src/Zürich/größe.ts': { after: 'const ok = 1;\ndebugger;' },
    });
    expect(report).toEqual({
      outcome: 'posted',
      reason: 'findings',
      headSha: 'a'.repeat(40),
      counts: { verified: 4, posted: 4, heldBack: 0, duplicates: 0, unanchored: 0, refused: 0 },
      notReviewed: [],
      filesReviewed: 3,
    });
    expect(placesOf(world).toSorted()).toEqual([
      'src/Zürich/größe.ts:2',
      'src/a.ts:2',
      'src/b.py:2',
      'src/b.py:3',
    ]);
    const [posted] = world.reviews;
    expect(world.reviews).toHaveLength(1);
    expect(posted?.commit).toBe('a'.repeat(40));
    expect(posted?.body).toMatch(/^<!-- gatehouse:[0-9a-f]{24} -->\n/);
    expect(posted?.body).toContain('**4 findings**');
    expect(posted?.body).toContain('3 files reviewed at aaaaaaaaaa.');
    const comment = posted?.comments.find(({ path }) => path === 'src/a.ts');
    expect(comment).toMatchObject({ side: 'new', line: 2 });
    expect(comment?.body).toContain('**High: A debugger statement is left in the code**');
    expect(state).toEqual({
      lastCompletedHead: 'a'.repeat(40),
      lastCompletedBase: 'b'.repeat(40),
      lastOutcome: 'posted',
      lastRunId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      v: 1,
      outcome: 'posted',
      verified: 4,
      posted: 4,
      modelsAnswered: '["offline-reviewer"]',
      packs: '["correctness@1.0.0","security@1.0.0"]',
      tier: 'standard',
      model: 'model-standard',
      passCount: 1,
      modelCalls: 3,
      build: '0.0.0+test',
      url: 'http://localhost/review/1',
      injectionSuspected: false,
    });
    expect(runs[0]?.['planHash']).toMatch(/^[0-9a-f]{64}$/);
    expect(
      JSON.stringify(runs[0], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('debugger');
  });

  it('ends clean with a short review when nothing is found', async () => {
    const { world, report, state } = await review({ 'src/a.ts': CLEAN });
    expect([report.outcome, report.reason, report.filesReviewed]).toEqual(['clean', 'nothing_to_say', 1]);
    expect(state.lastCompletedHead).toBe('a'.repeat(40));
    expect(world.reviews).toHaveLength(1);
    expect(world.reviews[0]?.comments).toEqual([]);
    expect(world.reviews[0]?.body).toContain('**No findings**');
  });

  it('names what was left out and stays clean when that needed no review', async () => {
    const { world, report } = await review({
      'src/a.ts': CLEAN,
      'package-lock.json': { before: '{}\n', after: '{"a":"debugger;"}\n' },
      'logo.png': { after: Buffer.from([0, 1, 2]) },
      'dist/app.min.js': { after: 'debugger;\n' },
      'old.ts': { before: 'gone();\n' },
    });
    expect(report.outcome).toBe('clean');
    expect(report.notReviewed).toEqual([
      { what: 'package-lock.json', reason: 'lock_file' },
      { what: 'logo.png', reason: 'binary' },
      { what: 'dist/app.min.js', reason: 'minified' },
      { what: 'old.ts', reason: 'deleted' },
    ]);
    expect(world.reviews[0]?.body).toContain(
      'Not reviewed: `package-lock.json` (lock file), `logo.png` (binary), `dist/app.min.js` (minified), `old.ts` (deleted).',
    );
  });

  it('finds a defect in a file that the archive leaves out and in one whose patch is withheld', async () => {
    const { world, report } = await review({
      'src/ignored.ts': { ...DEFECT, inArchive: false },
      'src/big.ts': { ...DEFECT, listed: withoutPatch },
      'src/cut.ts': {
        ...DEFECT,
        listed: (file) => ({ ...file, patch: '@@ -1 +1 @@\n export function a() {' }),
      },
    });
    expect(report).toMatchObject({ outcome: 'posted', filesReviewed: 3, notReviewed: [] });
    // GitHub takes no line comment where it shows no diff, so those findings are said in the text.
    expect(placesOf(world)).toEqual(['src/ignored.ts:2']);
    expect(report.counts).toEqual({
      verified: 3,
      posted: 1,
      heldBack: 0,
      duplicates: 0,
      unanchored: 2,
      refused: 0,
    });
    expect(world.reviews[0]?.body).toContain(
      '**High: A debugger statement is left in the code** in `src/big.ts`',
    );
  });

  it.each(['refusal', 'max_tokens'] as const)(
    'a model that ends with %s is a failed review, said so',
    async (fault) => {
      const { world, report, state } = await review({ 'src/a.ts': DEFECT }, [fault, fault]);
      expect(report).toMatchObject({ outcome: 'failed', filesReviewed: 0, counts: { verified: 0 } });
      expect(report.reason).toBe(fault === 'refusal' ? 'refused_by_model' : 'truncated_answer');
      expect(state.lastCompletedHead).toBeUndefined();
      expect(world.reviews[0]?.body).toContain('**The review failed**');
      expect(world.reviews[0]?.body).not.toContain('No findings');
    },
  );

  it('asks a missing pass once more before it counts as missing', async () => {
    const { report } = await review({ 'src/a.ts': DEFECT }, ['max_tokens']);
    expect([report.outcome, report.counts.posted]).toEqual(['posted', 1]);
  });

  it('with one unit of two unanswered the review is partial and names it', async () => {
    const world = await createWorld({ 'src/a.ts': DEFECT, 'src/b.ts': DEFECT });
    await using run = await createRun(world, model(), {
      unitLimits: { unitCharacters: 450, maxUnits: 10 },
      passConcurrency: 1,
    });
    reviewer.failNext('refusal');
    const { report } = settledOf(await run.run());
    expect(report).toMatchObject({
      outcome: 'partial',
      reason: 'not_all_reviewed',
      filesReviewed: 1,
      notReviewed: [{ what: 'baseline unit-1', reason: 'refused_by_model' }],
      counts: { verified: 1, posted: 1 },
    });
    expect(placesOf(world)).toEqual(['src/b.ts:2']);
    expect(world.reviews[0]?.body).toContain('**Partial review: 1 finding**');
  });

  it('files that do not fit the plan make it partial', async () => {
    const world = await createWorld({ 'src/a.ts': DEFECT, 'src/b.ts': DEFECT });
    await using run = await createRun(world, model(), { unitLimits: { unitCharacters: 450, maxUnits: 1 } });
    const { report } = settledOf(await run.run());
    expect(report).toMatchObject({
      outcome: 'partial',
      filesReviewed: 1,
      notReviewed: [{ what: 'src/b.ts', reason: 'over_budget' }],
    });
  });

  it.each([
    ['draft', { isDraft: true }],
    ['closed', { state: 'closed' }],
    ['merged', { state: 'merged' }],
    ['no_changes', { changedFiles: 0 }],
  ] as const)('skips with the reason %s, reads nothing more and says nothing', async (reason, patch) => {
    const world = await createWorld({ 'src/a.ts': DEFECT });
    world.pullRequest = { ...world.pullRequest, ...patch };
    await using run = await createRun(world, model());
    const { report } = settledOf(await run.run());
    expect([report.outcome, report.reason]).toEqual(['skipped', reason]);
    expect(world.reads).toEqual(['pull request']);
    expect([world.source.calls, world.reviews, reviewer.requests]).toEqual([[], [], []]);
    expect(await storedRuns(run)).toMatchObject([{ outcome: 'skipped', reason, planHash: '' }]);
  });

  it('skips what was completed before, and what is paused', async () => {
    const world = await createWorld({ 'src/a.ts': DEFECT });
    await using run = await createRun(world, model());
    const state = { lastCompletedHead: 'a'.repeat(40), lastCompletedBase: 'b'.repeat(40) };
    expect(settledOf(await run.run('review.incremental', { state })).report.reason).toBe('nothing_new');
    expect(settledOf(await run.run('review.full', { state: { paused: true } })).report.reason).toBe('paused');
    const retargeted = { ...state, lastCompletedBase: 'c'.repeat(40) };
    expect(settledOf(await run.run('review.incremental', { state: retargeted })).report.outcome).toBe(
      'posted',
    );
  });

  it.each([
    ['only binaries', { 'a.png': { after: Buffer.from([0]) } }],
    ['only deletions', { 'a.ts': { before: 'x\n' } }],
    ['only lock files', { 'yarn.lock': { after: 'x\n' } }],
    ['only a rename', { 'b.ts': { before: 'x\n', after: 'x\n', previousPath: 'a.ts' } }],
  ])('skips a change of %s with the files named, without a model call', async (_, files) => {
    const { world, report, state } = await review(files);
    expect([report.outcome, report.reason]).toEqual(['skipped', 'nothing_reviewable']);
    expect(report.notReviewed).toHaveLength(1);
    expect(state.lastCompletedHead).toBe('a'.repeat(40));
    expect([world.reviews, reviewer.requests]).toEqual([[], []]);
  });

  it('a rename with a change is reviewed under its new name', async () => {
    const { world } = await review({ 'new.ts': { ...DEFECT, previousPath: 'old.ts' } });
    expect(placesOf(world)).toEqual(['new.ts:2']);
  });

  it('settles jobs that are no reviews without touching the provider', async () => {
    const world = await createWorld({ 'src/a.ts': DEFECT });
    await using run = await createRun(world, model());
    expect(settledOf(await run.run('comment')).report).toMatchObject({
      outcome: 'skipped',
      reason: 'comments_not_answered',
    });
    expect(world.reads).toEqual([]);
  });
});
