import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorFinding } from '../../../shared/diff/anchor.ts';
import { prepareFile } from '../../../shared/diff/anchorable-file.ts';
import { diffTexts } from '../../../shared/diff/diff-texts.ts';
import { createLineMap } from '../../../shared/diff/line-map.ts';
import type { Finding } from '../../../shared/domain/finding.ts';
import { filePair, gitLines } from './arbitrary-files.ts';

function squeezed(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{DI}]/gu, '');
}

const claim = fc.record({
  side: fc.constantFrom('old' as const, 'new' as const),
  /** Where the quote is taken from and how long it is. */
  from: fc.nat(90),
  length: fc.integer({ min: 1, max: 6 }),
  /** How far the claimed line is off. */
  off: fc.integer({ min: -5, max: 5 }),
  indent: fc.constantFrom('', '  ', '\t'),
});

describe('anchorFinding on random diffs', () => {
  it('puts a line comment only on lines of one hunk that hold the evidence, and never loses a true quote', () => {
    let onLines = 0;
    fc.assert(
      fc.property(
        filePair,
        fc.array(claim, { minLength: 25, maxLength: 25 }),
        ({ oldText, newText }, claims) => {
          const diff = diffTexts(oldText, newText);
          const hunks = diff.kind === 'text' ? diff.hunks : [];
          const map = createLineMap(hunks);
          const file = prepareFile({ path: 'f', hunks, oldText, newText });
          for (const { side, from, length, off, indent } of claims) {
            const lines = gitLines(side === 'old' ? oldText : newText);
            const start = lines.length === 0 ? 0 : from % lines.length;
            const quote = lines.slice(start, start + length);
            const finding: Finding = {
              path: 'f',
              line: Math.max(1, start + 1 + off),
              side,
              severity: 'low',
              category: 'c',
              title: 't',
              body: 'b',
              evidence: quote.map((line) => indent + line).join('\n'),
              suggestion: null,
            };
            const { anchor, reason, verified } = anchorFinding({ finding, file });
            const words = quote.map(squeezed).filter((line) => line !== '');
            expect(verified).toBe(words.length > 0);
            expect(anchor.kind === 'summary').toBe(words.length === 0);
            if (anchor.kind !== 'line') continue;

            onLines += 1;
            const range = { startLine: anchor.startLine ?? anchor.line ?? 0, line: anchor.line ?? 0 };
            expect(map.isCommentable(anchor.side, range)).toBe(true);
            const shown = (anchor.side === 'old' ? gitLines(oldText) : gitLines(newText))
              .slice(range.startLine - 1, range.line)
              .map(squeezed);
            expect(shown[0]).not.toBe('');
            expect(shown.at(-1)).not.toBe('');
            const evidence = words.join('\n');
            const there = shown.filter((line) => line !== '').join('\n');
            expect(reason === 'clipped' ? evidence : there).toContain(
              reason === 'clipped' ? there : evidence,
            );
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(onLines).toBeGreaterThan(100);
  });
});
