import { createRequire } from 'node:module';
import { z } from 'zod';

const Examples = z.array(
  z.object({ name: z.string(), examples: z.array(z.looseObject({ action: z.string().optional() })) }),
);
const published: unknown = createRequire(import.meta.url)('@octokit/webhooks-examples');
const opened = Examples.parse(published)
  .find((event) => event.name === 'pull_request')
  ?.examples.find((example) => example.action === 'opened');

/** A published `pull_request.opened` payload for another number; `distinct` makes the bytes unlike any other. */
export function githubDelivery(change: { readonly number: number; readonly distinct: string }): Buffer {
  const original = z.looseObject({}).parse(opened?.['pull_request']);
  // The examples are years old; an event past the retention would be ignored.
  const now = new Date().toISOString();
  const pullRequest = {
    ...original,
    number: change.number,
    draft: false,
    title: change.distinct,
    updated_at: now,
  };
  return Buffer.from(JSON.stringify({ ...opened, number: change.number, pull_request: pullRequest }), 'utf8');
}
