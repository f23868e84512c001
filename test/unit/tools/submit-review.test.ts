import { describe, expect, it } from 'vitest';
import { DEFAULT_DISCLAIMER } from '../../../shared/tools/write/review-text.ts';
import { createFakeProvider, createWorld, PULL_REQUEST, refusedByProvider, US } from './fake-provider.ts';
import { FULL_GRANT, outputOf, setUp } from './fixture.ts';

const MARKER_LINE = /^<!-- gatehouse:[0-9a-f]{24} -->$/;
const COMMENT_GRANT = { ...FULL_GRANT, submitActions: ['comment' as const] };
const TWO = {
  comments: [
    { path: 'src/app.ts', line: 2, body: 'First' },
    { path: 'src/app.ts', line: 21, body: 'Second' },
  ],
};

describe('submit_review', () => {
  it('publishes the drafts and the summary as one review, disclaimer first after the marker', async () => {
    const { call, world } = setUp();
    await call('add_draft_comments', TWO);
    const output = outputOf(await call('submit_review', { action: 'comment', summary: 'Two things.' }));
    expect(output).toMatchObject({ action: 'comment', published: 2, remaining: 0, done: true, refused: [] });
    expect(world.writes).toEqual(['createReview']);
    const lines = world.reviews[0]?.body.split('\n') ?? [];
    expect(lines[0]).toMatch(MARKER_LINE);
    expect(lines.slice(1).join('\n')).toBe(`${DEFAULT_DISCLAIMER}\n\nTwo things.`);
    expect(world.inline.map(({ path, line, body }) => [path, line, body.split('\n')[1]])).toEqual([
      ['src/app.ts', 2, 'First'],
      ['src/app.ts', 21, 'Second'],
    ]);
  });
});
