import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  budgetKey,
  deadLetterKey,
  deliveryKey,
  draftKey,
  draftPrefix,
  findingKey,
  HEAD_KEY,
  isJobKey,
  jobKey,
  LEASE_KEY,
  outboxKey,
  partitionSlice,
  passKey,
  ROW_PREFIXES,
  sessionPartition,
  STATE_KEY,
  threadKey,
  ticketOfKey,
} from '../../../shared/state/keys.ts';
import { PROVIDER_IDS } from '../../../shared/domain/pull-request.ts';

const ticketArb = fc.integer({ min: 1, max: 999_999_999_999 });
const textArb = fc.string({ unit: 'binary', maxLength: 300 });
const identityArb = fc.record({
  provider: fc.constantFrom(...PROVIDER_IDS),
  instance: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
  repositoryId: fc.oneof(fc.uuid(), fc.nat().map(String)),
  number: fc.integer({ min: 1, max: 10_000_000 }),
});
/** Every row key of a session, made of any text that a provider or a caller could choose. */
const anyKeyArb = fc.oneof(
  fc.constantFrom(HEAD_KEY, LEASE_KEY, STATE_KEY),
  ticketArb.map(jobKey),
  ticketArb.map(deadLetterKey),
  textArb.map(deliveryKey),
  textArb.map(findingKey),
  textArb.map(threadKey),
  textArb.map(outboxKey),
  textArb.map(budgetKey),
  fc.tuple(textArb, textArb).map(([plan, pass]) => passKey(plan, pass)),
  fc.tuple(textArb, fc.nat(999_999)).map(([client, n]) => draftKey(client, n)),
);

describe('row keys', () => {
  it('sort in the order of tickets', () => {
    fc.assert(
      fc.property(ticketArb, ticketArb, (a, b) => {
        expect(jobKey(a) < jobKey(b)).toBe(a < b);
      }),
    );
  });

  it('give the ticket back, for jobs and dead letters alone', () => {
    fc.assert(
      fc.property(ticketArb, (ticket) => {
        expect(ticketOfKey(jobKey(ticket))).toBe(ticket);
        expect(ticketOfKey(deadLetterKey(ticket))).toBe(ticket);
        expect(isJobKey(deadLetterKey(ticket))).toBe(false);
      }),
    );
    expect(ticketOfKey(HEAD_KEY)).toBeUndefined();
    expect(ticketOfKey('j1')).toBeUndefined();
  });

  it('let nothing but jobs sort between head and lease', () => {
    fc.assert(
      fc.property(anyKeyArb, (key) => {
        const isBetween = key > HEAD_KEY && key < LEASE_KEY;
        expect(isBetween).toBe(isJobKey(key));
      }),
      { numRuns: 2_000 },
    );
  });

  it('need no character that Table Storage forbids, and stay short', () => {
    fc.assert(
      fc.property(anyKeyArb, (key) => {
        expect(key).toMatch(/^[a-z0-9-]{1,64}$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('begin with a letter of their own each', () => {
    const letters = Object.values(ROW_PREFIXES);
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters).not.toContain('i');
    expect(letters).not.toContain('k');
  });

  it('keep the drafts of one client together, in their order', () => {
    fc.assert(
      fc.property(textArb, fc.nat(999_999), fc.nat(999_999), (client, a, b) => {
        expect(draftKey(client, a).startsWith(draftPrefix(client))).toBe(true);
        expect(draftKey(client, a) < draftKey(client, b)).toBe(a < b);
      }),
    );
  });

  it.each([0, -1, 1.5, 1_000_000_000_000, Number.NaN])('refuse ticket %s', (ticket) => {
    expect(() => jobKey(ticket)).toThrow(RangeError);
  });
});

describe('session partitions', () => {
  it('differ for every two pull requests', () => {
    fc.assert(
      fc.property(identityArb, identityArb, (a, b) => {
        const isSame =
          a.provider === b.provider &&
          a.instance === b.instance &&
          a.repositoryId === b.repositoryId &&
          a.number === b.number;
        expect(sessionPartition(a) === sessionPartition(b)).toBe(isSame);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are the first 32 hex characters of the SHA-256 of the ids', () => {
    // printf 'github|main|4711|7' | sha256sum
    expect(sessionPartition({ provider: 'github', instance: 'main', repositoryId: '4711', number: 7 })).toBe(
      '544d06bd490da29fffcca156eba2ef60',
    );
  });

  it('belong to exactly one of the slices of a sweep', () => {
    const slices = Array.from({ length: 24 }, (_, n) => partitionSlice(n, 24));
    fc.assert(
      fc.property(identityArb, (identity) => {
        const key = sessionPartition(identity);
        expect(slices.filter(({ from, to }) => key >= from && key < to)).toHaveLength(1);
      }),
    );
    expect(slices[0]?.from).toBe('0000');
    expect((slices[23]?.to ?? '') > 'ffff').toBe(true);
  });
});
