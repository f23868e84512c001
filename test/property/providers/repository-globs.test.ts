import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesRepository } from '../../../shared/providers/webhooks/repository-globs.ts';
import { isUsableRepositoryGlob, matchesRepositoryGlob } from '../../../shared/tools/scope.ts';

const segment = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '-'), minLength: 1, maxLength: 4 });
const globSegment = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'B', '*', '?', '-'), minLength: 1, maxLength: 4 }),
  fc.constant('**'),
);
const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const glob = fc.array(globSegment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

describe('repository globs', () => {
  it('match what the gate matches', () => {
    fc.assert(
      fc.property(name, glob, (given, pattern) => {
        // `**` inside a segment is a plain wildcard for both; `a**` only differs in spelling.
        fc.pre(isUsableRepositoryGlob(pattern));
        expect(matchesRepository([pattern], given)).toBe(matchesRepositoryGlob(given, pattern));
      }),
      { numRuns: 2000 },
    );
  });

  it('take linear time where a backtracking matcher explodes', () => {
    const evil = `${'*a'.repeat(40)}/x`;
    const startedAt = performance.now();
    expect(matchesRepository([evil], `${'a'.repeat(250)}b/x`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(200);
  });

  it.each([
    ['acme/*', 'acme/shop', true],
    ['acme/*', 'ACME/Shop', true],
    ['acme/*', 'acme/team/shop', false],
    ['acme/**', 'acme/team/shop', true],
    ['**/shop', 'acme/team/shop', true],
    ['acme', 'acme/shop', false],
    ['acme/sh?p', 'acme/ship', true],
    ['acme/*', 'acmex/shop', false],
    ['acme/*', 'acme/', false],
    ['acme/**', 'acme/../other', false],
    ['\u212Aim/x', 'kim/x', false],
  ])('%s and %s: %s', (pattern, given, expected) => {
    expect(matchesRepository([pattern], given)).toBe(expected);
  });
});
