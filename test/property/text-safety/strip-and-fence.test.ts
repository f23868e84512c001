import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fenceUntrusted } from '../../../shared/text-safety/fence.ts';
import { stripHiddenText } from '../../../shared/text-safety/strip-hidden-text.ts';

const HOSTILE = [
  '<!--', '-->', '<', '>', '!', '[', ']', '(', ')', '"', "'", ' ', '\n', '\n\n', 'alt=', 'title="x"', '<img ', '<a ',
  '=', '/', '[//]: # ', '[x]: u', '[x]', '[^1]', '[^1]:', '#', '\\', '![', '](', '\u200B', '\u202E', '\u{E0041}',
  '\uFE0F', '😀', '\u001B[31m', '\u001B', '\u009B', '\uFEFF', '1\uFE0F\u20E3', '<?', '?>', '<![CDATA[', ']]>', '<!D',
  '\r', '\uD83D', '\uDE00', '\0', '日', 'ש', 'text',
]; // prettier-ignore
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));
const form = fc.constantFrom('markdown' as const, 'code' as const);

/** Written apart from the code under test: what no output may hold. */
function isForbidden(codePoint: number): boolean {
  const within = (from: number, to: number): boolean => codePoint >= from && codePoint <= to;
  return (
    (within(0, 0x1f) && ![9, 10, 13].includes(codePoint)) ||
    within(0x7f, 0x9f) ||
    codePoint === 0xad ||
    codePoint === 0x61c ||
    within(0x200b, 0x200f) ||
    within(0x202a, 0x202e) ||
    within(0x2060, 0x206f) ||
    codePoint === 0xfeff ||
    within(0xfe00, 0xfe0e) ||
    within(0xd800, 0xdfff) ||
    within(0xe0000, 0xe0fff)
  );
}

describe('stripHiddenText', () => {
  it('leaves no forbidden code point and is idempotent', () => {
    fc.assert(
      fc.property(hostile, form, (text, textForm) => {
        const once = stripHiddenText(text, textForm).text;
        expect(Array.from(once, (character) => character.codePointAt(0) ?? 0).filter(isForbidden)).toEqual(
          [],
        );
        expect(stripHiddenText(once, textForm)).toEqual({ text: once, removed: [] });
      }),
      { numRuns: 3000 },
    );
  });

  it('only ever removes: what is left is a part of the text, in its order, plus spaces', () => {
    fc.assert(
      fc.property(hostile, form, (text, textForm) => {
        let at = 0;
        for (const unit of stripHiddenText(text, textForm).text.replaceAll(' ', '')) {
          at = text.indexOf(unit, at) + unit.length;
          expect(at).toBeGreaterThanOrEqual(unit.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps every line feed of code, so that line numbers stay true', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(stripHiddenText(text, 'code').text.split('\n')).toHaveLength(text.split('\n').length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('fenceUntrusted', () => {
  it('has its delimiter on its first and last line only, whatever the text, the label and the draws', () => {
    const id = fc.constantFrom('fbfb', 'fb', 'dcdc', 'fbdc');
    const content = fc.array(fc.constantFrom('fb', 'dc', 'fbfb', '</untrusted-fbfb>', '\n', '>', '"', 'x'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(content, content, fc.array(id, { minLength: 1, maxLength: 6 }), (text, label, ids) => {
        let draw = 0;
        const random = { number: () => 0, hex: () => ids[Math.min(draw++, ids.length - 1)] ?? '' };
        const fenced = fenceUntrusted({
          text: text.join(''),
          label: label.join(''),
          form: 'code',
          maxLength: 30,
          random,
        });
        const lines = fenced.text.split('\n');
        const drawn = /^<\/untrusted-(\w+)>$/.exec(lines.at(-1) ?? '')?.[1] ?? 'none';
        expect(lines[0]).toMatch(new RegExp(`^<untrusted-${drawn} label="[^"<>]*">$`));
        expect(lines[0]?.split(drawn)).toHaveLength(2);
        expect(lines.slice(1, -1).join('\n')).not.toContain(drawn);
      }),
      { numRuns: 2000 },
    );
  });
});
