import { describe, expect, it } from 'vitest';
import { fingerprintFinding } from '../../../shared/diff/fingerprint.ts';

const base = {
  path: 'src/a.ts',
  category: 'bug',
  title: 'Null is not handled',
  evidence: 'if (x) {\n  y();\n}',
};

describe('fingerprintFinding', () => {
  it('has the same value on every machine and in every version', () => {
    expect(fingerprintFinding(base)).toBe('287018ecf3756f80fb201a789b24f4bc');
  });

  it('survives re-indentation, carriage returns, blank lines and other wording', () => {
    const moved = {
      ...base,
      title: 'Other words',
      category: 'style',
      evidence: '\tif (x)  {\r\n\n\ty();\r\n\t}\n',
    };
    expect(fingerprintFinding(moved)).toBe(fingerprintFinding(base));
  });

  it('changes with the code, its line structure and the path', () => {
    const values = [
      base,
      { ...base, evidence: 'if (z) {\n  y();\n}' },
      { ...base, evidence: 'if (x) { y(); }' },
      { ...base, path: 'src/b.ts' },
    ].map(fingerprintFinding);
    expect(new Set(values).size).toBe(4);
  });

  it('tells findings without evidence apart by category and words', () => {
    const none = { ...base, evidence: ' \n' };
    expect(fingerprintFinding({ ...none, title: 'NULL is not handled!' })).toBe(fingerprintFinding(none));
    expect(fingerprintFinding({ ...none, title: 'Tests are missing' })).not.toBe(fingerprintFinding(none));
    expect(fingerprintFinding({ ...none, category: 'style' })).not.toBe(fingerprintFinding(none));
  });
});
