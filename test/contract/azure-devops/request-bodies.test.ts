import { describe, expect, it } from 'vitest';
import { loadPublishedSchema } from './published-schema.ts';
import { createAzureWorld } from './setup.ts';

const marked = '<!-- gatehouse:0123456789abcdef01234567 -->\nText.';

/** Every kind of write once. */
async function writeEverything(): Promise<readonly { definition: string; body: unknown }[]> {
  await using world = await createAzureWorld();
  const { provider, ref, head, simulator } = world;
  const comment = { path: 'src/app.ts', side: 'new', line: 10, startLine: 9, body: marked } as const;
  const posted = await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment });
  const { threadId = '', commentId = '' } = posted ?? {};
  await provider.threadWriter?.createThread(ref, {
    kind: 'file',
    commit: head,
    path: 'src/app.ts',
    body: marked,
  });
  await provider.generalComments?.createGeneralComment(ref, marked);
  await provider.replies?.reply(ref, threadId, marked);
  await provider.commentEditor?.editComment(ref, { kind: 'review', id: commentId }, marked);
  await provider.threadResolver?.setResolved(ref, threadId, true);
  const report = {
    headSha: head,
    name: 'Gatehouse',
    key: 'k',
    title: 't',
    summary: '',
    url: 'https://x.example',
  };
  await provider.statuses?.setStatus(ref, { ...report, state: 'passed' });
  expect(simulator.unknownFields()).toEqual([]);
  return simulator.sentBodies();
}

describe('the bodies of all writes', () => {
  it.each(['ado-git-7.1.json', 'ado-server-git-7.1.json'])('hold to %s where it is at hand', async (file) => {
    const bodies = await writeEverything();
    expect(bodies.map(({ definition }) => definition)).toEqual([
      'GitPullRequestCommentThread',
      'GitPullRequestCommentThread',
      'GitPullRequestCommentThread',
      'Comment',
      'Comment',
      'GitPullRequestCommentThread',
      'GitPullRequestStatus',
    ]);
    const checkBody = loadPublishedSchema(file);
    if (checkBody === undefined) return;
    expect(bodies.flatMap(({ definition, body }) => checkBody(definition, body))).toEqual([]);
    expect(checkBody('Comment', { content: 1, commentType: 1, extra: true })).toEqual([
      'Comment.content is no string',
      'Comment.commentType is none of its values',
      'Comment.extra is unknown',
    ]);
    expect(
      checkBody('GitPullRequestCommentThread', { comments: [{ text: '' }], threadContext: { line: 1 } }),
    ).toEqual([
      'GitPullRequestCommentThread.comments[0].text is unknown',
      'GitPullRequestCommentThread.threadContext.line is unknown',
    ]);
  });
});
