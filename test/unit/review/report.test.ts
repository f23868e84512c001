import { describe, expect, it } from 'vitest';
import { decideOutcome, settle } from '../../../shared/review/report.ts';
import type { Coverage } from '../../../shared/review/report.ts';
import type { Published } from '../../../shared/review/publish.ts';

const WHOLE: Coverage = { filesReviewed: 2, notReviewed: [], isPartial: false, failure: undefined };
const NOTHING: Published = {
  posted: 0,
  heldBack: 0,
  duplicates: 0,
  unanchored: 0,
  refused: 0,
  refusedBy: undefined,
  url: undefined,
};

function settled(
  verified: number,
  published: Partial<Published>,
  coverage: Coverage = WHOLE,
  duplicates = 0,
) {
  return settle({ headSha: 'a', coverage, verified, duplicates, published: { ...NOTHING, ...published } });
}

describe('decideOutcome', () => {
  it.each([
    [WHOLE, 0, 'clean', 'nothing_to_say'],
    [WHOLE, 3, 'posted', 'findings'],
    [{ ...WHOLE, isPartial: true }, 0, 'partial', 'not_all_reviewed'],
    [{ ...WHOLE, isPartial: true }, 3, 'partial', 'not_all_reviewed'],
    [{ ...WHOLE, isPartial: true, failure: 'refused_by_model' }, 0, 'failed', 'refused_by_model'],
  ] as const)('%j with %i verified findings is %s because %s', (coverage, verified, outcome, reason) => {
    expect(decideOutcome(coverage, verified)).toEqual({ outcome, reason });
  });
});

describe('settle', () => {
  it('adds up the five ways a finding can end', () => {
    const published = { posted: 1, heldBack: 2, duplicates: 3, unanchored: 4, refused: 5 };
    expect(settled(16, published, WHOLE, 1)).toEqual({
      outcome: 'posted',
      reason: 'findings',
      headSha: 'a',
      counts: { verified: 16, posted: 1, heldBack: 2, duplicates: 4, unanchored: 4, refused: 5 },
      notReviewed: [],
      filesReviewed: 2,
    });
  });

  it('is posted when everything verified was held back, failed when all of it was refused', () => {
    expect(settled(2, { heldBack: 2 }).outcome).toBe('posted');
    expect(settled(2, { refused: 2, refusedBy: 'writes_stopped' })).toMatchObject({
      outcome: 'failed',
      reason: 'writes_stopped',
    });
  });

  it.each([
    [2, { posted: 1 }],
    [1, { posted: 1, heldBack: 1 }],
    [0, { refused: 1 }],
  ])('notices that %i verified findings do not end as %j', (verified, published) => {
    expect(() => settled(verified, published)).toThrow('findings do not add up');
  });
});
