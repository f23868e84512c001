import { describe, expect, it } from 'vitest';
import { neutraliseMarkdown } from '../../../shared/text-safety/neutralise-markdown.ts';
import type { NewInlineComment } from '../../../shared/providers/write-ports.ts';
import { createGitLabWorld, lines } from './setup.ts';

const files = {
  before: (git: { write: (path: string, text: string) => void }) => {
    git.write('gone.txt', 'a\nb\n');
    git.write('old.txt', lines(20, 'same'));
  },
  after: (git: { write: (path: string, text: string) => void; remove: (path: string) => void }) => {
    git.remove('gone.txt');
    git.remove('old.txt');
    git.write('renamed.txt', lines(20, 'same').replace('same 3\n', 'other 3\n'));
    git.write('new.txt', lines(3, 'new'));
  },
};

describe('a line comment', () => {
  it.each<[string, Omit<NewInlineComment, 'body'>, Record<string, number>]>([
    ['an added line', { path: 'src/app.ts', side: 'new', line: 11 }, { new_line: 11 }],
    ['a removed line', { path: 'src/app.ts', side: 'old', line: 10 }, { old_line: 10 }],
    ['a context line', { path: 'src/app.ts', side: 'new', line: 12 }, { old_line: 11, new_line: 12 }],
    [
      'a context line of the old side',
      { path: 'src/app.ts', side: 'old', line: 11 },
      { old_line: 11, new_line: 12 },
    ],
    [
      'a line outside the hunks',
      { path: 'src/app.ts', side: 'new', line: 30 },
      { old_line: 29, new_line: 30 },
    ],
    ['a deleted file', { path: 'gone.txt', side: 'old', line: 2 }, { old_line: 2 }],
    ['a new file', { path: 'new.txt', side: 'new', line: 3 }, { new_line: 3 }],
    ['a renamed file', { path: 'renamed.txt', side: 'new', line: 3 }, { new_line: 3 }],
  ])('stands on %s', async (_what, at, numbers) => {
    await using world = await createGitLabWorld(files);
    const { provider, ref, head, simulator } = world;
    const posted = await provider.threadWriter?.createThread(ref, {
      kind: 'line',
      commit: head,
      comment: { ...at, body: 'Why?' },
    });
    const note = simulator.findPull(ref.number).discussions[0]?.notes[0];
    const { old_line: oldLine, new_line: newLine } = note?.posted ?? {};
    expect(JSON.parse(JSON.stringify({ old_line: oldLine, new_line: newLine }))).toEqual(numbers);
    expect(posted).toMatchObject({
      commentId: String(note?.id),
      threadId: simulator.comments(1)[0]?.threadId,
    });
    const [thread] = await provider.threads.listThreads(ref);
    expect(thread).toMatchObject({
      path: at.path,
      isOutdated: false,
      isResolved: false,
      id: posted?.threadId,
    });
    expect(simulator.unknownFields()).toEqual([]);
  });

  it.each<[string, Omit<NewInlineComment, 'body'>]>([
    ['added lines', { path: 'src/app.ts', side: 'new', startLine: 10, line: 11 }],
    ['context and added lines', { path: 'src/app.ts', side: 'new', startLine: 8, line: 13 }],
    ['context and removed lines', { path: 'src/app.ts', side: 'old', startLine: 9, line: 10 }],
    ['a new file', { path: 'new.txt', side: 'new', startLine: 1, line: 3 }],
    ['a deleted file', { path: 'gone.txt', side: 'old', startLine: 1, line: 2 }],
    ['a renamed file', { path: 'renamed.txt', side: 'new', startLine: 2, line: 4 }],
  ])('stands on a range of %s, with line codes', async (_what, at) => {
    await using world = await createGitLabWorld(files);
    const { provider, ref, head, simulator } = world;
    await provider.threadWriter?.createThread(ref, {
      kind: 'line',
      commit: head,
      comment: { ...at, body: 'Why?' },
    });
    expect(simulator.comments(1)).toMatchObject([{ line: at.line, startLine: at.startLine }]);
    expect(await provider.threads.listThreads(ref)).toMatchObject([
      { line: at.line, startLine: at.startLine, side: at.side },
    ]);
  });

  it('falls back to its last line where GitLab refuses the range', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, head, simulator } = world;
    simulator.faults.next({
      match: { method: 'POST', body: 'line_range' },
      action: { kind: 'answer', status: 400, body: { message: '400 Bad request - Note {:line_code=>[]}' } },
    });
    await provider.threadWriter?.createThread(ref, {
      kind: 'line',
      commit: head,
      comment: { path: 'src/app.ts', side: 'new', startLine: 10, line: 11, body: 'Why?' },
    });
    expect(simulator.comments(1)).toMatchObject([{ line: 11, startLine: null }]);
  });

  it('stands on a whole file', async () => {
    await using world = await createGitLabWorld(files);
    const { provider, ref, head, simulator } = world;
    await provider.threadWriter?.createThread(ref, {
      kind: 'file',
      commit: head,
      path: 'renamed.txt',
      body: 'File.',
    });
    expect(simulator.comments(1)).toMatchObject([{ path: 'renamed.txt', line: null, body: 'File.' }]);
  });

  it('is refused before it is sent where it cannot stand, and stale on another head', async () => {
    await using world = await createGitLabWorld(files);
    const { provider, ref, head, simulator } = world;
    const create = (commit: string, at: Omit<NewInlineComment, 'body'>) =>
      provider.threadWriter?.createThread(ref, { kind: 'line', commit, comment: { ...at, body: 'x' } });
    const refused = { kind: 'rejected', code: 'anchor_refused' };
    await expect(create(head, { path: 'none.txt', side: 'new', line: 1 })).rejects.toMatchObject(refused);
    await expect(create(head, { path: 'new.txt', side: 'new', line: 4 })).rejects.toMatchObject(refused);
    await expect(create('0'.repeat(40), { path: 'new.txt', side: 'new', line: 1 })).rejects.toMatchObject({
      kind: 'stale',
    });
    expect(simulator.writes().filter(({ requestId }) => requestId !== undefined)).toEqual([]);
  });
});

