import { describe, expect, it } from 'vitest';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';
import { renderDiff } from '../../../shared/diff/render-diff.ts';

const HUNKS = parseHunks(
  '@@ -9,2 +9,2 @@\n function a() {\n-old()\n+new()\n@@ -20,0 +21,1 @@\n+end\n\\ No newline at end of file\n',
);
const FULL = [
  '@@ old 9-10, new 9-10 @@',
  '   9  9 | function a() {',
  '- 10    | old()',
  '+    10 | new()',
  '@@ old none, new 21 @@',
  '+    21 | end [no newline at end of file]',
].join('\n');

describe('renderDiff', () => {
  it('shows sign, old and new number and text of every line', () => {
    expect(renderDiff(HUNKS, { maxChars: 1000 })).toEqual({ text: FULL, shown: ['all', 'all'], linesCut: 0 });
  });

  it('is empty without hunks', () => {
    expect(renderDiff([], { maxChars: 1000 })).toEqual({ text: '', shown: [], linesCut: 0 });
  });

  it('stays within the limit and says what was cut', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `+line ${index}`);
    const hunks = parseHunks(`@@ -0,0 +1,100 @@\n${lines.join('\n')}\n@@ -50,1 +150,0 @@\n-x\n`);
    const result = renderDiff(hunks, { maxChars: 300 });
    expect(result.text.length).toBeLessThanOrEqual(300);
    expect(result.shown).toEqual(['part', 'none']);
    expect(result.text.split('\n').at(-1)).toBe(
      `[cut: ${result.linesCut} diff lines not shown; 1 of 2 hunks not shown at all]`,
    );
    expect(result.text.split('\n')).toHaveLength(101 - result.linesCut + 2);
  });

  it('shows no later hunk once one was cut', () => {
    const long = `+${'x'.repeat(400)}`;
    const hunks = parseHunks(`@@ -0,0 +1 @@\n${long}\n@@ -5,0 +7 @@\n+y\n`);
    expect(renderDiff(hunks, { maxChars: 300 }).shown).toEqual(['none', 'none']);
  });

  it('cuts a long line between characters and calls its hunk shown in part', () => {
    const hunks = parseHunks(`@@ -0,0 +1 @@\n+abc😀def\n`);
    expect(renderDiff(hunks, { maxChars: 1000, maxLineChars: 4 })).toEqual({
      text: '@@ old none, new 1 @@\n+   1 | abc [5 more characters of this line cut]',
      shown: ['part'],
      linesCut: 0,
    });
  });
});
