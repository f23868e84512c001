import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForRun } from '../../infra/local/demo/wait-for-run.ts';
import { startGitHubStack, type GitHubStack } from '../../infra/local/stack/github-stack.ts';
import { startLocalStack, type LocalStack } from '../../infra/local/stack/start-local-stack.ts';
import { createRepository, type TestRepository } from '../support/git.ts';
import { QUICK_HOST } from './support/quick-host.ts';
import { endState } from './support/review-range.ts';

const NAME = 'acme/deliveries';

let repository: TestRepository;
let stack: LocalStack<GitHubStack>;

beforeAll(async () => {
  repository = createRepository();
  repository.write('a.ts', 'export const a = 1;\n');
  repository.commit('base');
  repository.git('checkout', '--quiet', '-b', 'change');
  repository.write('a.ts', 'export const a = 1;\ndebugger;\n');
  repository.commit('change');
  stack = await startLocalStack({
    startProvider: startGitHubStack,
    repositories: [{ dir: repository.directory, fullName: NAME }],
    model: { kind: 'offline' },
    hostJsonFile: QUICK_HOST,
  });
});

afterAll(async () => {
  await stack.stop();
  repository.dispose();
});

/** Sends the bytes of a recorded delivery again. */
async function send(body: string): Promise<number> {
  const response = await fetch(`${stack.host.url}/webhooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'pull_request',
      'x-hub-signature-256': `sha256=${createHmac('sha256', stack.provider.webhookSecret).update(body).digest('hex')}`,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

describe('one event is reviewed once, however often it is delivered', () => {
  it('gives one review for a delivery that comes again right away and twice at once later', async () => {
    const { simulator } = stack.provider;
    const { number } = await simulator.createPullRequest({
      repository: NAME,
      base: 'main',
      head: 'change',
      title: 'A change',
      author: 'dana',
    });
    const [answer, twin] = await (async () => {
      const first = await simulator.deliverWebhook({
        event: 'pull_request',
        action: 'opened',
        repository: NAME,
        number,
      });
      return [first.statusCode, await send(first.requestBody)];
    })();
    expect([answer, twin]).toEqual([202, 202]);
    await waitForRun(stack.records, 60_000, () => {});

    const [recorded] = simulator.deliveries();
    const body = recorded?.requestBody ?? '';
    expect(await Promise.all([send(body), send(body)])).toEqual([202, 202]);
    // The wakes of the repeated deliveries are taken and end without work.
    const accepted = () => stack.records().filter(({ event }) => event === 'webhook.accepted').length;
    expect(accepted()).toBe(4);
    await delay(3_000);
    const { places, summaries } = await endState(stack, NAME, number);
    expect(places).toEqual(['a.ts:2']);
    expect(summaries).toHaveLength(1);
    expect(stack.records().filter(({ event }) => event === 'job.started')).toHaveLength(1);
  });

  it('gives one review for two deliveries of one event at once', async () => {
    const { simulator } = stack.provider;
    const { number } = await simulator.createPullRequest({
      repository: NAME,
      base: 'main',
      head: 'change',
      title: 'Another change',
      author: 'dana',
    });
    const [recorded] = simulator.deliveries();
    const payload: unknown = JSON.parse(recorded?.requestBody ?? '{}');
    const body = JSON.stringify(payload).replaceAll(`"number":${number - 1}`, `"number":${number}`);
    const seen = stack.records().length;
    expect(await Promise.all([send(body), send(body)])).toEqual([202, 202]);
    await waitForRun(
      () => stack.records().slice(seen),
      60_000,
      () => {},
    );
    await delay(2_000);
    const { places, summaries } = await endState(stack, NAME, number);
    expect(places).toEqual(['a.ts:2']);
    expect(summaries).toHaveLength(1);
  });

  it('repeats nothing on the next push, and says only what is new', async () => {
    const { simulator } = stack.provider;
    const { number } = await simulator.createPullRequest({
      repository: NAME,
      base: 'main',
      head: 'change',
      title: 'A change that goes on',
      author: 'dana',
    });
    const deliver = async (action: string): Promise<void> => {
      const seen = stack.records().length;
      await simulator.deliverWebhook({ event: 'pull_request', action, repository: NAME, number });
      await waitForRun(
        () => stack.records().slice(seen),
        60_000,
        () => {},
      );
    };
    await deliver('opened');
    repository.write('b.ts', 'export const b = 1;\ndebugger;\n');
    await simulator.pushHead(number, repository.commit('more'), NAME);
    await deliver('synchronize');
    const { places, summaries } = await endState(stack, NAME, number);
    expect(places).toEqual(['a.ts:2', 'b.ts:2']);
    expect(summaries).toHaveLength(2);
  });
});
