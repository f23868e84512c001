import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileDiff } from '../../../shared/diff/file-diff.ts';
import { parseGitDiff } from '../../../shared/diff/parse-patch.ts';
import { createRepository } from '../../support/git.ts';
import type { TestRepository } from '../../support/git.ts';

const TEN_LINES = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n';
const PNG = Uint8Array.of(137, 80, 78, 71, 0, 1, 2, 3);
const AWKWARD_PATHS = [
  'café.txt',
  'with space.txt',
  'trailing space ',
  'a b/a b/same.txt',
  'tab\there.txt',
  'quote".txt',
  'back\\slash.txt',
  'line\nfeed.txt',
  '日本/😀.txt',
  ' b/x',
];

let repository: TestRepository;
let files: FileDiff[];

beforeAll(() => {
  repository = createRepository();
  for (const path of AWKWARD_PATHS) repository.write(path, 'old\n');
  repository.write('pure-rename.txt', TEN_LINES);
  repository.write('edited b/rename.txt', TEN_LINES.replace('a', 'A'));
  repository.write('mode-only.sh', 'x\n');
  repository.write('mode-and-edit.sh', 'x\n');
  repository.write('gone.txt', 'one\ntwo\n');
  repository.write('gone-empty', '');
  repository.write('image.png', PNG);
  repository.write('becomes-link', 'text\n');
  const first = repository.commit('old');
  repository.git('update-index', '--add', '--cacheinfo', `160000,${first},module`);
  repository.git('commit', '--quiet', '-m', 'add a submodule');

  for (const path of AWKWARD_PATHS) repository.write(path, 'new\n');
  for (const path of ['pure-rename.txt', 'edited b/rename.txt', 'gone.txt', 'gone-empty', 'becomes-link']) {
    repository.remove(path);
  }
  repository.write('moved/pure b/rename.txt', TEN_LINES);
  repository.write('moved/edited.txt', TEN_LINES.replace('a', 'A').replace('e', 'E'));
  repository.write('mode-and-edit.sh', 'y\n');
  for (const path of ['mode-only.sh', 'mode-and-edit.sh']) chmodSync(join(repository.directory, path), 0o755);
  repository.write('image.png', Uint8Array.of(...PNG, 9));
  repository.write('new.txt', 'no newline');
  repository.write('new-empty', '');
  symlinkSync('new.txt', join(repository.directory, 'becomes-link'));
  repository.git('add', '--all', '--force', '--', '.', ':!module');
  repository.git(
    'update-index',
    '--cacheinfo',
    `160000,${repository.git('rev-parse', 'HEAD').trim()},module`,
  );
  repository.git('commit', '--quiet', '-m', 'new');
  files = parseGitDiff(repository.git('diff', '--find-renames', 'HEAD~1', 'HEAD'));
});
afterAll(() => repository.dispose());

function byNewPath(path: string): FileDiff | undefined {
  return files.find((file) => file.newPath === path);
}

