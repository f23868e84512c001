import { describe, expect, it } from 'vitest';
import { FILES } from './fake-provider.ts';
import { outputOf, setUp } from './fixture.ts';

describe('a draft review', () => {
  it('holds 100 comments a caller', async () => {
    const many = FILES.map((file) => ({
      ...file,
      patch: `@@ -0,0 +1,150 @@\n${'+x\n'.repeat(150)}`.trimEnd(),
    }));
    const { call } = setUp({ changedFiles: many });
    const batch = (from: number, count: number): object => {
      return {
        comments: Array.from({ length: count }, (_unused, index) => ({
          path: 'src/app.ts',
          line: from + index,
          body: 'x'.repeat(15_000),
        })),
      };
    };
    expect(outputOf(await call('add_draft_comments', batch(1, 99)))).toMatchObject({ added: 99 });
    expect(outputOf(await call('add_draft_comments', batch(100, 3)))).toMatchObject({
      added: 1,
      items: [{ ok: true }, { ok: false, code: 'draft_full' }, { ok: false, code: 'draft_full' }],
    });
    expect(outputOf(await call('submit_review', { action: 'comment', summary: 'S' }))).toMatchObject({
      published: 100,
      done: true,
    });
  });

  it('holds no more than one transaction takes', async () => {
    const wide = FILES.map((file) => ({
      ...file,
      patch: `@@ -0,0 +1,150 @@\n${'+x\n'.repeat(150)}`.trimEnd(),
    }));
    const setup = setUp({ changedFiles: wide });
    const comments = Array.from({ length: 100 }, (_unused, index) => ({
      path: 'src/app.ts',
      line: index + 1,
      body: '\u4e16'.repeat(15_000),
      suggestion: '\u754c'.repeat(4_000),
    }));
    // 57,013 bytes each as sent, and 3 MiB of them.
    expect(outputOf(await setup.call('add_draft_comments', { comments }))).toMatchObject({
      added: 55,
      refused: 45,
    });
    expect(outputOf(await setup.call('submit_review', { action: 'comment', summary: 'S' }))).toMatchObject({
      published: 55,
      done: true,
    });
  });
});
