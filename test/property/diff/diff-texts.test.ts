import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { diffTexts } from '../../../shared/diff/diff-texts.ts';
import type { TextDiff } from '../../../shared/diff/diff-texts.ts';
import type { Hunk } from '../../../shared/diff/file-diff.ts';
import { formatHunks } from '../../../shared/diff/format-hunks.ts';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';
import { createRepository } from '../../support/git.ts';
import type { TestRepository } from '../../support/git.ts';
import { filePair } from './arbitrary-files.ts';

let repository: TestRepository | undefined;
afterEach(() => {
  repository?.dispose();
  repository = undefined;
});

function textDiff(oldText: string, newText: string, context: number): TextDiff & { kind: 'text' } {
  const diff = diffTexts(oldText, newText, { context });
  if (diff.kind === 'binary') throw new Error('taken for binary');
  return diff;
}

/** The old text with the hunks applied, by the line feeds and markers of the hunks alone. */
function apply(oldText: string, hunks: readonly Hunk[]): string {
  const pieces = oldText.split(/(?<=\n)/);
  if (oldText === '') pieces.pop();
  for (const hunk of hunks.toReversed()) {
    const shown = hunk.lines.filter((line) => line.kind !== 'removed');
    pieces.splice(
      hunk.oldStart - 1,
      hunk.oldLines,
      ...shown.map((line) => line.text + (line.noNewline ? '' : '\n')),
    );
  }
  return pieces.join('');
}

describe('diffTexts', () => {
  it('turns the old text into the new one and reads back as the same hunks', () => {
    fc.assert(
      fc.property(filePair, fc.nat(5), ({ oldText, newText }, context) => {
        const { hunks, isMinimal, additions, deletions } = textDiff(oldText, newText, context);
        expect(apply(oldText, hunks)).toBe(newText);
        expect(parseHunks(formatHunks(hunks))).toEqual(hunks);
        expect(isMinimal).toBe(true);
        const kinds = hunks.flatMap((hunk) => hunk.lines.map((line) => line.kind));
        expect(kinds.filter((kind) => kind === 'added')).toHaveLength(additions);
        expect(kinds.filter((kind) => kind === 'removed')).toHaveLength(deletions);
      }),
      { numRuns: 1500 },
    );
  });

  it('is a patch that git applies, with no more changed lines than git needs', () => {
    fc.assert(
      fc.property(fc.array(filePair, { minLength: 10, maxLength: 10 }), (pairs) => {
        repository?.dispose();
        const repo = createRepository();
        repository = repo;
        // Without text on a side git wants a header that says new or deleted.
        const versions = pairs.map(({ oldText, newText }) => ({
          oldText: `${oldText}z`,
          newText: `${newText}z`,
        }));
        versions.forEach((pair, index) => repo.write(`f${index}`, pair.oldText));
        repo.commit();
        const diffs = versions.map((pair) => textDiff(pair.oldText, pair.newText, 3));
        const patch = diffs.map(({ hunks }, index) =>
          hunks.length === 0 ? '' : `--- a/f${index}\n+++ b/f${index}\n${formatHunks(hunks)}\n`,
        );
        repo.write('patch', patch.join(''));
        if (patch.join('') !== '') repo.git('apply', '--whitespace=nowarn', 'patch');
        const applied = repo.git('diff', '--text', '--minimal', '--numstat').split('\n');
        for (const row of applied.filter((line) => line !== '')) {
          const [added, removed, path = ''] = row.split('\t');
          const diff = diffs[Number(path.slice(1))];
          expect((diff?.additions ?? 0) + (diff?.deletions ?? 0)).toBeLessThanOrEqual(
            Number(added) + Number(removed),
          );
        }
        const texts = versions.map((_, index) => readFileSync(join(repo.directory, `f${index}`), 'utf8'));
        expect(texts).toEqual(versions.map((pair) => pair.newText));
      }),
      { numRuns: 12 },
    );
  });
});
