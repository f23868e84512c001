import { describe, expect, it } from 'vitest';
import { diffLines, followLine, parseHunks } from '../../../infra/local/simulators/git/hunks.ts';

describe('hunks', () => {
  it('reads omitted counts, headings and no-newline markers', () => {
    const [hunk, ...others] = parseHunks(
      '@@ -1 +1,2 @@ function a() {\n-old\n\\ No newline at end of file\n+new\n+more\n\\ No newline at end of file',
    );
    expect(hunk).toEqual({
      header: '@@ -1 +1,2 @@ function a() {',
      oldStart: 1,
      oldCount: 1,
      newStart: 1,
      newCount: 2,
      lines: ['-old', '+new', '+more'],
    });
    expect(others).toEqual([]);
  });

  it('takes content that looks like a header for content', () => {
    const hunks = parseHunks('@@ -1,2 +1,2 @@\n-@@ -9,9 +9,9 @@\n+@@ -8,8 +8,8 @@\n diff --git a/x b/x');
    expect(hunks.map((hunk) => hunk.lines)).toEqual([
      ['-@@ -9,9 +9,9 @@', '+@@ -8,8 +8,8 @@', ' diff --git a/x b/x'],
    ]);
  });

  it('splits at line feeds alone', () => {
    const [hunk] = parseHunks('@@ -0,0 +1,2 @@\n+a\rb\u2028c\fd\r\n+e');
    expect(hunk?.lines).toEqual(['+a\rb\u2028c\fd\r', '+e']);
  });

  it('numbers both sides, with positions that count later headers', () => {
    const lines = diffLines(
      parseHunks('@@ -4,3 +4,4 @@\n 4\n-5\n+five\n+more\n 6\n@@ -20,2 +21 @@\n-20\n 21'),
    );
    expect([...lines.old].map(([line, { hunk, position, kind }]) => [line, hunk, position, kind])).toEqual([
      [4, 0, 1, 'context'],
      [5, 0, 2, 'removed'],
      [6, 0, 5, 'context'],
      [20, 1, 7, 'removed'],
      [21, 1, 8, 'context'],
    ]);
    expect([...lines.new].map(([line, { hunk, position, kind }]) => [line, hunk, position, kind])).toEqual([
      [4, 0, 1, 'context'],
      [5, 0, 3, 'added'],
      [6, 0, 4, 'added'],
      [7, 0, 5, 'context'],
      [21, 1, 8, 'context'],
    ]);
  });

  it.each([
    [9, 9],
    [10, undefined],
    [11, undefined],
    [12, 11],
    [15, 14],
    [16, 17],
    [40, 41],
  ])('follows line %i to %s', (line, expected) => {
    // Lines 10 and 11 become one line; two lines are inserted after line 15.
    const hunks = [
      { oldStart: 10, oldCount: 2, newStart: 10, newCount: 1 },
      { oldStart: 15, oldCount: 0, newStart: 15, newCount: 2 },
    ];
    expect(followLine(hunks, line)).toBe(expected);
  });

  it('follows line 1 past an insertion at the very top', () => {
    expect(followLine([{ oldStart: 0, oldCount: 0, newStart: 1, newCount: 3 }], 1)).toBe(4);
  });
});
