import { describe, expect, it } from 'vitest';
import type { AzureWorld } from './setup.ts';
import { REPOSITORY_ID, TOKEN, createAzureWorld } from './setup.ts';

const authorization = `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`;

async function ask(world: AzureWorld, method: string, path: string, body?: unknown) {
  const response = await fetch(`${world.simulator.apiUrl}/_apis/git/repositories/${REPOSITORY_ID}${path}`, {
    method,
    headers: { authorization },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const VERSION = 'api-version=7.1';
const comments = [{ content: 'x', commentType: 'text' }];

describe('the simulated Azure DevOps refuses', () => {
  it.each([
    ['a write without a version', 'POST', '/threads', { comments }, 400, 'VssVersionNotSpecifiedException'],
    [
      'a version it does not have',
      'GET',
      '?api-version=9.0',
      undefined,
      400,
      'VssVersionOutOfRangeException',
    ],
    ['a thread without a comment', 'POST', `/threads?${VERSION}`, {}, 400, 'InvalidArgumentValueException'],
    [
      'an empty comment',
      'POST',
      `/threads?${VERSION}`,
      { comments: [{ content: ' ' }] },
      400,
      'InvalidArgumentValueException',
    ],
    [
      'a comment that is too long',
      'POST',
      `/threads?${VERSION}`,
      { comments: [{ content: 'x'.repeat(150_001) }] },
      400,
      'InvalidArgumentValueException',
    ],
    [
      'an offset of 0',
      'POST',
      `/threads?${VERSION}`,
      { comments, threadContext: { filePath: '/x', rightFileStart: { line: 1, offset: 0 } } },
      400,
      'InvalidArgumentValueException',
    ],
    [
      'a number of a file without its iterations',
      'POST',
      `/threads?${VERSION}`,
      { comments, pullRequestThreadContext: { changeTrackingId: 1 } },
      400,
      'InvalidArgumentValueException',
    ],
    [
      'an iteration that is not there',
      'POST',
      `/threads?${VERSION}`,
      {
        comments,
        pullRequestThreadContext: {
          changeTrackingId: 1,
          iterationContext: { firstComparingIteration: 9, secondComparingIteration: 9 },
        },
      },
      404,
      'GitPullRequestIterationNotFoundException',
    ],
    [
      'a status of a thread as a number',
      'POST',
      `/threads?${VERSION}`,
      { comments, status: 1 },
      400,
      'InvalidArgumentValueException',
    ],
    [
      'a reply to nothing',
      'POST',
      `/threads/999/comments?${VERSION}`,
      { content: 'x' },
      404,
      'CommentThreadNotFoundException',
    ],
    [
      'a status without a name',
      'POST',
      `/statuses?${VERSION}`,
      { state: 'failed', context: {} },
      400,
      'InvalidArgumentValueException',
    ],
    [
      'a status of an iteration that is not there',
      'POST',
      `/statuses?${VERSION}`,
      { state: 'failed', context: { name: 'x' }, iterationId: 9 },
      404,
      'GitPullRequestIterationNotFoundException',
    ],
    [
      'changes since a later iteration',
      'GET',
      '/iterations/1/changes?$compareTo=1',
      undefined,
      400,
      'InvalidArgumentValueException',
    ],
    [
      'a page that is no number',
      'GET',
      '/iterations/1/changes?$skip=x',
      undefined,
      400,
      'InvalidArgumentValueException',
    ],
  ])('%s', async (_what, method, path, body, status, typeKey) => {
    await using world = await createAzureWorld();
    const { ref, simulator } = world;
    const answer = await ask(world, method, `/pullrequests/${ref.number}${path}`, body);
    expect(answer).toMatchObject({ status, json: { typeKey } });
    expect(simulator.generalComments(ref.number)).toEqual([]);
  });

  it('an archive without a version, and objects that are not there', async () => {
    await using world = await createAzureWorld();
    expect(await ask(world, 'GET', '/items?scopePath=/&$format=zip')).toMatchObject({ status: 400 });
    expect(await ask(world, 'GET', `/blobs/${'0'.repeat(40)}`)).toMatchObject({ status: 404 });
    expect(await ask(world, 'GET', '/items?path=/none')).toMatchObject({
      status: 404,
      json: { typeKey: 'GitItemNotFoundException' },
    });
    const missing = `versionDescriptor.version=${'0'.repeat(40)}&versionDescriptor.versionType=commit`;
    expect(await ask(world, 'GET', `/items?path=/src&${missing}`)).toMatchObject({
      json: { typeKey: 'GitUnresolvableToCommitException' },
    });
  });

  it('the 501st comment of a thread', async () => {
    await using world = await createAzureWorld();
    const { ref, simulator } = world;
    const { id } = simulator.comment(ref.number, { author: 'ada@example.com', body: '1' });
    for (let index = 2; index <= 500; index += 1)
      simulator.comment(ref.number, { author: 'ada@example.com', body: 'x', threadId: id });
    const path = `/pullRequests/${ref.number}/threads/${id}/comments?${VERSION}`;
    expect(await ask(world, 'POST', path, { content: 'x', parentCommentId: 1 })).toMatchObject({
      status: 400,
    });
    expect(await ask(world, 'POST', path, { content: 'x', parentCommentId: 501 })).toMatchObject({
      status: 400,
    });
  });
});

describe('the simulated Azure DevOps takes what it should not', () => {
  it('and tells of threads that nobody sees where they were meant', async () => {
    await using world = await createAzureWorld({
      after: (git) => git.write('zzz.ts', 'z\n'),
    });
    const { ref, simulator } = world;
    const place = { rightFileStart: { line: 1, offset: 1 }, rightFileEnd: { line: 1, offset: 2 } };
    const post = async (threadContext: unknown, changeTrackingId?: number) =>
      ask(world, 'POST', `/pullRequests/${ref.number}/threads?${VERSION}`, {
        comments,
        threadContext,
        ...(changeTrackingId === undefined
          ? {}
          : {
              pullRequestThreadContext: {
                changeTrackingId,
                iterationContext: { firstComparingIteration: 1, secondComparingIteration: 1 },
              },
            }),
      });
    await ask(world, 'GET', `/pullRequests/${ref.number}/iterations/1/changes`);
    await post({ filePath: 'src/app.ts', ...place });
    await post({ filePath: '/src/app.ts', rightFileStart: place.rightFileStart });
    const glued = await post({ filePath: '/zzz.ts', ...place }, 1);
    expect(await simulator.comments(ref.number)).toMatchObject([
      { isOrphaned: true, isBroken: false },
      { isOrphaned: false, isBroken: true },
      { isOrphaned: false, isBroken: false },
    ]);
    expect(glued.json).toMatchObject({ threadContext: { filePath: '/src/app.ts' } });
  });

  it('and drops fields it does not know, of which it tells', async () => {
    await using world = await createAzureWorld();
    const { ref, simulator } = world;
    await ask(world, 'POST', `/pullRequests/${ref.number}/threads?${VERSION}`, {
      comments: [{ content: 'x', text: 'y' }],
    });
    expect(simulator.unknownFields()).toEqual([
      { definition: 'GitPullRequestCommentThread', field: 'comments.0.text' },
    ]);
  });
});
