import { describe, expect, it } from 'vitest';
import type { WorldOptions } from './setup.ts';
import { createAzureWorld, lines } from './setup.ts';

const MARKER = '0123456789abcdef01234567';
const marked = (text: string): string => `<!-- gatehouse:${MARKER} -->\n${text}`;
const comment = { path: 'src/app.ts', side: 'new', line: 10, body: marked('Why ten?') } as const;

/** Files of every kind that a comment can stand on. */
const everyKind: WorldOptions = {
  before: (git) => {
    git.write('gone.ts', lines(5, 'gone'));
    git.write('old-name.ts', lines(20, 'keep'));
    git.write('cut.ts', lines(20, 'cut'));
  },
  after: (git) => {
    git.remove('gone.ts');
    git.remove('old-name.ts');
    git.write('new-name.ts', lines(20, 'keep').replace('keep 5\n', 'kept 5\n'));
    git.write('cut.ts', lines(20, 'cut').replace('cut 7\n', ''));
    git.write('fresh.ts', 'one\r\ntwo\r\nthree');
  },
};

describe('a new thread', () => {
  it.each([
    ['an added line', { path: 'src/app.ts', side: 'new', line: 11 }, ['/src/app.ts', 11, 1, 11, 20]],
    ['a line of context', { path: 'src/app.ts', side: 'new', line: 9 }, ['/src/app.ts', 9, 1, 9, 7]],
    ['a removed line', { path: 'cut.ts', side: 'old', line: 7 }, ['/cut.ts', 7, 1, 7, 6]],
    ['a range', { path: 'cut.ts', side: 'new', line: 8, startLine: 4 }, ['/cut.ts', 4, 1, 8, 6]],
    ['a renamed file', { path: 'new-name.ts', side: 'new', line: 5 }, ['/new-name.ts', 5, 1, 5, 7]],
    [
      'the former text of a renamed file',
      { path: 'new-name.ts', side: 'old', line: 5 },
      ['/new-name.ts', 5, 1, 5, 7],
    ],
    ['a deleted file', { path: 'gone.ts', side: 'old', line: 5, startLine: 1 }, ['/gone.ts', 1, 1, 5, 7]],
    [
      'a new file with other line ends',
      { path: 'fresh.ts', side: 'new', line: 2 },
      ['/fresh.ts', 2, 1, 2, 4],
    ],
    ['a last line without an end', { path: 'fresh.ts', side: 'new', line: 3 }, ['/fresh.ts', 3, 1, 3, 6]],
  ] as const)('on %s stands exactly there', async (_what, place, expected) => {
    await using world = await createAzureWorld(everyKind);
    const { provider, ref, head, simulator } = world;
    const posted = await provider.threadWriter?.createThread(ref, {
      kind: 'line',
      commit: head,
      comment: { ...place, body: marked('Text.') },
    });
    const body: unknown = simulator.sentBodies().at(-1)?.body;
    const [filePath, startLine, startOffset, endLine, endOffset] = expected;
    const [start, end] =
      place.side === 'new' ? ['rightFileStart', 'rightFileEnd'] : ['leftFileStart', 'leftFileEnd'];
    expect(body).toEqual({
      comments: [
        { parentCommentId: 0, content: `Text.\n\n[//]: # (gatehouse:${MARKER})`, commentType: 'text' },
      ],
      status: 'active',
      threadContext: {
        filePath,
        [start]: { line: startLine, offset: startOffset },
        [end]: { line: endLine, offset: endOffset },
      },
      pullRequestThreadContext: {
        changeTrackingId: expect.any(Number),
        iterationContext: { firstComparingIteration: 1, secondComparingIteration: 1 },
      },
      properties: { 'Gatehouse.Key': { $type: 'System.String', $value: MARKER } },
    });
    const [seen] = await simulator.comments(ref.number);
    expect(seen).toMatchObject({ path: place.path, line: place.line, isOrphaned: false, isBroken: false });
    const [thread] = await provider.threads.listThreads(ref);
    expect(thread).toMatchObject({ id: posted?.threadId, ...place, isResolved: false, isOutdated: false });
    expect(simulator.unknownFields()).toEqual([]);
  });

  it('on a whole file has no lines', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator } = world;
    await provider.threadWriter?.createThread(ref, {
      kind: 'file',
      commit: head,
      path: 'src/app.ts',
      body: 'All of it.',
    });
    expect(await simulator.comments(ref.number)).toMatchObject([
      { path: 'src/app.ts', line: null, body: 'All of it.', isOrphaned: false, isBroken: false },
    ]);
    const [thread] = await provider.threads.listThreads(ref);
    expect(thread).toMatchObject({ path: 'src/app.ts', isOutdated: false });
    expect(thread).not.toHaveProperty('line');
  });

  it.each([
    ['a file that is not changed', { path: 'other.ts', side: 'new', line: 1 }],
    ['a line that the file does not have', { path: 'src/app.ts', side: 'new', line: 22 }],
    ['a range that ends before it starts', { path: 'src/app.ts', side: 'new', line: 3, startLine: 4 }],
    ['the old side of a new file', { path: 'fresh.ts', side: 'old', line: 1 }],
    ['the new side of a deleted file', { path: 'gone.ts', side: 'new', line: 1 }],
    ['the former path of a renamed file', { path: 'old-name.ts', side: 'old', line: 1 }],
  ] as const)('on %s is refused here, since Azure DevOps would take it', async (_what, place) => {
    await using world = await createAzureWorld(everyKind);
    const { provider, ref, head, simulator } = world;
    await expect(
      provider.threadWriter?.createThread(ref, {
        kind: 'line',
        commit: head,
        comment: { ...place, body: 'x' },
      }),
    ).rejects.toMatchObject({ kind: 'rejected', code: 'anchor_refused' });
    expect(await simulator.comments(ref.number)).toEqual([]);
  });

  it('for a head that no iteration has is stale', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, base } = world;
    await expect(
      provider.threadWriter?.createThread(ref, { kind: 'line', commit: base, comment }),
    ).rejects.toMatchObject({ kind: 'stale', code: 'head_moved' });
  });

  it('for the head before follows its line into the latest iteration, until the line is gone', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator, git } = world;
    git.write('src/app.ts', `first\n${lines(20).replace('line 10\n', 'line ten\nline ten and a half\n')}`);
    git.commit('one line above');
    await simulator.pushHead(ref.number);
    await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment });
    expect(await provider.threads.listThreads(ref)).toMatchObject([{ line: 11, isOutdated: false }]);
    git.write('src/app.ts', `first\n${lines(20)}`);
    git.commit('ten again');
    await simulator.pushHead(ref.number);
    const [thread] = await provider.threads.listThreads(ref);
    expect(thread).toMatchObject({ path: 'src/app.ts', isOutdated: true });
    expect(thread).not.toHaveProperty('line');
  });
});

