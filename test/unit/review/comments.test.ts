import { describe, expect, it } from 'vitest';
import { renderComment } from '../../../shared/review/render-comment.ts';
import { renderFailure, renderSummary } from '../../../shared/review/render-summary.ts';
import type { SummaryFacts } from '../../../shared/review/render-summary.ts';
import { usableSuggestion } from '../../../shared/review/usable-suggestion.ts';
import { aPlaced } from './builders.ts';

const CODE = '\tconst total = sum(parts);';

function suggesting(suggestion: string, rest: Parameters<typeof aPlaced>[1] = {}, evidence = CODE) {
  return usableSuggestion(aPlaced({ evidence, suggestion }, rest));
}

describe('usableSuggestion', () => {
  it('offers a replacement of exactly the lines under the comment, indentation kept', () => {
    expect(suggesting('\tconst total = sumOf(parts);')).toBe('\tconst total = sumOf(parts);');
    expect(suggesting('\ta(1);\r\n\tb(2);\n')).toBe('\ta(1);\n\tb(2);');
    expect(suggesting('')).toBe('');
  });

  const lines = [CODE];
  it.each([
    ['equal text', CODE, {}],
    ['unbalanced brackets', '\tif (x) {', {}],
    ['the line above once more', 'above();', { anchored: { lines, before: 'above();', after: undefined } }],
    [
      'the line below once more',
      '\tx(1);\nbelow();',
      { anchored: { lines, before: undefined, after: 'below();' } },
    ],
    [
      'evidence that is only part of the line',
      'x(1)',
      { anchored: { lines: [`  ${CODE}`], before: undefined, after: undefined } },
    ],
    [
      'more lines than were quoted',
      'x(1)',
      { anchored: { lines: [CODE, 'more'], before: undefined, after: undefined } },
    ],
    ['a clipped range', 'x(1)', { reason: 'clipped' }],
    ['the old side', 'x(1)', { anchor: { kind: 'line', path: 'a', line: 1, side: 'old', corrected: false } }],
    ['a comment on the file', 'x(1)', { anchored: undefined }],
  ] as const)('offers nothing for %s', (_, suggestion, rest) => {
    expect(suggesting(suggestion, rest)).toBeUndefined();
  });

  it('a finding without a suggestion has none', () => {
    expect(usableSuggestion(aPlaced())).toBeUndefined();
  });
});

describe('renderComment', () => {
  it('says severity, title and body, and passes a usable suggestion on', () => {
    const placed = aPlaced({
      title: 'Wrong\n total',
      evidence: CODE,
      suggestion: '\tconst total = 1;',
      body: 'Why.\n',
    });
    expect(renderComment({ ...placed, anchor: { ...placed.anchor, startLine: 9 } })).toEqual({
      path: 'src/a.ts',
      subject: 'line',
      side: 'new',
      line: 10,
      startLine: 9,
      body: '**High: Wrong total**\n\nWhy.',
      suggestion: '\tconst total = 1;',
    });
  });

  it('shows a suggestion that cannot be offered in a fence longer than any inside', () => {
    const { body, suggestion } = renderComment(aPlaced({ suggestion: 'a\n````\nb(' }));
    expect(suggestion).toBeUndefined();
    expect(body).toContain('Possible change, not checked:\n\n`````\na\n````\nb(\n`````');
  });

  it('says where the finding was reported when it stands elsewhere', () => {
    const { anchor } = aPlaced();
    const moved = aPlaced({ line: 3 }, { anchor: { ...anchor, corrected: true }, reason: 'moved' });
    expect(renderComment(moved).body).toContain('Reported for line 3; the quoted code stands here.');
    expect(renderComment(aPlaced()).body).not.toContain('Reported');
  });

  it('puts a finding outside the hunks on the file and names its line', () => {
    const anchor = { kind: 'file', path: 'src/a.ts', side: 'new', corrected: false } as const;
    const comment = renderComment(
      aPlaced({}, { anchor, reason: 'outside_hunks', evidenceLine: 77, anchored: undefined }),
    );
    expect(comment).toMatchObject({ path: 'src/a.ts', subject: 'file' });
    expect(comment).not.toHaveProperty('line');
    expect(comment.body).toContain('The code stands on line 77, outside the lines this change shows.');
  });
});

describe('renderSummary', () => {
  const facts: SummaryFacts = {
    outcome: 'posted',
    reason: 'findings',
    headSha: '0123456789abcdef',
    filesReviewed: 2,
    comments: 1,
    belowMinimum: 0,
    overCap: 0,
    duplicates: 0,
    notReviewed: [],
    unanchored: [],
    notes: [],
  };

  it('says the outcome, the coverage, what was held back and the notes', () => {
    const { text } = renderSummary({
      ...facts,
      belowMinimum: 2,
      overCap: 1,
      duplicates: 3,
      notes: ['Mind this.'],
      notReviewed: [{ what: 'a`b\n.png', reason: 'not_at_head' }],
    });
    expect(text).toBe(
      [
        '**1 finding**',
        '',
        '- 2 files reviewed at 0123456789.',
        '- Held back: 2 below the minimum severity, 1 over the limit of comments, 3 said before.',
        '- Mind this.',
        '- Not reviewed: `a b .png` (not at head).',
      ].join('\n'),
    );
  });

  it.each([
    ['clean', 0, '**No findings**'],
    ['posted', 0, '**No new findings**'],
    ['partial', 2, '**Partial review: 2 findings**'],
    ['failed', 0, '**The review failed**'],
  ] as const)('%s with %i comments begins %s', (outcome, comments, expected) => {
    expect(renderSummary({ ...facts, outcome, comments }).text.split('\n')[0]).toBe(expected);
  });

  it('a failed review never speaks of reviewed files or of no findings', () => {
    const { text } = renderSummary({ ...facts, outcome: 'failed', reason: 'refused_by_model', comments: 0 });
    expect(text).toContain('No part of 0123456789 was reviewed (refused by model).');
    expect(text).not.toMatch(/no (new )?findings/i);
    expect(renderFailure('attempts_exhausted')).toContain(
      'could not review this change (attempts exhausted)',
    );
  });

  it('fits any amount of names and findings and says how many findings it shows', () => {
    const unanchored = Array.from({ length: 30 }, () =>
      aPlaced({ body: 'x'.repeat(900) }, { isEvidenceFound: false }),
    );
    const notReviewed = Array.from({ length: 3_000 }, () => ({ what: 'n'.repeat(1_000), reason: 'binary' }));
    const { text, unanchoredShown } = renderSummary({ ...facts, unanchored, notReviewed });
    expect(text.length).toBeLessThanOrEqual(3_800);
    expect(text).toContain('and 2992 more');
    expect(text.split('(the quoted code was not found)').length - 1).toBe(unanchoredShown);
    expect(unanchoredShown).toBe(2);
  });
});
