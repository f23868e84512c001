import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import { bytes, githubInstance, headersFor } from './github-deliveries.ts';

const require = createRequire(import.meta.url);
const Examples = z.array(
  z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }),
);

function load(folder: string) {
  const path = require.resolve(`@octokit/webhooks-examples/${folder}/index.json`);
  return Examples.parse(JSON.parse(readFileSync(path, 'utf8')));
}

const source = createGitHubWebhookSource(githubInstance());

function replay(event: string, payload: unknown): string {
  const body = bytes(JSON.stringify(payload));
  const headers = headersFor(event, body);
  if (!source.authenticate(headers, body)) return 'refused';
  const { request } = source.read(headers, body);
  return request.kind === 'job' ? `${request.job.class} ${request.job.kind}` : `ignore ${request.reason}`;
}

describe("GitHub's published example payloads", () => {
  it('each give a job or a reason, and never an error', () => {
    const counts: Record<string, number> = {};
    let replayed = 0;
    for (const { name, examples } of load('api.github.com')) {
      for (const payload of examples) {
        const result = replay(name, payload);
        counts[result] = (counts[result] ?? 0) + 1;
        replayed += 1;
      }
    }
    expect(replayed).toBe(329);
    expect(counts).toEqual({
      'push review.full': 9,
      'push review.incremental': 1,
      'command comment': 4,
      'control control': 6,
      'ignore reviewer_not_us': 1,
      'ignore no_text': 3,
      'ignore unsupported_action': 14,
      'ignore not_a_pull_request': 9,
      'ignore ping': 4,
      'ignore unsupported_event': 278,
    });
  });

  it.each([
    ['ghes-31', 49, 1],
    ['ghes-35', 125, 2],
  ])('of Enterprise Server (%s) do so too', (folder, total, pushes) => {
    const results = load(folder).flatMap(({ name, examples }) => examples.map((one) => replay(name, one)));
    expect(results).toHaveLength(total);
    expect(results.filter((result) => result.startsWith('push'))).toHaveLength(pushes);
  });
});
