import { describe, expect, it } from 'vitest';
import { dedupe } from '../../../shared/review/dedupe.ts';
import type { Thread } from '../../../shared/domain/thread.ts';
import { comparable, jaccard } from '../../../shared/review/text-similarity.ts';
import { aPlaced, aThread } from './builders.ts';

describe('jaccard', () => {
  it.each([
    ['The total is rounded twice', 'A total, ROUNDED twice!', 1],
    ['rounded twice', 'rounded total once', 1 / 4],
    ['größe falsch', 'Größe falsch berechnet', 2 / 3],
    ['a b c', 'a b c', 1],
    ['a b c', 'a b d', 0],
    ['a b c', 'words here', 0],
  ])('of %j and %j is %f', (left, right, expected) => {
    expect(jaccard(comparable(left), comparable(right))).toBe(expected);
    expect(jaccard(comparable(right), comparable(left))).toBe(expected);
  });
});

describe('dedupe in the batch', () => {
  it('folds similar words on one line into the more severe finding', () => {
    const low = aPlaced({
      severity: 'low',
      title: 'Total is rounded two times, twice',
      body: 'Other words.',
    });
    const high = aPlaced();
    expect(dedupe([low, high], [])).toEqual({
      kept: [high],
      duplicates: [{ placed: low, reason: 'same_place', matched: high.fingerprint }],
    });
  });

  it('folds a similar body under another title', () => {
    const other = aPlaced({ title: 'Money disappears' });
    expect(dedupe([aPlaced(), other], []).kept).toHaveLength(1);
  });

  it('judges by the line where the code stands, not by the one that was claimed', () => {
    const { anchor } = aPlaced();
    const moved = aPlaced({ line: 90 }, { anchor });
    expect(dedupe([aPlaced(), moved], []).kept).toHaveLength(1);
  });

  it('keeps the same code on two lines, two problems on one line, and both sides', () => {
    const findings = [
      aPlaced(),
      aPlaced({ line: 11 }),
      aPlaced({ title: 'Secret in code', body: 'Anyone who reads the history has it.' }),
      aPlaced({ side: 'old' }),
      aPlaced({ path: 'src/b.ts' }),
    ];
    expect(dedupe(findings, [])).toEqual({ kept: findings, duplicates: [] });
  });

  it('the same finding 50 times is one', () => {
    const { kept, duplicates } = dedupe(
      Array.from({ length: 50 }, () => aPlaced()),
      [],
    );
    expect([kept.length, duplicates.length]).toEqual([1, 49]);
  });
});

function isDropped(thread: Partial<Thread>, body: string, placed = aPlaced()): boolean {
  return dedupe([placed], [aThread(body, thread)]).duplicates.length === 1;
}

/** A thread on the whole file, or on nothing. */
function withoutLine(path?: string, body = 'total rounded somewhere'): Thread {
  const { line: _, path: __, ...rest } = aThread(body);
  return { ...rest, ...(path === undefined ? {} : { path }) };
}

describe('dedupe against threads', () => {
  // Title words: total, rounded, twice. Two of four shared = 0.5, one of five = 0.2.
  const ALIKE = 'Total rounded somewhere\nunrelated text follows';
  const DIFFERENT = 'Total looks strange\nunrelated text follows';

  it('drops what stands within three lines in similar words, whoever wrote it', () => {
    expect(isDropped({}, ALIKE)).toBe(true);
    expect(isDropped({ line: 13 }, ALIKE)).toBe(true);
    expect(isDropped({ line: 14 }, ALIKE)).toBe(false);
    expect(isDropped({}, DIFFERENT)).toBe(false);
    expect(isDropped({ path: 'src/b.ts' }, ALIKE)).toBe(false);
    expect(isDropped({ isResolved: true }, ALIKE)).toBe(true);
  });

  it('a similar body is enough', () => {
    expect(isDropped({}, `Wrong\n${aPlaced().finding.body}`)).toBe(true);
  });

  it('a missing line matches any line of the file', () => {
    expect(dedupe([aPlaced({ line: 400 })], [withoutLine('src/a.ts')]).kept).toEqual([]);
    expect(isDropped({ line: 400 }, ALIKE, aPlaced({ line: null }))).toBe(true);
  });

  it('a comment without a file needs a more similar title', () => {
    expect(dedupe([aPlaced()], [withoutLine()]).kept).toEqual([]);
    // two of five words = 0.4: enough on the line, not without a file
    const longer = withoutLine(undefined, 'total rounded somewhere else');
    expect(dedupe([aPlaced()], [longer]).kept).toHaveLength(1);
    expect(isDropped({}, 'total rounded somewhere else')).toBe(true);
  });

  it('looks past our marker and blank lines for the title', () => {
    expect(isDropped({}, `<!-- gatehouse:0123456789abcdef01234567 -->\n\n${ALIKE}`)).toBe(true);
  });

  it('names the thread it found', () => {
    expect(dedupe([aPlaced()], [aThread(ALIKE)])).toEqual({
      kept: [],
      duplicates: [{ placed: aPlaced(), reason: 'existing_thread', matched: 'thread-1' }],
    });
  });

  it('5,000 comments and 200 findings cost little time', () => {
    const threads = Array.from({ length: 5_000 }, (_, index) =>
      aThread(`${'<!--'.repeat(2_000)}\n${index}`, { id: String(index), line: index }),
    );
    const findings = Array.from({ length: 200 }, (_, index) => aPlaced({ line: index + 1 }));
    expect(dedupe(findings, threads).kept).toHaveLength(200);
  }, 10_000);
});
