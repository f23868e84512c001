import { describe, expect, it } from 'vitest';
import { createLineMap } from '../../../shared/diff/line-map.ts';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';

// Old lines 1-14, new lines 1-15: line 2 became two, a line went in after old 6, old 11 and 12 are gone.
const map = createLineMap(
  parseHunks(
    '@@ -1,3 +1,4 @@\n 1\n-2\n+2a\n+2b\n 3\n@@ -6,0 +8 @@\n+6b\n@@ -10,4 +12,2 @@\n 10\n-11\n-12\n 13\n',
  ),
);

describe('createLineMap', () => {
  it('gives the ranges that can be commented per side, none for a side without lines', () => {
    expect(map.validRanges('old')).toEqual([
      { startLine: 1, line: 3 },
      { startLine: 10, line: 13 },
    ]);
    expect(map.validRanges('new')).toEqual([
      { startLine: 1, line: 4 },
      { startLine: 8, line: 8 },
      { startLine: 12, line: 13 },
    ]);
  });

  it('finds a line with its hunk, and nothing outside the hunks', () => {
    expect(map.lineAt('new', 3)).toEqual({ kind: 'added', text: '2b', newLine: 3 });
    expect(map.lineAt('old', 11)).toEqual({ kind: 'removed', text: '11', oldLine: 11 });
    expect([0, 1, 4, 5, 7, 8, 9, 12, 13, 14].map((line) => map.hunkAt('new', line))).toEqual([
      undefined,
      0,
      0,
      undefined,
      undefined,
      1,
      undefined,
      2,
      2,
      undefined,
    ]);
    expect(map.lineAt('old', 7)).toBeUndefined();
  });

  it('accepts a range only inside one hunk and in order', () => {
    expect(map.isCommentable('new', { startLine: 2, line: 4 })).toBe(true);
    expect(map.isCommentable('new', { startLine: 4, line: 8 })).toBe(false);
    expect(map.isCommentable('new', { startLine: 3, line: 2 })).toBe(false);
    expect(map.isCommentable('old', { startLine: 5, line: 5 })).toBe(false);
  });

  it('maps numbers between the sides, outside the hunks by the shift so far', () => {
    expect([1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14].map((line) => map.toNew(line))).toEqual([
      1,
      undefined,
      4,
      5,
      7,
      9,
      11,
      12,
      undefined,
      undefined,
      13,
      14,
    ]);
    expect([1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14].map((line) => map.toOld(line))).toEqual([
      1,
      undefined,
      undefined,
      3,
      4,
      6,
      undefined,
      7,
      9,
      10,
      13,
      14,
    ]);
  });

  it('maps every line to itself without hunks', () => {
    const empty = createLineMap([]);
    expect([empty.toOld(7), empty.toNew(7), empty.validRanges('new')]).toEqual([7, 7, []]);
  });

  it('keeps two neighbours apart when the first has no line on a side', () => {
    const neighbours = createLineMap(parseHunks('@@ -5,0 +6 @@\n+a\n@@ -6 +6,0 @@\n-b\n'));
    expect(neighbours.hunkAt('old', 6)).toBe(1);
    expect(neighbours.hunkAt('new', 6)).toBe(0);
    expect([neighbours.toNew(5), neighbours.toNew(6), neighbours.toNew(7)]).toEqual([5, undefined, 7]);
  });
});
