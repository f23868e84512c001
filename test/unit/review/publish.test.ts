import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { Clock } from '../../../shared/domain/clock.ts';
import { publish } from '../../../shared/review/publish.ts';
import type { PublishInput } from '../../../shared/review/publish.ts';
import type {
  DraftComment,
  DraftItem,
  ReviewTools,
  SubmitAnswer,
} from '../../../shared/review/review-tools.ts';
import { aPlaced } from './builders.ts';

const clock: Clock = { now: () => 0, sleep: async () => undefined };
const DONE: SubmitAnswer = { published: 0, remaining: 0, done: true, refused: [], url: 'http://x/1' };

interface Setup {
  readonly answer?: (comment: DraftComment, index: number) => Partial<DraftItem>;
  readonly submits?: readonly (SubmitAnswer | AppError)[];
}

function setUp({ answer = () => ({}), submits = [DONE] }: Setup = {}) {
  const added: DraftComment[] = [];
  const submitted: { summary: string; key: string }[] = [];
  const tools: ReviewTools = {
    async addComments(comments) {
      added.push(...comments);
      return comments.map((comment, index) => ({ index, ok: true, ...answer(comment, index) }));
    },
    async submit(summary, key) {
      const next = submits[Math.min(submitted.length, submits.length - 1)];
      submitted.push({ summary, key });
      if (next === undefined || next instanceof AppError) throw next ?? new Error('no answer');
      return next;
    },
  };
  const run = (input: Partial<PublishInput>) =>
    publish(
      tools,
      clock,
      {
        findings: [],
        policy: { minSeverity: 'low', maxComments: 40 },
        key: 'plan-hash',
        facts: {
          outcome: 'posted',
          reason: 'findings',
          headSha: 'a'.repeat(40),
          filesReviewed: 1,
          duplicates: 0,
          notReviewed: [],
          notes: [],
        },
        ...input,
      },
      new AbortController().signal,
    );
  return { run, added, submitted };
}

