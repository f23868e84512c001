import { describe, expect, it } from 'vitest';
import { anchorFinding } from '../../../shared/diff/anchor.ts';
import type { AnchorResult } from '../../../shared/diff/anchor.ts';
import { prepareFile } from '../../../shared/diff/anchorable-file.ts';
import type { AnchorableFileInput } from '../../../shared/diff/anchorable-file.ts';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';
import type { Finding } from '../../../shared/domain/finding.ts';

const NEW_TEXT = [
  'import x;', // 1
  '', // 2
  'function a() {', // 3
  '\tconst user = load(id);', // 4
  '', // 5
  '\treturn user.name;', // 6
  '}', // 7
  '// 8', // 8
  '// 9', // 9
  'function helper() {', // 10
  '  audit();', // 11
  '}', // 12
  '// 13', // 13
  'function b() {', // 14
  '\tconst user = load(id);', // 15
  '  return 2;', // 16
  '}', // 17
  '', // 18
].join('\n');
const PATCH = [
  '@@ -3,4 +3,5 @@',
  ' function a() {',
  '-\treturn load(id).name;',
  '+\tconst user = load(id);',
  '+',
  '+\treturn user.name;',
  ' }',
  '-// seven',
  '@@ -13,3 +14,4 @@',
  ' function b() {',
  '+\tconst user = load(id);',
  '   return 2;',
  ' }',
].join('\n');

const FILE: AnchorableFileInput = { path: 'src/a.ts', hunks: parseHunks(PATCH), newText: NEW_TEXT };

function anchor(finding: Partial<Finding>, file: AnchorableFileInput = FILE): AnchorResult {
  return anchorFinding({
    finding: {
      path: 'src/a.ts',
      line: 1,
      side: 'new',
      severity: 'medium',
      category: 'bug',
      title: 'title',
      body: 'body',
      evidence: '',
      suggestion: null,
      ...finding,
    },
    file: prepareFile(file),
  });
}

