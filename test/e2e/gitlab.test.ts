import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository, type SampleRepository } from '../../infra/local/demo/sample-repository.ts';
import { waitForRun } from '../../infra/local/demo/wait-for-run.ts';
import { startGitLabStack, type GitLabStack } from '../../infra/local/stack/gitlab-stack.ts';
import { startLocalStack, type LocalStack } from '../../infra/local/stack/start-local-stack.ts';
import { QUICK_HOST } from './support/quick-host.ts';

let sample: SampleRepository;
let stack: LocalStack<GitLabStack>;

beforeAll(async () => {
  sample = await createSampleRepository();
  stack = await startLocalStack({
    startProvider: startGitLabStack,
    repositories: [{ dir: sample.dir, fullName: 'acme/orders' }],
    model: { kind: 'offline' },
    hostJsonFile: QUICK_HOST,
  });
});

afterAll(async () => {
  await stack.stop();
  await sample.dispose();
});

describe('one webhook of GitLab becomes one review', () => {
  it('posts every planted problem as a discussion on its line, once, and the text last', async () => {
    const { simulator } = stack.provider;
    const { iid: number } = await simulator.createPullRequest({
      base: sample.base,
      head: sample.head,
      title: sample.title,
      body: sample.body,
    });
    const first = await simulator.deliverWebhook({ event: 'open', number });
    expect(first.statusCode).toBe(202);
    const end = await waitForRun(stack.records, 60_000, () => {});
    expect(end).toMatchObject({ outcome: 'posted', reason: 'findings' });

    const again = await simulator.redeliver(first.id);
    expect(again.statusCode).toBe(202);
    const comments = simulator.comments(number);
    expect(comments.map(({ path, line }) => `${path}:${line}`).toSorted()).toEqual([
      'CHANGELOG.md:3',
      'src/config.ts:7',
      'src/orders/discount.ts:7',
      'src/orders/store.ts:20',
      'src/orders/total.ts:12',
      'src/payments/client.ts:4',
      'test/discount.test.ts:5',
      'test/total.test.ts:9',
    ]);
    expect(comments.filter(({ isOutdated }) => isOutdated)).toEqual([]);
    expect(simulator.generalComments(number)).toHaveLength(1);
    expect(simulator.unknownFields()).toEqual([]);
  });

  it('acknowledges without a call to the provider', async () => {
    const { simulator } = stack.provider;
    const { iid: number } = await simulator.createPullRequest({
      base: sample.base,
      head: sample.head,
      title: 'A draft',
      draft: true,
    });
    const before = simulator.requests().length;
    const { statusCode, responseBody } = await simulator.deliverWebhook({ event: 'open', number });
    expect({ statusCode, body: JSON.parse(responseBody) }).toEqual({
      statusCode: 200,
      body: { accepted: false, reason: 'draft' },
    });
    expect(simulator.requests().length).toBe(before);
  });
});