function stopped(code: string, retryAfterMs?: number): SubmitAnswer {
  return {
    ...DONE,
    done: false,
    remaining: 1,
    stoppedBy: code,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const SUMMARY_ONLY = aPlaced(
  { title: 'Somewhere else' },
  { anchor: { kind: 'summary', path: 'src/a.ts', side: 'new', corrected: false }, anchored: undefined },
);

describe('publish', () => {
  it('adds drafts worst first, then submits them with the summary under the key of the plan', async () => {
    const { run, added, submitted } = setUp();
    const findings = [
      aPlaced({ severity: 'low', path: 'b.ts' }),
      aPlaced({ severity: 'critical', path: 'z.ts' }),
      aPlaced({ severity: 'low', path: 'a.ts', line: 9 }),
      aPlaced({ severity: 'low', path: 'a.ts', line: 2 }),
    ];
    expect(await run({ findings })).toEqual({
      posted: 4,
      heldBack: 0,
      duplicates: 0,
      unanchored: 0,
      refused: 0,
      refusedBy: undefined,
      url: 'http://x/1',
    });
    expect(added.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'z.ts:10',
      'a.ts:2',
      'a.ts:9',
      'b.ts:10',
    ]);
    expect(submitted).toMatchObject([{ key: 'plan-hash' }]);
    expect(submitted[0]?.summary).toContain('**4 findings**');
  });

  it('holds back what is below the minimum severity and what is over the cap, the least severe', async () => {
    const { run, added, submitted } = setUp();
    const findings = [
      aPlaced({ severity: 'info' }),
      aPlaced({ severity: 'medium', path: 'm.ts' }),
      aPlaced({ severity: 'high', path: 'h.ts' }),
    ];
    const policy = { minSeverity: 'low', maxComments: 1 } as const;
    expect(await run({ findings, policy })).toMatchObject({ posted: 1, heldBack: 2 });
    expect(added.map(({ path }) => path)).toEqual(['h.ts']);
    expect(submitted[0]?.summary).toContain(
      'Held back: 1 below the minimum severity, 1 over the limit of comments.',
    );
  });

  it('posts a summary alone when there is nothing to comment', async () => {
    const { run, added, submitted } = setUp();
    expect(await run({})).toMatchObject({ posted: 0, heldBack: 0 });
    expect([added.length, submitted.length]).toEqual([0, 1]);
  });

  it('says in the summary what has no line or was refused its line', async () => {
    const { run, submitted } = setUp({
      answer: ({ path }) => (path === 'lost.ts' ? { ok: false, code: 'invalid_anchor' } : {}),
    });
    const findings = [aPlaced(), SUMMARY_ONLY, aPlaced({ path: 'lost.ts', title: 'Lost place' })];
    expect(await run({ findings })).toMatchObject({ posted: 1, unanchored: 2, refused: 0 });
    expect(submitted[0]?.summary).toContain('**High: Somewhere else** in `src/a.ts`');
    expect(submitted[0]?.summary).toContain('**High: Lost place** in `lost.ts`');
    expect(submitted[0]?.summary).toContain('**3 findings**');
  });

  it('counts what the tools call a duplicate or refuse, one bad comment never sinks the rest', async () => {
    const codes = [undefined, 'duplicate_comment', 'draft_full'];
    const { run } = setUp({
      answer: (_, index) => (codes[index] === undefined ? {} : { ok: false, code: codes[index] }),
    });
    const findings = [1, 2, 3].map((line) => aPlaced({ line }));
    expect(await run({ findings })).toMatchObject({ posted: 1, duplicates: 1, refused: 1 });
  });

  it('counts comments that the provider refused at submission', async () => {
    const { run } = setUp({ submits: [{ ...DONE, refused: [{ id: '1', code: 'provider_refused' }] }] });
    expect(await run({ findings: [aPlaced(), aPlaced({ line: 2 })] })).toMatchObject({
      posted: 1,
      refused: 1,
    });
  });

  it('a summary that holds no more findings holds the rest back', async () => {
    const { run } = setUp();
    const findings = Array.from({ length: 10 }, (_, index) => ({
      ...SUMMARY_ONLY,
      finding: { ...SUMMARY_ONLY.finding, title: `Finding ${index}`, body: 'x'.repeat(1_500) },
    }));
    expect(await run({ findings })).toMatchObject({ unanchored: 2, heldBack: 8 });
  });

  it('goes on with a submission that was cut off until it is done', async () => {
    const { run, submitted } = setUp({ submits: [stopped('provider_unavailable', 10), stopped('x'), DONE] });
    expect(await run({ findings: [aPlaced()] })).toMatchObject({ posted: 1 });
    expect(submitted.map(({ key }) => key)).toEqual(['plan-hash', 'plan-hash', 'plan-hash']);
    expect(new Set(submitted.map(({ summary }) => summary)).size).toBe(1);
  });

  it('leaves a submission that does not end to a later attempt', async () => {
    const { run, submitted } = setUp({ submits: [stopped('budget_exhausted', 60_000)] });
    await expect(run({ findings: [aPlaced()] })).rejects.toMatchObject({
      kind: 'transient',
      code: 'budget_exhausted',
      retryAfterMs: 60_000,
    });
    expect(submitted).toHaveLength(8);
  });

  it('a head that moved in the middle ends the run as stale', async () => {
    const { run } = setUp({ submits: [stopped('stale_head')] });
    await expect(run({ findings: [aPlaced()] })).rejects.toMatchObject({ kind: 'stale', code: 'stale_head' });
  });

  it('a refusal of the whole counts every finding that would have been posted', async () => {
    const denied = new AppError({ kind: 'denied', code: 'writes_stopped', message: 'stopped' });
    const { run } = setUp({ submits: [denied] });
    const findings = [aPlaced(), SUMMARY_ONLY, aPlaced({ severity: 'info', line: 3 })];
    expect(await run({ findings })).toEqual({
      posted: 0,
      heldBack: 1,
      duplicates: 0,
      unanchored: 0,
      refused: 2,
      refusedBy: 'writes_stopped',
      url: undefined,
    });
  });

  it('other failures go to the job', async () => {
    const transient = new AppError({ kind: 'transient', code: 'provider_unavailable', message: 'later' });
    await expect(setUp({ submits: [transient] }).run({ findings: [aPlaced()] })).rejects.toBe(transient);
  });
});