describe('anchorFinding', () => {
  it('uses the claimed line when the evidence stands there', () => {
    expect(anchor({ line: 15, evidence: '\tconst user = load(id);' })).toEqual({
      anchor: { kind: 'line', path: 'src/a.ts', side: 'new', line: 15, corrected: false },
      reason: 'claimed',
      verified: true,
      evidenceAt: { side: 'new', startLine: 15, line: 15 },
    });
  });

  it('corrects to the nearest place in the hunks', () => {
    expect(anchor({ line: 12, evidence: 'const user = load(id);' }).anchor).toMatchObject({
      line: 15,
      corrected: true,
    });
    expect(anchor({ line: 7, evidence: 'const user = load(id);' }).anchor).toMatchObject({
      line: 4,
      corrected: true,
    });
  });

  it('tolerates white space, carriage returns and blank lines on both sides', () => {
    const evidence = 'const  user=load( id );\r\n\r\n\r\n   return user.name;';
    expect(anchor({ line: 6, evidence })).toMatchObject({
      anchor: { kind: 'line', startLine: 4, line: 6, corrected: false },
      reason: 'claimed',
    });
  });

  it('finds a part of a line, at the claimed line before a whole line elsewhere', () => {
    expect(anchor({ line: 4, evidence: 'load(id)' }).anchor).toMatchObject({ line: 4, corrected: false });
    expect(anchor({ line: 6, evidence: 'user = load(id);\nreturn user' }).anchor).toMatchObject({
      startLine: 4,
      line: 6,
    });
  });

  it('believes the claimed line with a part of the evidence before the whole of it elsewhere', () => {
    const hunks = parseHunks('@@ -0,0 +1,3 @@\n+const x = run(1);\n+\n+run(1);');
    expect(anchor({ line: 1, evidence: 'run(1);' }, { path: 'x', hunks }).anchor.line).toBe(1);
    expect(anchor({ line: 2, evidence: 'run(1);' }, { path: 'x', hunks }).anchor.line).toBe(3);
  });

  it('takes no fragment of fewer than four characters for evidence', () => {
    expect(anchor({ line: 4, evidence: 'id)' })).toMatchObject({ reason: 'not_found', verified: false });
  });

  it.each([
    ['the columns of a rendered diff', '+     4 | \tconst user = load(id);\n+     6 | \treturn user.name;'],
    ['diff signs', '+\tconst user = load(id);\n+\n+\treturn user.name;'],
  ])('forgives %s', (_name, evidence) => {
    expect(anchor({ line: 6, evidence }).anchor).toMatchObject({ kind: 'line', startLine: 4, line: 6 });
  });

  it('puts evidence on a removed line on the old side', () => {
    expect(anchor({ line: 4, side: 'old', evidence: 'return load(id).name;' }).anchor).toEqual({
      kind: 'line',
      path: 'src/a.ts',
      side: 'old',
      line: 4,
      corrected: false,
    });
    expect(anchor({ line: 6, side: 'new', evidence: '// seven' }).anchor).toMatchObject({
      kind: 'line',
      side: 'old',
      line: 6,
      corrected: true,
    });
  });

  it('comments on the file, naming the true line, when the evidence stands only outside the hunks', () => {
    expect(anchor({ line: 4, evidence: 'audit();' })).toEqual({
      anchor: { kind: 'file', path: 'src/a.ts', side: 'new', corrected: true },
      reason: 'outside_hunks',
      verified: true,
      evidenceAt: { side: 'new', startLine: 11, line: 11 },
    });
  });

  it('believes a right line outside the hunks rather than move to an equal line inside', () => {
    expect(anchor({ line: 12, evidence: '}' })).toMatchObject({
      anchor: { kind: 'file', corrected: false },
      evidenceAt: { startLine: 12, line: 12 },
    });
  });

  it('keeps the part inside the hunk of evidence that begins above it', () => {
    expect(anchor({ line: 15, evidence: '}\n// 13\nfunction b() {\n const user = load(id);' })).toEqual({
      anchor: { kind: 'line', path: 'src/a.ts', side: 'new', startLine: 14, line: 15, corrected: false },
      reason: 'clipped',
      verified: true,
      evidenceAt: { side: 'new', startLine: 12, line: 15 },
    });
  });

  it('clips evidence that spans two hunks to the one of the claimed line, else to the larger part', () => {
    const evidence = NEW_TEXT.split('\n').slice(5, 17).join('\n');
    expect(anchor({ line: 7, evidence }).anchor).toMatchObject({ startLine: 6, line: 7, corrected: false });
    expect(anchor({ line: 9, evidence }).anchor).toMatchObject({ startLine: 14, line: 17, corrected: false });
  });

  it('never joins lines of two hunks', () => {
    expect(anchor({ line: 7, evidence: '}\nfunction b() {' }, { ...FILE, newText: '' })).toMatchObject({
      anchor: { kind: 'summary' },
      reason: 'not_found',
    });
  });

  it('sends evidence that stands nowhere to the summary, unverified', () => {
    expect(anchor({ line: 4, evidence: 'eval(input)' })).toEqual({
      anchor: { kind: 'summary', path: 'src/a.ts', side: 'new', corrected: false },
      reason: 'not_found',
      verified: false,
    });
    expect(anchor({ line: 4, evidence: ' \n ' })).toMatchObject({ reason: 'not_found', verified: false });
  });

  it('keeps a finding on the whole file on the file, verified only with its evidence', () => {
    expect(anchor({ line: null })).toMatchObject({
      anchor: { kind: 'file' },
      reason: 'whole_file',
      verified: false,
    });
    expect(anchor({ line: null, evidence: 'audit();' })).toMatchObject({
      anchor: { kind: 'file' },
      reason: 'whole_file',
      verified: true,
    });
    expect(anchor({ line: null, evidence: 'eval(input)' }).anchor.kind).toBe('summary');
  });

  it('uses only the old side of a deleted file', () => {
    const hunks = parseHunks('@@ -1,2 +0,0 @@\n-one();\n-two();\n');
    const file: AnchorableFileInput = { path: 'gone.ts', change: 'deleted', hunks };
    expect(anchor({ line: 2, side: 'new', evidence: 'two();' }, file).anchor).toEqual({
      kind: 'line',
      path: 'gone.ts',
      side: 'old',
      line: 2,
      corrected: false,
    });
  });

  it('has a file comment at most for a file without a patch', () => {
    const withText: AnchorableFileInput = { path: 'big.ts', newText: NEW_TEXT };
    expect(anchor({ line: 11, evidence: 'audit();' }, withText)).toMatchObject({
      anchor: { kind: 'file', path: 'big.ts' },
      verified: true,
      evidenceAt: { line: 11 },
    });
    expect(anchor({ line: 11, evidence: 'audit();' }, { path: 'image.png' }).anchor.kind).toBe('summary');
  });
});
