import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createMarkers, readMarker, withoutMarker } from '../../../shared/tools/markers.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { createCountingRandom, createMemoryLog, MARKER_KEYS, TIMINGS } from './fixture.ts';
import { failing, failure, post, setUpOutbox } from './outbox-fixture.ts';

describe('markers', () => {
  const first = new Secret('marker-key-one');
  const second = new Secret('marker-key-two');

  it('are 24 hex characters of an HMAC, signed with the first key and verified with all', () => {
    const old = createMarkers([second]).sign('k');
    expect(old).toBe('f9e9b1311a7b6fd56d0d72be');
    const markers = createMarkers([first, second]);
    expect(markers.sign('k')).not.toBe(old);
    expect(markers.matchesMarker(`<!-- gatehouse:${old} -->\ntext`, 'k')).toBe(true);
    expect(markers.matchesMarker(`<!-- gatehouse:${old} -->\ntext`, 'other')).toBe(false);
    expect(createMarkers([first]).matchesMarker(`<!-- gatehouse:${old} -->\ntext`, 'k')).toBe(false);
  });

  it.each([
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->\ntext', 'a'.repeat(24)],
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->\r\ntext', 'a'.repeat(24)],
    ['text\n[//]: # (gatehouse:bbbbbbbbbbbbbbbbbbbbbbbb)\n', 'b'.repeat(24)],
    ['text\n<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    [' <!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    ['<!-- gatehouse:AAAAAAAAAAAAAAAAAAAAAAAA -->', undefined],
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    ['> <!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->', undefined],
    ['', undefined],
  ])('are read from %j as %s', (body, marker) => {
    expect(readMarker(body)).toBe(marker);
  });

  it('stay the same for a write that was begun before the keys were rotated', async () => {
    const { posted, drive, table, clock } = setUpOutbox();
    const unknown = post(posted, { fail: failing(9, failure('transient', 'provider_failed')) });
    await expect(drive(unknown)).rejects.toMatchObject({ code: 'write_unknown' });
    const rotated = createOutbox({
      table,
      clock,
      timings: TIMINGS,
      markerKeys: [new Secret('new'), ...MARKER_KEYS],
      random: createCountingRandom(90),
      log: createMemoryLog(),
    });
    await clock.drive(rotated.run('p', post(posted)));
    expect(posted).toEqual([`<!-- gatehouse:${createMarkers(MARKER_KEYS).sign('k')} -->`]);
  });

  it.each([
    ['<!-- gatehouse:aaaaaaaaaaaaaaaaaaaaaaaa -->\ntext\nmore', 'text\nmore'],
    ['text\n[//]: # (gatehouse:bbbbbbbbbbbbbbbbbbbbbbbb)', 'text'],
    ['no marker', 'no marker'],
  ])('are taken off %j', (body, text) => {
    expect(withoutMarker(body)).toBe(text);
  });
});
