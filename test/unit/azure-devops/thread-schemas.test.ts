import { describe, expect, it } from 'vitest';
import { Thread, isResolved, isSystemThread } from '../../../shared/providers/azure-devops/thread-schemas.ts';

const thread = (value: unknown): Thread => Thread.parse(value);

describe('a thread of the system', () => {
  it.each([
    [
      'has its type among the properties',
      { properties: { CodeReviewThreadType: { $value: 'VoteUpdate' } } },
      true,
    ],
    ['has comments of the system alone', { comments: [{ id: 1, commentType: 'system' }] }, true],
    [
      'is none as soon as a person answered',
      {
        comments: [
          { id: 1, commentType: 'system' },
          { id: 2, commentType: 'text' },
        ],
      },
      false,
    ],
    ['is none without comments', { comments: [] }, false],
    ['is none for other properties', { properties: { 'Gatehouse.Key': { $value: 'x' } } }, false],
  ])('%s', (_what, value, expected) => {
    expect(isSystemThread(thread({ id: 1, ...value }))).toBe(expected);
  });
});

describe('a status of a thread', () => {
  it.each([
    ['active', false],
    ['pending', false],
    ['unknown', false],
    [null, false],
    ['fixed', true],
    ['wontFix', true],
    ['closed', true],
    ['byDesign', true],
  ])('%s: resolved %s', (status, expected) => {
    expect(isResolved({ status })).toBe(expected);
  });
});
