import { describe, expect, it } from 'vitest';
import type { FilePatch, PatchLimits } from '../../../infra/local/simulators/git/patch-splitter.ts';
import { createPatchSplitter } from '../../../infra/local/simulators/git/patch-splitter.ts';

const ROOMY: PatchLimits = { maxBytes: 10_000, maxLines: 1_000, maxTotalBytes: 100_000 };

function split(text: string, limits: PatchLimits = ROOMY, step = text.length): FilePatch[] {
  const files: FilePatch[] = [];
  const splitter = createPatchSplitter(limits, (file) => files.push(file));
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += step) splitter.write(bytes.subarray(from, from + step));
  splitter.end();
  return files;
}

const THREE_FILES = [
  'diff --git a/a b/a',
  'index 1..2 100644',
  '--- a/a',
  '+++ b/a',
  '@@ -1,2 +1,2 @@',
  ' é',
  '-diff --git a/x b/x',
  '+Binary files a/x and b/x differ',
  '\\ No newline at end of file',
  'diff --git a/b b/b',
  'Binary files a/b and b/b differ',
  'diff --git a/c b/d',
  'similarity index 100%',
  'rename from c',
  'rename to d',
  '',
].join('\n');

describe('splitting the output of git diff-tree', () => {
  it.each([1, 2, 7, 1_000])('gives one patch a file when it comes in pieces of %i bytes', (step) => {
    expect(split(THREE_FILES, ROOMY, step)).toEqual([
      {
        patch:
          '@@ -1,2 +1,2 @@\n é\n-diff --git a/x b/x\n+Binary files a/x and b/x differ\n\\ No newline at end of file',
        isBinary: false,
        tooLarge: false,
      },
      { patch: undefined, isBinary: true, tooLarge: false },
      { patch: undefined, isBinary: false, tooLarge: false },
    ]);
  });

  const added = (name: string, lines: string[]): string =>
    `diff --git a/${name} b/${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;

  it('drops a patch over a limit and keeps the next one', () => {
    const text =
      added('long', ['x'.repeat(200)]) +
      added(
        'tall',
        Array.from({ length: 9 }, () => 'y'),
      ) +
      added('fine', ['z']);
    const files = split(text, { maxBytes: 100, maxLines: 5, maxTotalBytes: 1_000 }, 13);
    expect(files).toEqual([
      { patch: undefined, isBinary: false, tooLarge: true },
      { patch: undefined, isBinary: false, tooLarge: true },
      { patch: '@@ -0,0 +1,1 @@\n+z', isBinary: false, tooLarge: false },
    ]);
  });

  it('drops what is over the total', () => {
    const files = split(added('a', ['1']) + added('b', ['2']), { ...ROOMY, maxTotalBytes: 30 });
    expect(files.map((file) => file.tooLarge)).toEqual([false, true]);
  });
});
