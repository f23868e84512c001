import { describe, expect, it } from 'vitest';
import { cutText } from '../../../shared/text-safety/cut-text.ts';

const MARKER = '<!-- gatehouse:0123456789abcdef01234567 -->';
const LAST_MARKER = '[//]: # (gatehouse:0123456789abcdef01234567)';

describe('cutText', () => {
  it('returns what fits as it is', () => {
    expect(cutText('x'.repeat(300), 300)).toBe('x'.repeat(300));
  });

  it('ends with a note that counts what is missing', () => {
    const cut = cutText('x'.repeat(1000), 300);
    const [kept = '', note] = cut.split('\n\n');
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(note).toBe(`[cut: ${1000 - kept.length} characters do not fit here]`);
    expect(kept.length).toBeGreaterThan(240);
  });

  it('keeps a marker on the first line and one on the last', () => {
    const text = `${MARKER}\n${'x'.repeat(1000)}\n\n${LAST_MARKER}\n`;
    const cut = cutText(text, 300);
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(cut.startsWith(`${MARKER}\nxxx`)).toBe(true);
    expect(cut.endsWith(`do not fit here]\n${LAST_MARKER}`)).toBe(true);
  });

  it('closes a fence that it cuts open, with the marks that opened it', () => {
    const cut = cutText(`a\n\n~~~~js\n${'code\n'.repeat(200)}~~~~\n`, 300);
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(cut).toMatch(/code\n(?:c|co|cod|code)?\n~~~~\n\n\[cut: \d+ characters/);
  });

  it('leaves out a suggestion that does not fit whole', () => {
    const cut = cutText(`before\n\n\`\`\`suggestion\n${'code\n'.repeat(200)}\`\`\`\n`, 300);
    expect(cut).toMatch(/^before\n\n\n\n\[cut: \d+ characters do not fit here\]$/);
  });

  it('leaves out a code span that it cuts open', () => {
    const cut = cutText(`${'x'.repeat(220)} \`@octocat ${'y'.repeat(200)}\``, 300);
    expect(cut).not.toContain('@octocat');
    expect(cut).not.toContain('`');
  });

  it('never splits a surrogate pair, at any length', () => {
    const text = '😀'.repeat(400);
    for (let length = 0; length < 260; length += 1) {
      const cut = cutText(text, length);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(length);
    }
  });
});
