import { describe, expect, it } from 'vitest';
import type { Hunk } from '../../../shared/diff/file-diff.ts';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';
import { chooseTier } from '../../../shared/review/choose-tier.ts';
import { excludedByPath } from '../../../shared/review/classify-path.ts';
import { planReview } from '../../../shared/review/plan.ts';
import type { ReviewFile } from '../../../shared/review/review-file.ts';
import { splitUnits } from '../../../shared/review/split-units.ts';
import { aFile, aPullRequest } from './builders.ts';

function reviewFile(path: string, patch: string, additions = 1): ReviewFile {
  return {
    file: aFile({ path, patch, additions }),
    hunks: parseHunks(patch),
    isFromProvider: true,
    mustBeReviewed: true,
  };
}

function addedLines(first: number, count: number): string {
  return `@@ -${first - 1},0 +${first},${count} @@\n${Array.from({ length: count }, (_, index) => `+line ${index}`).join('\n')}`;
}

/** Every new and old line number that the units show, per path. */
function shownLines(units: ReturnType<typeof splitUnits>['units']): string[] {
  return units.flatMap(({ parts }) =>
    parts.flatMap(({ file, hunks }) =>
      hunks.flatMap(({ lines }) => lines.map(({ oldLine, newLine }) => `${file.path} ${oldLine} ${newLine}`)),
    ),
  );
}

function isConsistent({ oldStart, oldLines, newStart, newLines, lines }: Hunk): boolean {
  const old = lines.flatMap(({ oldLine }) => oldLine ?? []);
  const fresh = lines.flatMap(({ newLine }) => newLine ?? []);
  return (
    old.length === oldLines &&
    fresh.length === newLines &&
    (oldLines === 0 || old[0] === oldStart) &&
    (newLines === 0 || fresh[0] === newStart)
  );
}

describe('excludedByPath', () => {
  it.each([
    ['package-lock.json', 'lock_file'],
    ['api/Cargo.lock', 'lock_file'],
    ['go.sum', 'lock_file'],
    ['vendor/github.com/x/y.go', 'vendored'],
    ['app/node_modules/x/index.js', 'vendored'],
    ['static/app.min.js', 'minified'],
    ['static/app.js.map', 'minified'],
    ['src/__snapshots__/a.test.ts.snap', 'test_snapshot'],
    ['api/user.pb.go', 'generated'],
    ['Forms/Main.Designer.cs', 'generated'],
    ['src/lock.ts', undefined],
    ['src/vendor.ts', undefined],
    ['package.json', undefined],
    ['docs/go.sum.md', undefined],
  ])('%s: %s', (path, expected) => {
    expect(excludedByPath(path)).toBe(expected);
  });
});

describe('chooseTier', () => {
  const small = '@@ -1 +1 @@\n-a\n+b';
  it.each([
    [['README.md', 'docs/x.rst'], 1, 'skim', 'documentation_only'],
    [['README.md', 'src/a.ts'], 1, 'standard', 'ordinary'],
    [['src/auth/login.ts'], 1, 'deep', 'risky_path'],
    [['docs/auth.md', 'src/a.ts'], 1, 'standard', 'ordinary'],
    [['src/a.ts'], 401, 'deep', 'large'],
  ])('%j with %i added lines: %s because %s', (paths, additions, tier, reason) => {
    const files = paths.map((path) => reviewFile(path, small, additions));
    expect(chooseTier(files)).toEqual({ tier, reason });
  });
});

describe('splitUnits', () => {
  it('keeps small files together and in order', () => {
    const files = [reviewFile('a.ts', addedLines(1, 2)), reviewFile('b.ts', addedLines(1, 2))];
    const { units, left } = splitUnits(files, { unitCharacters: 10_000, maxUnits: 5 });
    expect([units.map(({ id, parts }) => [id, parts.map(({ file }) => file.path)]), left]).toEqual([
      [['unit-1', ['a.ts', 'b.ts']]],
      [],
    ]);
  });

  it('shows every line once, whatever the budget, in pieces whose numbers are right', () => {
    const mixed = '@@ -3,4 +3,5 @@\n keep\n-old one\n-old two\n+new one\n+new two\n+new three\n keep';
    const files = [reviewFile('a.ts', `${mixed}\n${addedLines(100, 60)}`), reviewFile('b.ts', mixed)];
    const all = shownLines([{ id: 'x', parts: files.map(({ file, hunks }) => ({ file, hunks })) }]);
    for (const unitCharacters of [1, 300, 400, 700, 1_500, 100_000]) {
      const { units, left } = splitUnits(files, { unitCharacters, maxUnits: 1_000 });
      expect(left).toEqual([]);
      expect(shownLines(units)).toEqual(all);
      expect(units.flatMap(({ parts }) => parts.flatMap(({ hunks }) => hunks)).every(isConsistent)).toBe(
        true,
      );
    }
  });

  it('a file of 60,000 lines is spread over units, and what does not fit is named once', () => {
    const { units, left } = splitUnits([reviewFile('big.ts', addedLines(1, 60_000))], {
      unitCharacters: 120_000,
      maxUnits: 3,
    });
    expect(units.map(({ parts }) => parts.length)).toEqual([1, 1, 1]);
    expect(left).toEqual(['big.ts']);
  });
});

describe('planReview', () => {
  const files = [reviewFile('src/a.ts', addedLines(1, 2)), reviewFile('src/b.ts', addedLines(1, 40))];
  const rules = { text: 'rules', promptSha: 'sha', packs: ['p@1.0.0'] };
  const models = { skim: 'small', standard: 'middle', deep: 'big' };
  const pullRequest = aPullRequest();
  const plan = planReview({
    pullRequest,
    files,
    rules,
    models,
    unitLimits: { unitCharacters: 600, maxUnits: 2 },
  });

  it('names tier, model, passes and what is left', () => {
    expect(plan).toMatchObject({ tier: 'standard', tierReason: 'ordinary', model: 'middle' });
    expect(plan.passes.map(({ name }) => name)).toEqual(['baseline unit-1', 'baseline unit-2']);
    expect(plan.left).toEqual([{ what: 'src/b.ts', reason: 'over_budget' }]);
  });

  it('has one hash for equal inputs and another for a changed head, rules, model or diff', () => {
    const limits = { unitLimits: { unitCharacters: 600, maxUnits: 2 } };
    const again = planReview({ pullRequest: aPullRequest(), files, rules, models, ...limits });
    expect(again.hash).toBe(plan.hash);
    const changed = [
      planReview({ pullRequest: aPullRequest({ headSha: 'c'.repeat(40) }), files, rules, models, ...limits }),
      planReview({ pullRequest, files, rules: { ...rules, promptSha: 'x' }, models, ...limits }),
      planReview({ pullRequest, files, rules, models: { ...models, standard: 'new' }, ...limits }),
      planReview({ pullRequest, files: files.slice(0, 1), rules, models, ...limits }),
    ].map(({ hash }) => hash);
    expect(new Set([plan.hash, ...changed]).size).toBe(5);
  });
});
