import { describe, expect, it } from 'vitest';
import { diffTexts } from '../../../shared/diff/diff-texts.ts';
import { formatHunks } from '../../../shared/diff/format-hunks.ts';

function patch(
  oldContent: string | Uint8Array | undefined,
  newContent: string | Uint8Array | undefined,
): string {
  const diff = diffTexts(oldContent, newContent);
  return diff.kind === 'binary' ? 'binary' : formatHunks(diff.hunks);
}

/** Numbers from 0 in an order that looks random and is the same every time. */
function shuffled(count: number): number[] {
  let state = 1;
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (at + 1);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}

describe('diffTexts', () => {
  it('writes hunks with three lines of context, joined when their contexts touch', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index + 1}\n`);
    const changed = lines.with(4, 'five\n').with(11, 'twelve\n').with(24, 'x\n');
    expect(patch(lines.join(''), changed.join(''))).toBe(
      [
        '@@ -2,14 +2,14 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n+twelve\n 13\n 14\n 15',
        '@@ -22,7 +22,7 @@\n 22\n 23\n 24\n-25\n+x\n 26\n 27\n 28',
      ].join('\n'),
    );
  });

  it('writes new, deleted, equal and empty files', () => {
    expect(patch(undefined, 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b');
    expect(patch('a\n', undefined)).toBe('@@ -1 +0,0 @@\n-a');
    expect(patch('a\n', 'a\n')).toBe('');
    expect(patch(undefined, '')).toBe('');
  });

  it('tells a line feed that came or went', () => {
    expect(patch('a', 'a\n')).toBe('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a');
    expect(patch('a\nb', 'x\nb')).toBe('@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file');
  });

  it('keeps carriage returns and a byte order mark as content', () => {
    expect(patch('\uFEFFa\r\n', 'a\r\n')).toBe('@@ -1 +1 @@\n-\uFEFFa\r\n+a\r');
    expect(patch(new TextEncoder().encode('\uFEFFa\n'), 'a\n')).toBe('@@ -1 +1 @@\n-\uFEFFa\n+a');
  });

  it('calls content with a NUL near its start binary, later NULs text', () => {
    expect(patch('a\0', 'b')).toBe('binary');
    expect(patch('b', Uint8Array.of(97, 0))).toBe('binary');
    expect(patch('a\n', `a\n${'x'.repeat(8000)}\0`)).not.toBe('binary');
  });

  it('sees a change of invalid bytes that decode to the same character', () => {
    expect(patch(Uint8Array.of(0xff, 10), Uint8Array.of(0xfe, 10))).toBe('@@ -1 +1 @@\n-\uFFFD\n+\uFFFD');
    expect(patch(Uint8Array.of(0xff, 10), Uint8Array.of(0xff, 10))).toBe('');
  });

  it('stays exact on huge files with few changes and on complete rewrites', () => {
    const old = Array.from({ length: 300_000 }, (_, index) => `line ${index}`);
    const some = old.map((line, index) => (index % 1000 === 0 ? `${line}!` : line));
    const few = diffTexts(old.join('\n'), some.join('\n'));
    expect(few).toMatchObject({ additions: 300, deletions: 300, isMinimal: true });
    const all = diffTexts(old.join('\n'), old.map((line) => `new ${line}`).join('\n'));
    expect(all).toMatchObject({ additions: 300_000, deletions: 300_000, isMinimal: true });
  });

  it.each([
    ['lines in another order', shuffled(200_000).map((number) => `line ${number}`)],
    ['few lines over and over', shuffled(200_000).map((number) => `line ${number % 7}`)],
  ])('gives a longer diff that still holds, instead of hanging, for %s', (_name, newLines) => {
    const oldLines = newLines.toReversed();
    const started = performance.now();
    const diff = diffTexts(oldLines.join('\n'), newLines.join('\n'));
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(diff).toMatchObject({ kind: 'text', isMinimal: false });
    const newSide = diff.kind === 'text' ? diff.hunks.flatMap((hunk) => hunk.lines) : [];
    const added = newSide.filter((line) => line.kind === 'added');
    const removed = newSide.filter((line) => line.kind === 'removed');
    expect(added.every((line) => newLines[line.newLine - 1] === line.text)).toBe(true);
    expect(removed.every((line) => oldLines[line.oldLine - 1] === line.text)).toBe(true);
    expect(added.length).toBe(removed.length);
  });
});