describe('a whole git diff', () => {
  it('has every file that git lists, with git own paths', () => {
    const listed = repository
      .git('diff', '--find-renames', '--name-only', '-z', 'HEAD~1', 'HEAD')
      .split('\0')
      .filter((path) => path !== '');
    const paths = new Set(files.map((file) => file.newPath ?? file.oldPath));
    expect(paths).toEqual(new Set(listed));
    expect(paths.size).toBe(20);
  });

  it.each(AWKWARD_PATHS)('decodes the path %j on both sides', (path) => {
    expect(byNewPath(path)).toMatchObject({ oldPath: path, newPath: path, change: 'modified' });
    expect(byNewPath(path)?.hunks[0]?.lines.map((line) => line.text)).toEqual(['old', 'new']);
  });

  it('decodes unquoted non-ASCII paths too', () => {
    const diff = repository.git('-c', 'core.quotePath=false', 'diff', 'HEAD~1', 'HEAD', '--', 'café.txt');
    expect(parseGitDiff(diff)[0]).toMatchObject({ oldPath: 'café.txt', newPath: 'café.txt' });
  });

  it('tells renames with and without edits', () => {
    expect(byNewPath('moved/pure b/rename.txt')).toMatchObject({
      oldPath: 'pure-rename.txt',
      change: 'renamed',
      hunks: [],
    });
    const edited = byNewPath('moved/edited.txt');
    expect(edited).toMatchObject({ oldPath: 'edited b/rename.txt', change: 'renamed' });
    expect(edited?.hunks[0]?.lines.filter((line) => line.kind !== 'context')).toEqual([
      { kind: 'removed', text: 'e', oldLine: 5 },
      { kind: 'added', text: 'E', newLine: 5 },
    ]);
  });

  it('tells mode changes with and without edits', () => {
    expect(byNewPath('mode-only.sh')).toMatchObject({ oldMode: '100644', newMode: '100755', hunks: [] });
    expect(byNewPath('mode-and-edit.sh')).toMatchObject({ oldMode: '100644', newMode: '100755' });
    expect(byNewPath('mode-and-edit.sh')?.hunks).toHaveLength(1);
  });

  it('tells new, deleted and empty files', () => {
    expect(byNewPath('new.txt')).toMatchObject({ change: 'added', newMode: '100644' });
    expect(byNewPath('new.txt')).not.toHaveProperty('oldPath');
    expect(byNewPath('new.txt')?.hunks[0]?.lines).toEqual([
      { kind: 'added', text: 'no newline', newLine: 1, noNewline: true },
    ]);
    const gone = files.find((file) => file.oldPath === 'gone.txt');
    expect(gone).toMatchObject({ change: 'deleted', oldMode: '100644' });
    expect(gone).not.toHaveProperty('newPath');
  });

  it('tells empty files that came and went', () => {
    const diff = repository.git('diff', '--no-renames', 'HEAD~1', 'HEAD', '--', 'gone-empty', 'new-empty');
    expect(parseGitDiff(diff)).toMatchObject([
      { oldPath: 'gone-empty', change: 'deleted', hunks: [] },
      { newPath: 'new-empty', change: 'added', hunks: [] },
    ]);
  });

  it('tells binary files, as a notice and as a binary patch', () => {
    expect(byNewPath('image.png')).toMatchObject({ isBinary: true, hunks: [] });
    const patch = repository.git('diff', '--binary', 'HEAD~1', 'HEAD', '--', 'image.png');
    expect(parseGitDiff(patch)[0]).toMatchObject({ newPath: 'image.png', isBinary: true, hunks: [] });
  });

  it('tells a submodule and a file that became a link', () => {
    expect(byNewPath('module')).toMatchObject({ isSubmodule: true, change: 'modified' });
    expect(byNewPath('module')?.hunks[0]?.lines[0]?.text).toMatch(/^Subproject commit [0-9a-f]{40}$/);
    const link = files.filter((file) => (file.newPath ?? file.oldPath) === 'becomes-link');
    expect(link.map((file) => [file.change, file.oldMode, file.newMode])).toEqual([
      ['deleted', '100644', undefined],
      ['added', undefined, '120000'],
    ]);
  });

  it('refuses the combined diff of a merge', () => {
    repository.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    repository.write('with space.txt', 'side\n');
    repository.git('commit', '--quiet', '-m', 'side', '--', 'with space.txt');
    repository.git('checkout', '--quiet', 'main');
    repository.git('merge', '--quiet', '--strategy=ours', '-m', 'merge', 'side');
    repository.write('with space.txt', 'both\n');
    repository.git('commit', '--quiet', '--amend', '-m', 'merge', '--', 'with space.txt');
    const combined = repository.git('diff-tree', '--cc', 'HEAD');
    expect(combined).toContain('diff --cc ');
    expect(() => parseGitDiff(combined)).toThrow(expect.objectContaining({ code: 'combined_diff' }));
  });
});
