import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { FileDiff } from '../../../shared/diff/file-diff.ts';
import { createLineMap } from '../../../shared/diff/line-map.ts';
import { parseGitDiff } from '../../../shared/diff/parse-patch.ts';
import { createRepository } from '../../support/git.ts';
import type { TestRepository } from '../../support/git.ts';
import { filePair, gitLines, unambiguousFilePair } from './arbitrary-files.ts';
import type { FilePair } from './arbitrary-files.ts';

let repository: TestRepository | undefined;
afterEach(() => {
  repository?.dispose();
  repository = undefined;
});

/** Commits the pairs as f0, f1, ... in two commits of a new repository. */
function commitPairs(pairs: readonly FilePair[]): TestRepository {
  repository?.dispose();
  const made = createRepository();
  repository = made;
  pairs.forEach((pair, index) => made.write(`f${index}`, pair.oldText));
  made.commit('old');
  pairs.forEach((pair, index) => made.write(`f${index}`, pair.newText));
  made.commit('new');
  return made;
}

function diffOf(repo: TestRepository, context: number): FileDiff[] {
  return parseGitDiff(repo.git('diff', '--text', `--unified=${context}`, 'HEAD~1', 'HEAD'));
}

/** Old number per new line as git blame tells it; undefined for lines of the second commit. */
function blame(repo: TestRepository, path: string): Map<number, number | undefined> {
  const second = repo.git('rev-parse', 'HEAD').trim();
  const numbers = new Map<number, number | undefined>();
  for (const line of repo.git('blame', '--porcelain', 'HEAD', '--', path).split('\n')) {
    const match = /^([0-9a-f]{40}) (\d+) (\d+)/.exec(line);
    if (match === null) continue;
    numbers.set(Number(match[3]), match[1] === second ? undefined : Number(match[2]));
  }
  return numbers;
}

/** Lines of the map that disagree with the two texts, as sentences. */
function wrongLines(file: FileDiff, oldLines: readonly string[], newLines: readonly string[]): string[] {
  return file.hunks
    .flatMap((hunk) => hunk.lines)
    .filter(
      (line) =>
        (line.oldLine !== undefined && line.text !== oldLines[line.oldLine - 1]) ||
        (line.newLine !== undefined && line.text !== newLines[line.newLine - 1]),
    )
    .map((line) => `${line.kind} ${line.oldLine}/${line.newLine} is not ${JSON.stringify(line.text)}`);
}

/** The old lines with every hunk's new lines put in its place. */
function rebuild(file: FileDiff, oldLines: readonly string[]): string[] {
  const rebuilt = [...oldLines];
  for (const hunk of file.hunks.toReversed()) {
    const shown = hunk.lines.flatMap((line) => (line.newLine === undefined ? [] : [line.text]));
    rebuilt.splice(hunk.oldStart - 1, hunk.oldLines, ...shown);
  }
  return rebuilt;
}

function pairsOf(count: number, pair = filePair): fc.Arbitrary<FilePair[]> {
  return fc.array(pair, { minLength: count, maxLength: count });
}

describe('line map of a real git diff', () => {
  it('gives every shown line the number it has in its file, at any context size', () => {
    fc.assert(
      fc.property(pairsOf(12), fc.nat(4), (versions, context) => {
        const files = diffOf(commitPairs(versions), context);
        const changed = versions.filter((pair) => pair.oldText !== pair.newText);
        expect(files).toHaveLength(changed.length);
        for (const file of files) {
          const pair = versions[Number(file.newPath?.slice(1))];
          const oldLines = gitLines(pair?.oldText ?? '');
          const newLines = gitLines(pair?.newText ?? '');
          expect(wrongLines(file, oldLines, newLines)).toEqual([]);
          expect(rebuild(file, oldLines)).toEqual(newLines);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('maps old to new numbers as git blame does, inside and outside the hunks', () => {
    fc.assert(
      fc.property(pairsOf(6, unambiguousFilePair), fc.nat(3), (versions, context) => {
        const repo = commitPairs(versions);
        for (const file of diffOf(repo, context)) {
          const map = createLineMap(file.hunks);
          const path = file.newPath ?? '';
          const blamed = [...blame(repo, path)];
          expect(blamed.map(([newLine]) => [newLine, map.toOld(newLine)])).toEqual(blamed);

          const newByOld = new Map(blamed.map(([newLine, oldLine]) => [oldLine, newLine]));
          const oldCount = gitLines(versions[Number(path.slice(1))]?.oldText ?? '').length;
          for (let line = 1; line <= oldCount; line += 1) expect(map.toNew(line)).toBe(newByOld.get(line));
        }
      }),
      { numRuns: 8 },
    );
  });

  it('says that exactly the lines git shows can be commented, one range per hunk', () => {
    fc.assert(
      fc.property(pairsOf(12), fc.constantFrom('old', 'new'), (versions, side) => {
        for (const file of diffOf(commitPairs(versions), 3)) {
          const map = createLineMap(file.hunks);
          const shown = file.hunks.flatMap((hunk, index) =>
            hunk.lines
              .map((line) => ({ number: side === 'old' ? line.oldLine : line.newLine, index }))
              .filter((line) => line.number !== undefined),
          );
          const inRanges = map.validRanges(side).flatMap(({ startLine, line }) => {
            expect(map.isCommentable(side, { startLine, line })).toBe(true);
            expect(map.isCommentable(side, { startLine, line: line + 1 })).toBe(false);
            return Array.from({ length: line - startLine + 1 }, (_, offset) => startLine + offset);
          });
          expect(inRanges.map((number) => ({ number, index: map.hunkAt(side, number) }))).toEqual(shown);
        }
      }),
      { numRuns: 8 },
    );
  });
});
