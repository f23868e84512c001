import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { PULL_REQUEST } from './fake-provider.ts';
import { createCountingRandom, outputOf, setUp } from './fixture.ts';
import { createVirtualClock } from './virtual-clock.ts';

const GOOD = { path: 'src/app.ts', line: 2, body: 'Good' };

interface Listed {
  readonly comments: readonly { readonly id: string; readonly body: string; readonly state: string }[];
  readonly ofOthers: number;
}
async function listed(setup: ReturnType<typeof setUp>, callerId = 'client-a'): Promise<Listed> {
  return outputOf(await setup.call('list_draft_review', {}, { callerId })) as Listed;
}

describe('add_draft_comments', () => {
  it('stores the comment with its head, its evidence and the time it expires', async () => {
    const setup = setUp();
    expect(outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }))).toEqual({
      items: [{ index: 0, ok: true, state: 'added', id: 'e0b107f9-1' }],
      added: 1,
      refused: 0,
    });
    const rows = await setup.table.range(setup.context.partitionKey, 'w', 'w~');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.values).toMatchObject({
      v: 1,
      state: 'draft',
      path: 'src/app.ts',
      line: 2,
      startLine: 0,
      headSha: PULL_REQUEST.headSha,
      evidence: 'import b',
    });
    expect(await listed(setup)).toEqual({
      comments: [
        {
          id: 'e0b107f9-1',
          path: 'src/app.ts',
          side: 'new',
          line: 2,
          body: 'Good',
          state: 'draft',
          isOutdated: false,
          expiresAt: '2027-01-22T08:00:00.000Z',
        },
      ],
      ofOthers: 0,
    });
    expect(setup.world.writes).toEqual([]);
  });

  const VALID = 'Valid: new 1-4, 20-22; old 1-3, 19-21.';
  const refusals: [string, object, string, string][] = [
    ['an empty body', { body: '' }, 'invalid_comment', 'The body is empty.'],
    ['a blank body', { body: ' \n\t' }, 'invalid_comment', 'The body is empty.'],
    [
      'a line comment without a line',
      { line: undefined },
      'invalid_anchor',
      'A line comment needs line; use subject file for the whole file.',
    ],
    [
      'a line outside the diff',
      { line: 5 },
      'invalid_anchor',
      `Line 5 (new side) is not part of the diff. ${VALID}`,
    ],
    [
      'a line far outside',
      { line: 9_999 },
      'invalid_anchor',
      `Line 9999 (new side) is not part of the diff. ${VALID}`,
    ],
    [
      'a line of the other side',
      { line: 22, side: 'old' },
      'invalid_anchor',
      `Line 22 (old side) is not part of the diff. ${VALID}`,
    ],
    ['start equal to end', { startLine: 2 }, 'invalid_anchor', `startLine must be less than line. ${VALID}`],
    ['start after end', { startLine: 3 }, 'invalid_anchor', `startLine must be less than line. ${VALID}`],
    [
      'start outside the diff',
      { line: 20, startLine: 19 },
      'invalid_anchor',
      `Line 19 (new side) is not part of the diff. ${VALID}`,
    ],
    [
      'a range across hunks',
      { line: 21, startLine: 3 },
      'invalid_anchor',
      `Lines 3 to 21 (new side) span more than one hunk. ${VALID}`,
    ],
    [
      'a range across sides',
      { line: 3, startLine: 2, startSide: 'old' },
      'invalid_anchor',
      'startSide must equal side.',
    ],
    [
      'a start without a line',
      { line: undefined, startLine: 2 },
      'invalid_anchor',
      'A line comment needs line; use subject file for the whole file.',
    ],
    [
      'a file comment with a line',
      { subject: 'file' },
      'invalid_anchor',
      'A comment on a file has no line; leave line and startLine out.',
    ],
    [
      'a file that is not changed',
      { path: 'src/other.ts' },
      'invalid_anchor',
      'This file is not changed by the pull request; get_pull_request lists the changed files.',
    ],
    [
      'a dotted spelling of a file',
      { path: 'src/../src/app.ts' },
      'invalid_anchor',
      'This file is not changed by the pull request; get_pull_request lists the changed files.',
    ],
    [
      'a line of a file without a diff',
      { path: 'logo.png' },
      'invalid_anchor',
      'No line of this file can be commented (binary or too large); use subject file.',
    ],
    [
      'a suggestion for a removed line',
      { line: 20, side: 'old', suggestion: 'x' },
      'invalid_comment',
      'A suggestion needs a line on side new.',
    ],
    [
      'a suggestion for a file',
      { line: undefined, subject: 'file', suggestion: 'x' },
      'invalid_comment',
      'A suggestion needs a line on side new.',
    ],
  ];
  it.each(refusals)('refuses %s by itself and keeps the rest', async (_what, change, code, message) => {
    const setup = setUp();
    const comments = [GOOD, { ...GOOD, ...change }, { ...GOOD, line: 3 }];
    expect(outputOf(await setup.call('add_draft_comments', { comments }))).toEqual({
      items: [
        { index: 0, ok: true, state: 'added', id: 'e0b107f9-1' },
        { index: 1, ok: false, code, message },
        { index: 2, ok: true, state: 'added', id: 'e0b107f9-2' },
      ],
      added: 2,
      refused: 1,
    });
    expect((await listed(setup)).comments).toHaveLength(2);
  });

  it.each([
    ['no comment', { comments: [] }],
    ['101 comments', { comments: Array.from({ length: 101 }, () => GOOD) }],
    ['line 0', { comments: [{ ...GOOD, line: 0 }] }],
    ['a fraction of a line', { comments: [{ ...GOOD, line: 1.5 }] }],
    ['a side of the provider', { comments: [{ ...GOOD, side: 'RIGHT' }] }],
    ['a body that no row holds', { comments: [{ ...GOOD, body: 'x'.repeat(16_001) }] }],
    ['an unknown field', { comments: [{ ...GOOD, state: 'published' }] }],
  ])('refuses a call with %s as a whole', async (_what, args) => {
    const setup = setUp();
    expect(await setup.call('add_draft_comments', args)).toMatchObject({ ok: false, code: 'invalid_input' });
    expect((await listed(setup)).comments).toEqual([]);
  });

  it('takes lines of both sides, ranges and whole files', async () => {
    const comments = [
      { path: 'src/app.ts', line: 20, side: 'old', body: 'removed line' },
      { path: 'src/app.ts', line: 22, startLine: 20, body: 'range' },
      { path: 'logo.png', subject: 'file', body: 'binary' },
    ];
    expect(outputOf(await setUp().call('add_draft_comments', { comments }))).toMatchObject({
      added: 3,
      refused: 0,
    });
  });

  it('refuses the same comment twice in one call, and adds it once over several', async () => {
    const setup = setUp();
    expect(
      outputOf(await setup.call('add_draft_comments', { comments: [GOOD, GOOD, { ...GOOD, line: 3 }] })),
    ).toMatchObject({
      items: [{ ok: true }, { ok: false, code: 'duplicate_comment' }, { ok: true }],
    });
    expect(outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }))).toEqual({
      items: [{ index: 0, ok: true, state: 'already_there', id: 'e0b107f9-1' }],
      added: 0,
      refused: 0,
    });
    outputOf(await setup.call('submit_review', { action: 'comment', summary: 'S' }));
    expect(outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }))).toMatchObject({
      items: [{ ok: true, state: 'already_published' }],
    });
  });

  it('masks secrets before anything is stored', async () => {
    const secret = new Secret('s3cr3t-of-this-process');
    const setup = setUp({ secrets: [secret] });
    const body = `${secret.reveal()}, ghp_${'a1B2'.repeat(9)} and s3cr\u200b3t-of-this-process`;
    await setup.call('add_draft_comments', {
      comments: [{ ...GOOD, body, suggestion: `k = "${secret.reveal()}"` }],
    });
    const rows = await setup.table.range(setup.context.partitionKey, 'w', 'w~');
    expect(rows[0]?.values.body).toBe('[masked], [masked] and [masked]');
    expect(rows[0]?.values.suggestion).toBe(String.raw`"k = \"[masked]\""`);
  });

  it('adds its comment although another call took its number meanwhile', async () => {
    const clock = createVirtualClock();
    const inner = createInMemoryTable(() => clock.now());
    const other = setUp({ clock, table: inner, random: createCountingRandom(900) });
    let isFirst = true;
    const table: TablePort = {
      ...inner,
      transaction: async (partition, actions) => {
        if (isFirst) {
          isFirst = false;
          outputOf(
            await invokeTool(other.context, 'add_draft_comments', { comments: [{ ...GOOD, line: 3 }, GOOD] }),
          );
        }
        return inner.transaction(partition, actions);
      },
    };
    const setup = setUp({ clock, table });
    const comments = [GOOD, { ...GOOD, line: 4 }];
    expect(outputOf(await setup.call('add_draft_comments', { comments }))).toMatchObject({
      items: [
        { state: 'already_there', id: 'e0b107f9-2' },
        { state: 'added', id: 'e0b107f9-3' },
      ],
    });
    expect((await listed(setup)).comments).toHaveLength(3);
  });

  it('adds a comment once although the answer of the table is lost', async () => {
    const clock = createVirtualClock();
    const inner = createInMemoryTable(() => clock.now());
    const table: TablePort = {
      ...inner,
      transaction: async (partition, actions) => {
        await inner.transaction(partition, actions);
        return { kind: 'unclear', status: 503 };
      },
    };
    const setup = setUp({ clock, table });
    expect(outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }))).toMatchObject({
      added: 1,
    });
    expect((await listed(setup)).comments).toHaveLength(1);
  });
});
