import { describe, expect, it } from 'vitest';
import { toChangeEntries } from '../../../shared/providers/azure-devops/change-entries.ts';

describe('the files among the changes', () => {
  it('are told by their kinds, whatever stands beside them', () => {
    const entries = toChangeEntries([
      { changeTrackingId: 1, changeType: 'add', item: { path: '/a.ts', objectId: 'n' } },
      {
        changeTrackingId: 2,
        changeType: 'edit, encoding',
        item: { path: '/b.ts', objectId: 'n', originalObjectId: 'o' },
      },
      { changeTrackingId: 3, changeType: 'delete', item: { path: '/c.ts', originalObjectId: 'o' } },
      {
        changeTrackingId: 4,
        changeType: 'Edit, Rename',
        item: { path: '/d.ts', objectId: 'n' },
        originalPath: '/was/d.ts',
      },
      { changeType: 'rename', item: { path: '/e.ts', objectId: 'n' }, sourceServerItem: '/was/e.ts' },
      { changeType: 'undelete', item: { path: '/f.ts', objectId: 'n' } },
    ]);
    const file = { isSubmodule: false };
    expect(entries).toEqual([
      { ...file, path: 'a.ts', change: 'added', newBlob: 'n', changeTrackingId: 1 },
      { ...file, path: 'b.ts', change: 'modified', newBlob: 'n', oldBlob: 'o', changeTrackingId: 2 },
      { ...file, path: 'c.ts', change: 'deleted', oldBlob: 'o', changeTrackingId: 3 },
      {
        ...file,
        path: 'd.ts',
        previousPath: 'was/d.ts',
        change: 'renamed',
        newBlob: 'n',
        changeTrackingId: 4,
      },
      { ...file, path: 'e.ts', previousPath: 'was/e.ts', change: 'renamed', newBlob: 'n' },
      { ...file, path: 'f.ts', change: 'added', newBlob: 'n' },
    ]);
  });

  it('do not hold folders, nor the former place of what was renamed', () => {
    const entries = toChangeEntries([
      { changeType: 'add', item: { path: '/dir', isFolder: true } },
      { changeType: 'add', item: { path: '/dir2', gitObjectType: 'tree' } },
      { changeType: 'delete, sourceRename', item: { path: '/old.ts', originalObjectId: 'o' } },
      { changeType: 'rename', item: { path: '/new.ts', objectId: 'n' }, originalPath: '/old.ts' },
      { changeType: 'edit', item: null },
    ]);
    expect(entries.map(({ path }) => path)).toEqual(['new.ts']);
  });

  it('hold a former place whose new one is not listed as deleted', () => {
    expect(
      toChangeEntries([
        { changeType: 'delete, sourceRename', item: { path: '/old.ts', originalObjectId: 'o' } },
      ]),
    ).toEqual([{ path: 'old.ts', change: 'deleted', oldBlob: 'o', isSubmodule: false }]);
  });

  it('take the path and the blob of a deleted file from where they are', () => {
    expect(
      toChangeEntries([
        { changeType: 'delete', item: { objectId: 'o' }, originalPath: '/gone.ts' },
        { changeType: 'edit', item: { path: '/lib', objectId: 'n', gitObjectType: 'commit' } },
      ]),
    ).toEqual([
      { path: 'gone.ts', change: 'deleted', oldBlob: 'o', isSubmodule: false },
      { path: 'lib', change: 'modified', newBlob: 'n', isSubmodule: true },
    ]);
  });

  it('are all there when two files change places, and when a new file takes the place of a renamed one', () => {
    const entries = toChangeEntries([
      { changeType: 'rename', item: { path: '/a.ts', objectId: '1' }, originalPath: '/b.ts' },
      { changeType: 'rename', item: { path: '/b.ts', objectId: '2' }, originalPath: '/a.ts' },
      { changeType: 'rename', item: { path: '/d.ts', objectId: '3' }, originalPath: '/c.ts' },
      { changeType: 'add', item: { path: '/c.ts', objectId: '4' } },
    ]);
    expect(entries.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'renamed a.ts',
      'renamed b.ts',
      'renamed d.ts',
      'added c.ts',
    ]);
  });
});