describe('what stands in a thread', () => {
  it('is answered, edited, liked, resolved, reopened and deleted', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator } = world;
    const thread = await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment });
    const threadId = thread?.threadId ?? '';
    simulator.comment(ref.number, {
      author: 'ada@example.com',
      body: 'Because.',
      threadId: Number(threadId),
    });
    const reply = await provider.replies?.reply(ref, threadId, marked('I see.'));
    expect(reply?.commentId).toBe(`${threadId}-3`);
    const own = { kind: 'review', id: reply?.commentId ?? '' } as const;
    await provider.commentEditor?.editComment(ref, own, marked('I see now.'));
    await provider.reactions?.addReaction(ref, { kind: 'review', id: '2', threadId }, 'thumbs_up');
    await provider.reactions?.addReaction(ref, { kind: 'review', id: '2', threadId }, 'thumbs_up');
    await provider.threadResolver?.setResolved(ref, threadId, true);
    await provider.threadResolver?.setResolved(ref, threadId, true);
    const [found] = await provider.threads.listThreads(ref);
    expect(found).toMatchObject({
      isResolved: true,
      url: `${simulator.webUrl}/Fabrikam%20Fiber/_git/Shop/pullrequest/${ref.number}?discussionId=${threadId}`,
      comments: [
        { id: `${threadId}-1`, body: `Why ten?\n\n[//]: # (gatehouse:${MARKER})` },
        {
          id: `${threadId}-2`,
          body: 'Because.',
          author: { login: 'ada@example.com', isBot: false },
          reactions: [{ name: 'thumbs_up', count: 1 }],
        },
        { id: `${threadId}-3`, body: `I see now.\n\n[//]: # (gatehouse:${MARKER})` },
      ],
    });
    expect(simulator.writes().filter(({ kind }) => kind === 'thread.updated')).toHaveLength(1);
    await provider.threadResolver?.setResolved(ref, threadId, false);
    await provider.commentEditor?.deleteComment(ref, own);
    await provider.commentEditor?.deleteComment(ref, own);
    const [after] = await provider.threads.listThreads(ref);
    expect(after?.isResolved).toBe(false);
    expect(after?.comments).toHaveLength(2);
    expect(await provider.comments?.getComment(ref, own)).toBeUndefined();
    expect(simulator.unknownFields()).toEqual([]);
  });

  it('is found by its key even when an edit by hand removed the marker', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator } = world;
    const posted = await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment });
    const [thread] = simulator.findPull(ref.number).threads;
    Object.assign(thread?.comments[0] ?? {}, { content: 'Edited.' });
    const id = posted?.commentId ?? '';
    expect(await provider.comments?.getComment(ref, { kind: 'review', id })).toMatchObject({
      body: `Edited.\n\n[//]: # (gatehouse:${MARKER})`,
    });
  });

  it('of others cannot be changed, and what is not there is said so', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const { id } = simulator.comment(ref.number, { author: 'ada@example.com', body: 'Mine.' });
    await expect(
      provider.commentEditor?.editComment(ref, { kind: 'general', id: `${id}-1` }, 'Ours.'),
    ).rejects.toMatchObject({ kind: 'permanent', code: 'provider_permission' });
    for (const gone of [`${id}-2`, '999-1', 'x', '1'])
      await expect(
        provider.commentEditor?.editComment(ref, { kind: 'review', id: gone }, 'x'),
      ).rejects.toMatchObject({ code: 'not_found' });
    for (const threadId of ['999', '1/comments', '-1'])
      await expect(provider.replies?.reply(ref, threadId, 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is left out when the system wrote it or it was deleted, and has a ghost for authors that are gone', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const context = { filePath: '/src/app.ts' };
    simulator.comment(ref.number, { author: null, body: 'Ada voted 10', commentType: 'system', context });
    const gone = simulator.comment(ref.number, { author: 'ada@example.com', body: 'Gone.', context });
    simulator.deleteComment(ref.number, gone.id, 1);
    simulator.comment(ref.number, { author: null, body: 'Boo.', context });
    expect(await provider.threads.listThreads(ref)).toMatchObject([
      { comments: [{ author: { id: 'ghost', login: 'ghost', isBot: false }, body: 'Boo.' }] },
    ]);
    expect(await provider.comments?.listGeneralComments(ref)).toEqual([]);
  });

  it('is all listed: 300 threads, and 300 comments in one', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const context = { filePath: '/src/app.ts' };
    const { id } = simulator.comment(ref.number, { author: 'ada@example.com', body: '1', context });
    for (let index = 2; index <= 300; index += 1)
      simulator.comment(ref.number, { author: 'ada@example.com', body: `${index}`, threadId: id });
    for (let index = 1; index < 300; index += 1)
      simulator.comment(ref.number, { author: 'ada@example.com', body: `${index}`, context });
    const threads = await provider.threads.listThreads(ref);
    expect(threads).toHaveLength(300);
    expect(threads[0]?.comments).toHaveLength(300);
    expect(threads[0]?.comments.at(-1)?.body).toBe('300');
  });
});

