import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../../shared/text-safety/cut-text.ts';
import { neutraliseMarkdown } from '../../../shared/text-safety/neutralise-markdown.ts';

const HOSTILE = [
  '@x', '@', '#1', '!2', 'GH-1', 'o/r#3', '`', '``', '```', '```js', '~~~', '\n', '\n\n', ' ', '  ', '    ', '\\',
  '[', ']', '(', ')', '](', '](x)', '](https://evil.com)', '![', '](//e)', ':', ']: https://evil.com', '<', '>', '!',
  '&#64;x', '&#96;', '&colon;', '&', '/close', '/review', 'a', '|', '|---|\n', '| a |\n|---|\n', '- ', '> ', '1. ',
  'https://a.bc/', 'https://a.bc/x', '<b>', '<!--', '-->', '<https://e.com>', 'suggestion', '*', '_', '**', '.', '"',
  '\t', '=', '---\n', '# ', 'javascript:x', '[^1]', '~~', 'gatehouse:0123456789abcdef01234567', '\r\n',
]; // prettier-ignore
const hostile = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 20 }).map((parts) => parts.join(''));

const FOREIGN = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const LIVE = /(?:^|[^A-Za-z0-9])@[A-Za-z0-9]|(?:^|[^&A-Za-z0-9_])[#!]\d|(?:^|[^A-Za-z0-9])GH-\d/i;

/** What an independent renderer makes of the text that should not be there. */
function liveParts(markdown: string): string[] {
  const renderer = new MarkdownIt({ html: true, linkify: true });
  const found: string[] = [];
  let text = '';
  let links = 0;
  const endText = (): void => {
    if (LIVE.test(text)) found.push(`text ${text}`);
    text = '';
  };
  for (const token of renderer.parse(markdown, {}).flatMap((block) => [block, ...(block.children ?? [])])) {
    if (token.type === 'html_block' || token.type === 'html_inline') found.push(`html ${token.content}`);
    if (token.type === 'fence' && token.info.startsWith('suggestion')) found.push('suggestion');
    if (token.type === 'image' && FOREIGN.test(String(token.attrGet('src')))) found.push('image');
    if (token.type === 'link_open' && token.markup === '' && FOREIGN.test(String(token.attrGet('href')))) {
      found.push(`link ${token.attrGet('href')}`);
    }
    if (token.type.startsWith('text')) {
      // Nothing inside the text of a link becomes a mention or a reference.
      if (links === 0) text += token.content;
    } else if (token.type !== 'inline') {
      endText();
    }
    if (token.type === 'link_open') links += 1;
    if (token.type === 'link_close') links -= 1;
  }
  endText();
  return found;
}

describe('neutraliseMarkdown', () => {
  it('leaves nothing alive for an independent renderer, no command line and no marker, and is idempotent', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = neutraliseMarkdown(text);
        expect(liveParts(safe)).toEqual([]);
        expect(safe).not.toMatch(/gatehouse:[0-9a-f]/);
        expect(neutraliseMarkdown(safe)).toBe(safe);
      }),
      { numRuns: 4000 },
    );
  });

  it('leaves no line outside code that begins with a command', () => {
    const prose = fc
      .array(fc.constantFrom(...HOSTILE.filter((part) => !/[`~]/.test(part))), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(prose, (text) => {
        expect(neutraliseMarkdown(text)).not.toMatch(/(?:^|\n)[ \t>]*\/[A-Za-z]/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('cutText', () => {
  it('keeps to the length, stays well formed and brings nothing back to life', () => {
    fc.assert(
      fc.property(hostile, fc.nat(60), fc.integer({ min: 200, max: 400 }), (text, filler, length) => {
        const safe = neutraliseMarkdown(`${'word 😀 '.repeat(filler)}${text}${' tail'.repeat(60)}`);
        const cut = cutText(safe, length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.isWellFormed()).toBe(true);
        expect(liveParts(cut)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});
