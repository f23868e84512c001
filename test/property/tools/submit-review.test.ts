import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { readMarker } from '../../../shared/tools/markers.ts';
import { createFakeProvider, createWorld, type FakeWorld } from '../../unit/tools/fake-provider.ts';
import { createCountingRandom, setUp } from '../../unit/tools/fixture.ts';
import { createVirtualClock } from '../../unit/tools/virtual-clock.ts';
import { createFragileProcess, TABLE_FAULTS, type TableFault } from './fragile-process.ts';

const COMMENTS = [
  { path: 'src/app.ts', line: 1, body: 'one' },
  { path: 'src/app.ts', line: 2, body: 'two' },
  { path: 'src/app.ts', line: 21, body: 'three' },
  { path: 'logo.png', subject: 'file', body: 'four' },
];

const WRITE_FAULTS = ['ok', 'lost_before', 'lost_after', 'refused', 'limited'] as const;
type WriteFault = (typeof WRITE_FAULTS)[number];

/** What people can see: the text of every comment, and of every review. */
function visible(world: FakeWorld): { comments: string[]; texts: string[] } {
  const bodies = [
    ...world.inline.filter(({ reviewId }) => reviewId !== undefined).map(({ body }) => body),
    ...world.threads.map(({ comments }) => comments[0]?.body ?? ''),
  ];
  const text = (body: string): string => body.split('\n').at(-1) ?? '';
  return {
    comments: bodies.map(text),
    texts: [...world.reviews, ...world.general].map(({ body }) => text(body)),
  };
}

describe('submit_review', () => {
  it('publishes each comment and its text exactly once, whatever is lost, refused, crashes or repeats', async () => {
    let faultsMet = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          capabilities: fc.constantFrom(
            (['reviews', 'threadWriter'] as const).slice(),
            (['threadWriter', 'generalComments'] as const).slice(),
          ),
          writes: fc.array(fc.constantFrom<WriteFault>(...WRITE_FAULTS), { maxLength: 10 }),
          processes: fc.array(
            fc.array(
              fc.oneof(
                { weight: 6, arbitrary: fc.constant<TableFault>('ok') },
                { weight: 1, arbitrary: fc.constantFrom<TableFault>(...TABLE_FAULTS) },
              ),
              { maxLength: 80 },
            ),
            { minLength: 1, maxLength: 4 },
          ),
          atOnce: fc.boolean(),
          hasKey: fc.boolean(),
        }),
        async ({ capabilities, writes, processes, atOnce, hasKey }) => {
          const clock = createVirtualClock();
          const world = createWorld();
          const shared = createInMemoryTable(() => clock.now());
          const faults = [...writes];
          const inner = createFakeProvider(world, capabilities);
          // A lost answer: the write takes effect, or not, and nobody hears of it.
          const lossy =
            <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
            async (...args: Args): Promise<Result> => {
              const fault = faults.shift() ?? 'ok';
              if (fault !== 'ok') faultsMet += 1;
              if (fault === 'lost_before')
                throw new AppError({ kind: 'transient', code: 'provider_unreachable', message: 'x' });
              if (fault === 'refused')
                throw new AppError({ kind: 'rejected', code: 'review_refused', message: 'x' });
              if (fault === 'limited')
                throw new AppError({ kind: 'transient', code: 'provider_rate_limited', message: 'x' });
              const result = await write(...args);
              if (fault === 'lost_after')
                throw new AppError({ kind: 'transient', code: 'provider_failed', message: 'x' });
              return result;
            };
          const { reviews, threadWriter, generalComments } = inner;
          const provider = {
            ...inner,
            ...(reviews === undefined
              ? {}
              : { reviews: { ...reviews, createReview: lossy(reviews.createReview.bind(reviews)) } }),
            ...(threadWriter === undefined
              ? {}
              : { threadWriter: { createThread: lossy(threadWriter.createThread.bind(threadWriter)) } }),
            ...(generalComments === undefined
              ? {}
              : {
                  generalComments: {
                    createGeneralComment: lossy(generalComments.createGeneralComment.bind(generalComments)),
                  },
                }),
          };
          const submit = {
            action: 'comment',
            summary: 'the text',
            ...(hasKey ? { idempotencyKey: 'plan' } : {}),
          };
          const random = createCountingRandom();

          /** One attempt of a run: draft, then submit until it says done. */
          const run = async (own: TableFault[]): Promise<boolean | 'crashed'> => {
            const process = createFragileProcess(shared, clock, [...own]);
            const { context } = setUp({ world, clock, table: process.table, provider, random });
            const work = async (): Promise<boolean> => {
              for (let round = 0; round < 12; round += 1) {
                const added = await invokeTool(context, 'add_draft_comments', { comments: COMMENTS });
                if (!added.ok) continue;
                const result = await invokeTool(context, 'submit_review', submit);
                if (result.ok && (result.output as { done: boolean }).done) return true;
                await clock.sleep(1_000);
              }
              return false;
            };
            return Promise.race([work(), process.gone]);
          };
          if (atOnce) await clock.drive(Promise.all(processes.map(run)));
          else for (const own of processes) await clock.drive(run(own));
          faults.length = 0;
          clock.advance(60_000);
          expect(await clock.drive(run([]))).toBe(true);

          // What the provider refused for good is reported, not posted; nothing is posted twice.
          const { comments, texts } = visible(world);
          expect(new Set(comments).size).toBe(comments.length);
          expect(texts.filter((text) => text === 'the text')).toHaveLength(1);
          const listed = await clock.drive(
            invokeTool(setUp({ world, clock, table: shared, provider }).context, 'list_draft_review', {}),
          );
          if (!listed.ok) throw new Error(listed.message);
          const waiting = (listed.output as { comments: { body: string; state: string }[] }).comments;
          expect(waiting.every(({ state }) => state === 'refused')).toBe(true);
          expect([...comments, ...waiting.map(({ body }) => body)].toSorted()).toEqual([
            'four',
            'one',
            'three',
            'two',
          ]);
          const markers = [
            ...world.reviews,
            ...world.general,
            ...world.inline.filter((item) => item.reviewId),
          ].map(({ body }) => readMarker(body));
          expect(new Set(markers).size).toBe(markers.length);
        },
      ),
      {
        numRuns: 300,
        // Two instances at once: one was rate limited and gave the drafts back while the other wrote.
        examples: [
          [
            {
              capabilities: ['reviews', 'threadWriter'],
              writes: ['limited', 'ok', 'limited'],
              processes: [[], []],
              atOnce: true,
              hasKey: false,
            },
          ],
        ],
      },
    );
    expect(faultsMet).toBeGreaterThan(100);
  }, 60_000);
});
