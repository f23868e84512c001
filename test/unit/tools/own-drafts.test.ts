import { readDrafts, settleDrafts } from '../../../shared/tools/drafts/draft-store.ts';
import { describe, expect, it } from 'vitest';
import { APP_PATCH, FILES, PULL_REQUEST } from './fake-provider.ts';
import { FULL_GRANT, outputOf, setUp } from './fixture.ts';

const DAY = 24 * 3_600_000;
const GOOD = { path: 'src/app.ts', line: 2, body: 'Good' };

interface Listed {
  readonly comments: readonly { readonly id: string; readonly body: string; readonly state: string }[];
  readonly ofOthers: number;
}
async function listed(setup: ReturnType<typeof setUp>, callerId = 'client-a'): Promise<Listed> {
  return outputOf(await setup.call('list_draft_review', {}, { callerId })) as Listed;
}

describe('draft comments', () => {
  async function withOne(options = {}): Promise<ReturnType<typeof setUp>> {
    const setup = setUp(options);
    outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }));
    return setup;
  }
  const OWN = 'e0b107f9-1';

  it('can be changed', async () => {
    const setup = await withOne();
    expect(outputOf(await setup.call('update_draft_comment', { id: OWN, body: 'Better' }))).toEqual({
      id: OWN,
    });
    expect((await listed(setup)).comments).toMatchObject([{ id: OWN, body: 'Better', state: 'draft' }]);
    expect(await setup.call('update_draft_comment', { id: OWN, body: ' ' })).toMatchObject({
      code: 'invalid_comment',
    });
  });

  it('cannot be made to say what another one says already', async () => {
    const setup = await withOne();
    outputOf(await setup.call('add_draft_comments', { comments: [{ ...GOOD, body: 'Other' }] }));
    expect(await setup.call('update_draft_comment', { id: 'e0b107f9-2', body: 'Good' })).toEqual({
      ok: false,
      code: 'duplicate_comment',
      message: 'Another draft says the same in the same place.',
    });
    expect(outputOf(await setup.call('update_draft_comment', { id: OWN, body: 'Good' }))).toEqual({
      id: OWN,
    });
  });

  it('of an earlier head are the same comment as long as their lines are the same', async () => {
    const setup = await withOne();
    const pullRequest = { ...PULL_REQUEST, headSha: 'e'.repeat(40) };
    const again = { comments: [GOOD] };
    expect(outputOf(await setup.call('add_draft_comments', again, { pullRequest }))).toMatchObject({
      items: [{ state: 'already_there', id: OWN }],
    });
    const changedFiles = FILES.map((file) => ({
      ...file,
      patch: APP_PATCH.replace('+import b', '+import c'),
    }));
    expect(
      outputOf(await setup.call('add_draft_comments', again, { pullRequest, changedFiles })),
    ).toMatchObject({
      items: [{ state: 'added', id: 'e0b107f9-2' }],
    });
  });

  it('can be repeated on a new head once they are published', async () => {
    const setup = await withOne();
    outputOf(await setup.call('submit_review', { action: 'comment', summary: 'S' }));
    const pullRequest = { ...PULL_REQUEST, headSha: 'e'.repeat(40) };
    expect(
      outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }, { pullRequest })),
    ).toMatchObject({ added: 1 });
  });

  it('may say what a draft of somebody else says', async () => {
    const setup = await withOne({ callerId: 'client-b' });
    const own = { callerId: 'client-a' };
    const added = outputOf(
      await setup.call('add_draft_comments', { comments: [{ ...GOOD, body: 'Other' }] }, own),
    );
    const { id } = (added as { items: { id: string }[] }).items[0] ?? {};
    expect(outputOf(await setup.call('update_draft_comment', { id, body: 'Good' }, own))).toEqual({ id });
  });

  it('say when the head moved since they were written', async () => {
    const setup = await withOne();
    const pullRequest = { ...PULL_REQUEST, headSha: 'e'.repeat(40) };
    expect(outputOf(await setup.call('list_draft_review', {}, { pullRequest }))).toMatchObject({
      comments: [{ isOutdated: true }],
    });
    expect(outputOf(await setup.call('list_draft_review', {}))).toMatchObject({
      comments: [{ isOutdated: false }],
    });
  });

  it('stay published when another instance learned less about them', async () => {
    const setup = await withOne();
    const [before] = await readDrafts(setup.context);
    outputOf(await setup.call('submit_review', { action: 'comment', summary: 'S' }));
    await settleDrafts(setup.context, [{ ...before!, state: 'refused', note: 'no' }]);
    expect((await readDrafts(setup.context)).map(({ state }) => state)).toEqual(['published']);
  });

  it('can be deleted, one or all', async () => {
    const setup = await withOne();
    outputOf(
      await setup.call('add_draft_comments', {
        comments: [
          { ...GOOD, line: 3 },
          { ...GOOD, line: 4 },
        ],
      }),
    );
    expect(outputOf(await setup.call('delete_draft_comment', { id: OWN }))).toEqual({ id: OWN });
    expect(outputOf(await setup.call('delete_draft_review', {}))).toEqual({
      deleted: ['e0b107f9-2', 'e0b107f9-3'],
      kept: 0,
    });
    expect((await listed(setup)).comments).toEqual([]);
  });

  it.each(['update_draft_comment', 'delete_draft_comment'])(
    'of others are found, named and left alone by %s',
    async (tool) => {
      const setup = await withOne();
      const args = tool === 'update_draft_comment' ? { id: OWN, body: 'Mine now' } : { id: OWN };
      expect(await setup.call(tool, args, { callerId: 'client-b' })).toEqual({
        ok: false,
        code: 'not_own_draft',
        message: 'This draft comment belongs to somebody else and is left alone.',
      });
      expect(outputOf(await setup.call('delete_draft_review', {}, { callerId: 'client-b' }))).toEqual({
        deleted: [],
        kept: 1,
      });
      expect(await listed(setup, 'client-b')).toEqual({ comments: [], ofOthers: 1 });
      expect((await listed(setup)).comments).toMatchObject([{ body: 'Good' }]);
    },
  );

  it.each([
    ['nothing like an id', 'nope'],
    ['an id that does not exist', 'e0b107f9-2'],
    ['the row key', 'we0b107f9'],
    ['a comment id of the provider', '1234567890'],
  ])('are not found by %s', async (_what, id) => {
    const setup = await withOne();
    for (const [tool, args] of [
      ['update_draft_comment', { id, body: 'x' }],
      ['delete_draft_comment', { id }],
    ] as const)
      expect(await setup.call(tool, args)).toEqual({
        ok: false,
        code: 'not_found',
        message: 'No such draft comment on this pull request; call list_draft_review for the ids.',
      });
  });

  it('that are published are no drafts any more', async () => {
    const setup = await withOne();
    outputOf(await setup.call('submit_review', { action: 'comment', summary: 'S' }));
    expect(await setup.call('delete_draft_comment', { id: OWN })).toMatchObject({ code: 'not_found' });
    expect(outputOf(await setup.call('delete_draft_review', {}))).toEqual({ deleted: [], kept: 0 });
  });

  it('expire after 7 days and say so', async () => {
    const setup = await withOne();
    setup.clock.advance(7 * DAY - 1);
    expect((await listed(setup)).comments).toMatchObject([{ state: 'draft' }]);
    setup.clock.advance(1);
    expect((await listed(setup)).comments).toMatchObject([
      { state: 'expired', expiresAt: '2027-01-22T08:00:00.000Z' },
    ]);
    expect(outputOf(await setup.call('add_draft_comments', { comments: [GOOD] }))).toMatchObject({
      added: 1,
    });
  });

  it('of a run in draft mode belong to the pull request: clients with the right to it may change and submit them', async () => {
    const setup = await withOne({ callerId: 'run-7', sharesDrafts: true });
    const client = { callerId: 'client-b', sharesDrafts: false };
    const [draft] = (await listed(setup, 'client-b')).comments;
    expect(draft).toMatchObject({ body: 'Good' });
    outputOf(await setup.call('update_draft_comment', { id: draft?.id, body: 'Checked' }, client));
    const readOnly = { ...client, grant: { ...FULL_GRANT, capabilities: [] } };
    expect(await setup.call('delete_draft_comment', { id: draft?.id }, readOnly)).toMatchObject({
      code: 'not_allowed',
    });
    expect(
      outputOf(await setup.call('submit_review', { action: 'comment', summary: 'S' }, client)),
    ).toMatchObject({ published: 1 });
    expect(setup.world.inline.map(({ body }) => body.split('\n')[1])).toEqual(['Checked']);
  });
});
