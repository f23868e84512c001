import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import type { ToolContext } from '../../../shared/tools/tool.ts';
import { SUBJECTS, type Subject } from '../../sessions/storage-subjects.ts';
import { createWorld, type FakeWorld } from '../../unit/tools/fake-provider.ts';
import {
  createMemoryLog,
  FULL_GRANT,
  MARKER_KEYS,
  outputOf,
  setUp,
  TIMINGS,
} from '../../unit/tools/fixture.ts';

const random = { number: Math.random, hex: (bytes: number) => randomBytes(bytes).toString('hex') };

describe.each(SUBJECTS)('drafts, outbox and budgets on $name', ({ startSubject }) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await startSubject();
  });
  afterAll(() => subject.stop());

  /** One of several instances that work on the same pull request. */
  function instance(world: FakeWorld, partitionKey: string, writesPerRun: number): ToolContext {
    const outbox = createOutbox({
      table: subject.table,
      budgets: subject.table,
      clock: systemClock,
      timings: TIMINGS,
      markerKeys: MARKER_KEYS,
      random,
      log: createMemoryLog(),
    });
    const grant = {
      ...FULL_GRANT,
      id: partitionKey,
      budgets: { writesPerRun, writesPerHour: 50, writesPerHourOverall: 50 },
    };
    const { context } = setUp({ world, table: subject.table, random });
    return { ...context, partitionKey, outbox, grant, clock: systemClock };
  }

  it('add, change, list and publish drafts exactly once from two instances at once', async () => {
    const world = createWorld();
    const partitionKey = random.hex(16);
    const instances = [instance(world, partitionKey, 50), instance(world, partitionKey, 50)];
    const [first] = instances;
    if (first === undefined) throw new Error('no instance');
    const comments = [
      { path: 'src/app.ts', line: 2, body: 'First \u{1F6AA}', suggestion: '' },
      { path: 'src/app.ts', line: 21, body: 'Second' },
      { path: 'logo.png', subject: 'file', body: 'Third' },
    ];
    await Promise.all(instances.map((context) => invokeTool(context, 'add_draft_comments', { comments })));
    const listed = outputOf(await invokeTool(first, 'list_draft_review', {})) as {
      comments: { id: string; body: string }[];
    };
    expect(listed.comments.map(({ body }) => body)).toEqual(['First \u{1F6AA}', 'Second', 'Third']);
    await invokeTool(first, 'update_draft_comment', { id: listed.comments[1]?.id, body: 'Better' });
    const submit = { action: 'comment', summary: 'S', idempotencyKey: 'k' };
    const results = await Promise.all(
      instances.map((context) => invokeTool(context, 'submit_review', submit)),
    );
    expect(results.filter((result) => result.ok)).not.toEqual([]);
    expect(outputOf(await invokeTool(first, 'submit_review', submit))).toMatchObject({
      published: 3,
      done: true,
    });
    expect(world.writes.toSorted()).toEqual(['createReview', 'createThread']);
    expect(world.inline.map(({ body }) => body.split('\n').slice(1).join('\n'))).toEqual([
      'First \u{1F6AA}\n\n```suggestion\n```',
      'Better',
    ]);
    expect(await first.outbox.usage(partitionKey, first)).toMatchObject({ run: 4, hour: 4, hourOverall: 4 });
  });

  it('never spend more than there is from two instances at once', async () => {
    const world = createWorld();
    const partitionKey = random.hex(16);
    const instances = [instance(world, partitionKey, 3), instance(world, partitionKey, 3)];
    const calls = Array.from({ length: 8 }, (_unused, index) => {
      const context = instances[index % 2] ?? instances[0];
      if (context === undefined) throw new Error('no instance');
      return invokeTool(context, 'create_inline_thread', {
        path: 'src/app.ts',
        line: 2,
        body: `Comment ${index}`,
      });
    });
    const codes = (await Promise.all(calls)).map((result) => (result.ok ? 'made' : result.code));
    expect(codes.toSorted()).toEqual([...Array<string>(5).fill('budget_exhausted'), 'made', 'made', 'made']);
    expect(world.threads).toHaveLength(3);
  });
});
