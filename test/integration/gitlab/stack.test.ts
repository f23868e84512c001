import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import { startGitLabStack } from '../../../infra/local/stack/gitlab-stack.ts';
import type { GitLabInstance } from '../../../shared/config/config.ts';
import { loadConfig } from '../../../shared/config/load-config.ts';
import type { NewJob } from '../../../shared/domain/job.ts';
import { handleWebhook } from '../../../shared/ingress/handle-webhook.ts';
import { createGitLabProvider } from '../../../shared/providers/gitlab/index.ts';
import { createGitLabWebhookSource } from '../../../shared/providers/gitlab/webhook-source.ts';
import { createRepository } from '../../support/git.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';
import { startLoopback } from '../providers/loopback.ts';

function instanceOf(settings: Readonly<Record<string, string>>): GitLabInstance {
  const [instance] = loadConfig(settings).instances;
  if (instance?.provider !== 'gitlab') throw new Error('the settings have no GitLab instance');
  return instance;
}

describe('the local GitLab', () => {
  it('signs the app in, and its signed deliveries become jobs of the app', async () => {
    const git = createRepository();
    git.write('a.ts', 'one\n');
    git.commit('base');
    git.git('checkout', '-q', '-b', 'feature');
    git.write('a.ts', 'two\n');
    const head = git.commit('head');
    const stack = await startGitLabStack([{ dir: git.directory, fullName: 'acme/sample' }]);
    const log = createRecordedLog();
    const jobs: NewJob[] = [];
    try {
      const instance = instanceOf(stack.settings);
      const provider = createGitLabProvider(instance, {
        clock: systemClock,
        random: { number: () => 0, hex: (count) => '0'.repeat(2 * count) },
        log,
      });
      expect(await provider.identity.whoAmI()).toMatchObject({ isBot: true });
      const source = createGitLabWebhookSource(instance);
      await using loopback = await startLoopback((response, request) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        void handleWebhook(
          {
            findInstance: async () => ({ source, repositories: instance.repositories }),
            append: async ({ job }) => {
              jobs.push(job);
              return 'appended';
            },
            ownAccount: () => undefined,
            clock: systemClock,
            log,
            retentionDays: 30,
          },
          {
            instance: request.path.slice('/webhooks/'.length),
            headers,
            body: new Blob([request.body]).stream(),
          },
        ).then((reply) => response.writeHead(reply.status).end());
      });
      stack.connect(loopback.url.origin);
      const { simulator } = stack;
      const { iid: number } = await simulator.createPullRequest({
        base: 'main',
        head: 'feature',
        title: 'Two',
      });
      const opened = await simulator.deliverWebhook({ event: 'open', number });
      const approved = await simulator.deliverWebhook({ event: 'approved', number });
      const pushed = await simulator.deliverWebhook({ event: 'update', number, oldrev: head });
      const note = simulator.comment(number, { author: 'ada', body: 'Why?' }).notes[0];
      const asked = await simulator.deliverWebhook({ event: 'note', number, noteId: note?.id ?? 0 });
      const hidden = simulator.comment(number, { author: 'ada', body: 'x', internal: true }).notes[0];
      await simulator.deliverWebhook({ event: 'note', number, noteId: hidden?.id ?? 0 });
      expect([opened, pushed, asked].map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
      expect(Math.floor(approved.statusCode / 100)).toBe(2);
      expect(jobs).toMatchObject([
        { kind: 'review.full', class: 'push', ids: { headSha: head } },
        { kind: 'review.incremental', class: 'push' },
        { kind: 'comment', class: 'command', ids: { commentId: String(note?.id), commentKind: 'general' } },
      ]);
      simulator.setHook({ url: `${loopback.url.origin}/webhooks/gitlab`, signingToken: 'whsec_d3Jvbmc=' });
      expect((await simulator.deliverWebhook({ event: 'close', number })).statusCode).toBe(401);
    } finally {
      await stack.simulator.stop();
      git.dispose();
    }
  });
});