describe('comments on the pull request itself', () => {
  it('are posted closed, so that they keep nobody from completing it, listed and edited', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.comment(ref.number, { author: 'ada@example.com', body: 'Hello.' });
    const posted = await provider.generalComments?.createGeneralComment(ref, marked('Summary.'));
    const id = posted?.commentId ?? '';
    await provider.commentEditor?.editComment(ref, { kind: 'general', id }, marked('New summary.'));
    const listed = await provider.comments?.listGeneralComments(ref);
    expect(listed?.map(({ body }) => body)).toEqual([
      'Hello.',
      `New summary.\n\n[//]: # (gatehouse:${MARKER})`,
    ]);
    expect(simulator.generalComments(ref.number)).toMatchObject([
      { status: 'active' },
      { status: 'closed', author: 'gatehouse' },
    ]);
    expect(await provider.threads.listThreads(ref)).toEqual([]);
  });

  it('take a body at the limit, marker and all, and are refused above it', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const { maxBodyLength } = provider.limits;
    expect(maxBodyLength).toBe(149_996);
    const body = (length: number): string => marked('x'.repeat(length - marked('').length));
    await provider.generalComments?.createGeneralComment(ref, body(maxBodyLength));
    expect(simulator.generalComments(ref.number)).toHaveLength(1);
    await expect(
      provider.generalComments?.createGeneralComment(ref, body(maxBodyLength + 10)),
    ).rejects.toMatchObject({ kind: 'rejected', code: 'provider_refused' });
    expect(simulator.generalComments(ref.number)).toHaveLength(1);
  });

  it('can be liked; the pull request and other reactions cannot', async () => {
    await using world = await createAzureWorld();
    const { provider, ref } = world;
    expect(provider.reactions?.supported).toEqual(['thumbs_up']);
    for (const [target, reaction] of [
      ['pull-request', 'thumbs_up'],
      [{ kind: 'general', id: '1-1' }, 'eyes'],
    ] as const)
      await expect(provider.reactions?.addReaction(ref, target, reaction)).rejects.toMatchObject({
        kind: 'rejected',
        code: 'reaction_unsupported',
      });
  });
});