describe('discussions', () => {
  it('are answered, resolved, edited, given an emoji and deleted', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, head, simulator } = world;
    const posted = await provider.threadWriter?.createThread(ref, {
      kind: 'line',
      commit: head,
      comment: { path: 'src/app.ts', side: 'new', line: 10, body: 'One.' },
    });
    const threadId = posted?.threadId ?? '';
    const comment = { kind: 'review', id: posted?.commentId ?? '' } as const;
    const reply = await provider.replies?.reply(ref, threadId, 'Two.');
    await provider.commentEditor?.editComment(ref, comment, 'One, better.');
    for (let twice = 0; twice < 2; twice += 1) {
      await provider.threadResolver?.setResolved(ref, threadId, true);
      await provider.reactions?.addReaction(ref, comment, 'thumbs_up');
      await provider.reactions?.addReaction(ref, 'pull-request', 'eyes');
    }
    expect(simulator.comments(1)).toMatchObject(
      [
        { body: 'One, better.', isResolved: true, reactions: ['thumbsup'], inReplyTo: null },
        { body: 'Two.', isResolved: false, inReplyTo: Number(comment.id) },
      ].map((expected) => ({ ...expected, isResolved: true })),
    );
    expect(await provider.threads.listThreads(ref)).toMatchObject([
      { isResolved: true, resolvedBy: { id: '1' }, comments: [{ body: 'One, better.' }, { body: 'Two.' }] },
    ]);
    await provider.threadResolver?.setResolved(ref, threadId, false);
    expect((await provider.threads.listThreads(ref))[0]?.isResolved).toBe(false);
    for (let twice = 0; twice < 2; twice += 1)
      await provider.commentEditor?.deleteComment(ref, { kind: 'review', id: reply?.commentId ?? '' });
    expect(simulator.comments(1)).toHaveLength(1);
    expect(
      await provider.comments?.getComment(ref, { kind: 'review', id: reply?.commentId ?? '' }),
    ).toBeUndefined();
  });

  it('of 300 comments are read whole, without system and internal notes', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator, base, head } = world;
    const position = {
      position_type: 'text' as const,
      base_sha: base,
      start_sha: base,
      head_sha: head,
      old_path: 'src/app.ts',
      new_path: 'src/app.ts',
      new_line: 11,
    };
    for (let index = 0; index < 150; index += 1) {
      const { id } = simulator.comment(1, { author: 'ada', body: `q ${index}`, position });
      simulator.comment(1, { author: null, body: `a ${index}`, threadId: id });
    }
    const secret = simulator.comment(1, { author: 'ada', body: 'secret', position, internal: true });
    simulator.comment(1, { author: 'ada', body: 'changed the title', system: true });
    const general = simulator.comment(1, { author: 'ada', body: 'secret', internal: true, individual: true });
    const threads = await provider.threads.listThreads(ref);
    expect(threads).toHaveLength(150);
    expect(threads.flatMap(({ comments }) => comments)).toHaveLength(300);
    expect(threads[0]?.comments[1]?.author).toEqual({ id: 'ghost', login: 'ghost', isBot: false });
    expect(JSON.stringify(threads)).not.toContain('secret');
    expect(await provider.comments?.listGeneralComments(ref)).toEqual([]);
    const id = String(general.notes[0]?.id);
    expect(await provider.comments?.getComment(ref, { kind: 'general', id })).toBeUndefined();
    await expect(provider.replies?.reply(ref, secret.id, 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('whose line was changed by a push are outdated; the others move with it', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, head, simulator, git } = world;
    for (const line of [10, 12])
      await provider.threadWriter?.createThread(ref, {
        kind: 'line',
        commit: head,
        comment: { path: 'src/app.ts', side: 'new', line, body: String(line) },
      });
    git.write('src/app.ts', `first\n${lines(40).replace('line 10\n', 'changed\nline ten and a half\n')}`);
    git.commit('again');
    await simulator.pushHead(1);
    const threads = await provider.threads.listThreads(ref);
    expect(threads.map(({ isOutdated, line }) => [isOutdated, line])).toEqual([
      [true, undefined],
      [false, 13],
    ]);
  });

  it('general notes cannot be resolved', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    const posted = await provider.generalComments?.createGeneralComment(ref, 'Summary.');
    expect(simulator.generalComments(1)).toMatchObject([{ body: 'Summary.', id: Number(posted?.commentId) }]);
    expect(posted?.url).toBe(
      `${simulator.webUrl}/acme/tools/shop/-/merge_requests/1#note_${posted?.commentId}`,
    );
    expect(await provider.comments?.listGeneralComments(ref)).toMatchObject([{ body: 'Summary.' }]);
    const [{ threadId } = { threadId: '' }] = simulator.generalComments(1);
    await expect(provider.threadResolver?.setResolved(ref, threadId, true)).rejects.toMatchObject({
      code: 'thread_not_resolvable',
    });
  });
});

