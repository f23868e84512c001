import { describe, expect, it } from 'vitest';
import { parseGitDiff, parseHunks } from '../../../shared/diff/parse-patch.ts';

function rows(patch: string): string[] {
  return parseHunks(patch).flatMap((hunk) =>
    hunk.lines.map(
      (line) =>
        `${line.kind} ${line.oldLine ?? '-'} ${line.newLine ?? '-'} ${JSON.stringify(line.text)}${line.noNewline ? ' no-newline' : ''}`,
    ),
  );
}

describe('parseHunks', () => {
  it('numbers the lines of both sides over two hunks without file headers', () => {
    const patch = [
      '@@ -1,3 +1,4 @@ function a() {',
      ' one',
      '-two',
      '+TWO',
      '+2',
      ' three',
      '@@ -10,2 +11,1 @@',
      ' ten',
      '-eleven',
    ].join('\n');
    expect(rows(patch)).toEqual([
      'context 1 1 "one"',
      'removed 2 - "two"',
      'added - 2 "TWO"',
      'added - 3 "2"',
      'context 3 4 "three"',
      'context 10 11 "ten"',
      'removed 11 - "eleven"',
    ]);
  });

  it('reads omitted counts as one line and adjacent hunks as two', () => {
    expect(rows('@@ -1 +1 @@\n-a\n+b\n@@ -2 +2 @@\n-c\n+d')).toEqual([
      'removed 1 - "a"',
      'added - 1 "b"',
      'removed 2 - "c"',
      'added - 2 "d"',
    ]);
  });

  it('starts the empty side of a new, a deleted and an insert-only hunk at the following line', () => {
    expect(parseHunks('@@ -0,0 +1,2 @@\n+a\n+b')[0]).toMatchObject({
      oldStart: 1,
      oldLines: 0,
      newStart: 1,
      newLines: 2,
    });
    expect(parseHunks('@@ -1,2 +0,0 @@\n-a\n-b')[0]).toMatchObject({ newStart: 1, newLines: 0 });
    expect(parseHunks('@@ -5,0 +6,1 @@\n+a')[0]).toMatchObject({ oldStart: 6, oldLines: 0, newStart: 6 });
  });

  it('marks the line before a no-newline marker, on either side and in the middle of a hunk', () => {
    const marker = '\\ No newline at end of file';
    expect(rows(`@@ -1 +1 @@\n-a\n${marker}\n+a\n`)).toEqual(['removed 1 - "a" no-newline', 'added - 1 "a"']);
    expect(rows(`@@ -1 +1,2 @@\n-a\n${marker}\n+a\n+b\n${marker}`)).toEqual([
      'removed 1 - "a" no-newline',
      'added - 1 "a"',
      'added - 2 "b" no-newline',
    ]);
    expect(rows(`@@ -1,2 +1,2 @@\n-x\n+y\n a\n${marker}`)).toEqual([
      'removed 1 - "x"',
      'added - 1 "y"',
      'context 2 2 "a" no-newline',
    ]);
  });

  it('splits at line feeds only: CR, lone CR, form feed and U+2028 are content', () => {
    expect(rows('@@ -1,2 +1,2 @@\n-a\r\n+b\r\n c\rd\u2028e\ff')).toEqual([
      'removed 1 - "a\\r"',
      'added - 1 "b\\r"',
      `context 2 2 ${JSON.stringify('c\rd\u2028e\ff')}`,
    ]);
  });

  it('takes content that looks like headers for content', () => {
    expect(rows('@@ -1,2 +1,3 @@\n--- a/x\n+++ b/x\n+@@ -1 +1 @@\n diff --git a/x b/x')).toHaveLength(4);
  });

  it('is not fooled into a combined diff by content after a carriage return', () => {
    expect(rows('@@ -1 +1 @@\n-a\rdiff --cc x\n+a\r@@@ -1 -1 +1 @@@')).toHaveLength(2);
  });

  it('has no hunks for an empty patch and a binary notice', () => {
    expect(parseHunks('')).toEqual([]);
    expect(parseHunks('Binary files a/x.png and b/x.png differ\n')).toEqual([]);
  });

  it.each([
    ['a combined diff', 'combined_diff', '@@@ -1,2 -1,2 +1,3 @@@\n  a\n++b\n  c'],
    ['a whole combined diff', 'combined_diff', 'diff --cc x\nindex a,b..c\n'],
    ['too few lines', 'malformed_patch', '@@ -1,3 +1,3 @@\n a\n-b\n+c'],
    ['too many lines', 'malformed_patch', '@@ -1 +1 @@\n-a\n+b\n+c'],
    ['a line without a sign', 'malformed_patch', '@@ -1,2 +1,2 @@\n a\nb'],
    ['prose', 'malformed_patch', 'not a patch'],
    ['hunks that go backwards', 'malformed_patch', '@@ -9 +9 @@\n-a\n+b\n@@ -2 +2 @@\n-c\n+d'],
    ['two files', 'malformed_patch', '--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- b\n+++ b\n@@ -1 +1 @@\n-a\n+b'],
    ['a lost line', 'malformed_patch', '@@ -1 +1 @@\n-a'],
    ['a note after the hunks', 'malformed_patch', '@@ -1 +1 @@\n-a\n+b\n[diff truncated]'],
    ['a cut header', 'malformed_patch', '@@ -1 +1 @@\n-a\n+b\n@@ -9,3 +'],
    ['a marker before any line', 'malformed_patch', '@@ -1 +1 @@\n\\ No newline\n-a\n+b'],
  ])('refuses %s as rejected %s', (_name, code, patch) => {
    expect(() => parseHunks(patch)).toThrow(expect.objectContaining({ kind: 'rejected', code }));
  });
});

describe('parseGitDiff', () => {
  it('is empty for an empty diff', () => {
    expect(parseGitDiff('')).toEqual([]);
  });

  it('refuses a combined diff', () => {
    expect(() => parseGitDiff('diff --cc a.txt\nindex 1,2..3\n--- a/a.txt\n+++ b/a.txt\n')).toThrow(
      expect.objectContaining({ kind: 'rejected', code: 'combined_diff' }),
    );
  });
});
