import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../shared/observability/system-clock.ts';

describe('systemClock', () => {
  it('counts epoch milliseconds and sleeps as long as it is told', async () => {
    const before = systemClock.now();
    await systemClock.sleep(30);
    const slept = systemClock.now() - before;
    expect(before).toBeGreaterThan(1_700_000_000_000);
    expect(slept).toBeGreaterThanOrEqual(28);
  });

  it("rejects with the signal's own reason, before and during the sleep", async () => {
    const reason = new Error('superseded');
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});

describe('systemRandom', () => {
  it('gives numbers in [0, 1) that spread', () => {
    const numbers = Array.from({ length: 2_000 }, () => systemRandom.number());
    expect(numbers.every((one) => one >= 0 && one < 1)).toBe(true);
    for (const tenth of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const share = numbers.filter((one) => Math.floor(one * 10) === tenth).length;
      expect(share).toBeGreaterThan(100);
      expect(share).toBeLessThan(320);
    }
  });

  it('gives two lower-case hex characters a byte, never the same', () => {
    const ids = Array.from({ length: 500 }, () => systemRandom.hex(12));
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(500);
    expect(systemRandom.hex(0)).toBe('');
  });
});
