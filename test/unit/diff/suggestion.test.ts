import { describe, expect, it } from 'vitest';
import { anchorFinding } from '../../../shared/diff/anchor.ts';
import { prepareFile } from '../../../shared/diff/anchorable-file.ts';
import type { AnchorableFileInput } from '../../../shared/diff/anchorable-file.ts';
import { diffTexts } from '../../../shared/diff/diff-texts.ts';
import { buildSuggestion, renderSuggestion } from '../../../shared/diff/suggestion.ts';
import type { Suggestion } from '../../../shared/diff/suggestion.ts';

const NEW_TEXT = [
  'function a() {', // 1
  '\tconst user = load(id);', // 2
  '', // 3
  '\treturn user.name;', // 4
  '}', // 5
  'function b() {', // 6
  '    if (x) {', // 7
  '        run();', // 8
  '    }', // 9
  '}', // 10
  '',
].join('\n');

function fileOf(newText: string, oldText = ''): AnchorableFileInput {
  const diff = diffTexts(oldText, newText);
  return { path: 'a.ts', hunks: diff.kind === 'text' ? diff.hunks : [], newText, oldText };
}

function suggest(
  line: number,
  evidence: string,
  suggestion: string | null,
  input: AnchorableFileInput = fileOf(NEW_TEXT),
  side: 'old' | 'new' = 'new',
): Suggestion | undefined {
  const file = prepareFile(input);
  const finding = {
    path: 'a.ts',
    line,
    side,
    severity: 'low' as const,
    category: 'c',
    title: 't',
    body: 'b',
    evidence,
    suggestion,
  };
  return buildSuggestion({ finding, result: anchorFinding({ finding, file }), file });
}

describe('buildSuggestion', () => {
  it('replaces exactly the quoted lines, the blank ones between them included', () => {
    expect(suggest(4, 'const user = load(id);\nreturn user.name;', '\treturn load(id)?.name;\n')).toEqual({
      startLine: 2,
      line: 4,
      lines: ['\treturn load(id)?.name;'],
    });
  });

  it('indents a replacement that came without indentation, with the tabs of the code', () => {
    expect(suggest(2, 'const user = load(id);', 'const user = load(id);\nif (!user) return;')?.lines).toEqual(
      ['\tconst user = load(id);', '\tif (!user) return;'],
    );
  });

  it('deletes lines for an empty replacement', () => {
    expect(suggest(8, 'run();', '')).toEqual({ startLine: 8, line: 8, lines: [] });
  });

  it('may end with a bracket of another depth than the line after it', () => {
    expect(
      suggest(8, '        run();', '        while (y) {\n            run();\n        }')?.lines,
    ).toHaveLength(3);
  });

  it.each([
    ['nothing to replace with', 2, 'const user = load(id);', null],
    ['no change', 2, 'const user = load(id);', '\tconst user = load(id);'],
    ['a part of a line', 2, 'load(id)', 'find(id)'],
    ['evidence that is not there', 2, 'nowhere();', '\tsomewhere();'],
    ['spaces in code with tabs', 2, 'const user = load(id);', '\tif (x)\n\t  return;'],
    ['another indentation', 8, 'run();', '    run(1);'],
    ['a repeated line before', 4, 'return user.name;', '\tconst user = load(id);\n\treturn user.name ?? "";'],
    ['a repeated line after', 2, 'const user = load(id);', '\tconst user = find(id);\n\n\treturn user.name;'],
    ['a repeated bracket after', 8, '        run();', '        run(1);\n    }'],
    ['brackets that no longer close', 7, 'if (x) {', '    if (x && y)'],
    ['a replacement in a fence', 8, 'run();', '```ts\n        run(1);\n```'],
  ])('gives none for %s', (_name, line, evidence, suggestion) => {
    expect(suggest(line, evidence, suggestion)).toBeUndefined();
  });

  it('gives none on the old side, on a moved head, outside the hunks or without the head', () => {
    const old = fileOf('x();\n', 'y();\n');
    expect(suggest(1, 'x();', 'z();', old)).toBeDefined();
    expect(suggest(1, 'y();', 'z();', old, 'old')).toBeUndefined();
    const same = fileOf('same();\nx();\n', 'same();\ny();\n');
    expect(suggest(1, 'same();', 'z();', same, 'old')).toBeUndefined();
    expect(suggest(1, 'x();', 'z();', { ...old, newText: '\nx();\n' })).toBeUndefined();
    expect(suggest(1, 'x();', 'z();', { path: 'a.ts', newText: 'x();\n' })).toBeUndefined();
    expect(suggest(1, 'x();', 'z();', { path: 'a.ts', hunks: old.hunks ?? [] })).toBeUndefined();
  });

  it('gives none when a part of the evidence lies outside the hunk', () => {
    const oldText = Array.from({ length: 12 }, (_, index) => `line${index + 1};`).join('\n');
    const input = fileOf(oldText.replace('line12;', 'last;'), oldText);
    expect(suggest(12, 'line11;\nlast;', 'line11();\nlast();', input)).toBeDefined();
    expect(suggest(12, 'line8;\nline9;\nline10;\nline11;\nlast;', 'x;', input)).toBeUndefined();
  });

  it('compares without the carriage returns of the file', () => {
    const input = fileOf('a();\r\nb();\r\n');
    expect(suggest(1, 'a();', 'a();', input)).toBeUndefined();
    expect(suggest(1, 'a();', 'c();', input)?.lines).toEqual(['c();']);
  });
});

describe('renderSuggestion', () => {
  it('uses a fence longer than any run of backticks inside', () => {
    expect(renderSuggestion({ startLine: 1, line: 1, lines: ['x'] })).toBe('```suggestion\nx\n```');
    expect(renderSuggestion({ startLine: 1, line: 1, lines: ['a ```` b'] })).toBe(
      '`````suggestion\na ```` b\n`````',
    );
    expect(renderSuggestion({ startLine: 1, line: 3, lines: [] }, 'suggestion:-2+0')).toBe(
      '```suggestion:-2+0\n```',
    );
  });
});
