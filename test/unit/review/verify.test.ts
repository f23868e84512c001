import { describe, expect, it } from 'vitest';
import { verifyFindings } from '../../../shared/review/verify.ts';
import { aFile, aFinding } from './builders.ts';

const SHOWN = aFile({ path: 'src/new.ts', previousPath: 'src/old.ts' });
const OTHER = aFile({ path: 'src/other.ts' });
const FILES = [SHOWN, OTHER].map((file) => ({ file, hunks: [], isFromProvider: true, mustBeReviewed: true }));
const UNIT = { id: 'unit-1', parts: [{ file: SHOWN, hunks: [] }] };

function verify(...findings: ReturnType<typeof aFinding>[]) {
  return verifyFindings([{ pass: 'baseline unit-1', unit: UNIT, findings }], FILES);
}

describe('verifyFindings', () => {
  it.each(['src/new.ts', './src/new.ts', 'b/src/new.ts', 'a/src/old.ts', 'src/old.ts'])(
    'understands the path %s as the shown file',
    (path) => {
      expect(verify(aFinding({ path })).verified).toEqual([aFinding({ path: 'src/new.ts' })]);
    },
  );

  it.each([
    ['/etc/passwd', 'not_in_change'],
    ['../src/new.ts', 'not_in_change'],
    ['src/unchanged.ts', 'not_in_change'],
    ['src/other.ts', 'not_shown'],
  ])('refuses a finding on %s: %s', (path, reason) => {
    const finding = aFinding({ path });
    expect(verify(finding)).toEqual({
      verified: [],
      rejected: [{ finding, pass: 'baseline unit-1', reason }],
    });
  });

  it('refuses findings that say nothing', () => {
    expect(verify(aFinding({ path: 'src/new.ts', title: ' ' })).rejected).toMatchObject([
      { reason: 'empty' },
    ]);
    expect(verify(aFinding({ path: 'src/new.ts', body: '\n' })).rejected).toMatchObject([
      { reason: 'empty' },
    ]);
  });
});