describe('text', () => {
  it('is taken at its length limit and refused above it', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    const longest = 'x'.repeat(provider.limits.maxBodyLength);
    await provider.generalComments?.createGeneralComment(ref, longest);
    await expect(provider.generalComments?.createGeneralComment(ref, `${longest}x`)).rejects.toMatchObject({
      kind: 'rejected',
      code: 'provider_refused',
    });
    expect(simulator.generalComments(1)).toHaveLength(1);
  });

  it('of a model carries out no quick action and mentions nobody', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    await provider.generalComments?.createGeneralComment(ref, 'Look:\n/close');
    expect(simulator.writes().some(({ kind }) => kind === 'quick_action.executed')).toBe(true);
    const before = simulator.writes().length;
    const text = neutraliseMarkdown('Look:\n/close\n/merge\n  /approve\n@all please, !12 and #3');
    await provider.generalComments?.createGeneralComment(ref, text);
    expect(
      simulator
        .writes()
        .slice(before)
        .map(({ kind }) => kind),
    ).toEqual(['note.created']);
    expect(text).not.toMatch(/^\s*\//m);
    expect(text).not.toMatch(/(?:^|\s)@all\b/);
  });
});

describe('statuses', () => {
  it.each([
    ['the project', {}, 7],
    ['the fork', { fork: { fullName: 'ada/shop' } }, undefined],
  ])('stand in %s, once for each name, and can be set again', async (_where, pull, project) => {
    await using world = await createGitLabWorld({ pull });
    const { provider, ref, head, simulator } = world;
    const report = { headSha: head, name: 'Gatehouse', key: 'k', title: 'Fine', summary: '' };
    const states = ['running', 'running', 'passed', 'failed', 'neutral'] as const;
    for (const state of states) {
      const posted = await provider.statuses?.setStatus(ref, { ...report, state, url: 'https://x.example/' });
      expect(posted).toMatchObject({ state, url: 'https://x.example/' });
      expect(await provider.statuses?.findStatus(ref, head, 'Gatehouse')).toEqual(posted);
    }
    const source = simulator.findPull(1).source;
    expect(source?.statuses).toHaveLength(1);
    expect(source?.id === 7).toBe(project === 7);
    expect(await provider.statuses?.findStatus(ref, head, 'Other')).toBeUndefined();
  });
});
