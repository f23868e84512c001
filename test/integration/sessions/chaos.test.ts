import { expect, it } from 'vitest';
import { runChaos } from '../../chaos/run-chaos.ts';

const SEED = 20_261_130;

it(
  'loses nothing and says nothing twice while workers are killed and storage restarts',
  { timeout: 120_000 },
  async () => {
    const result = await runChaos({
      seed: SEED,
      durationMs: 7_000,
      randomKills: 2,
      killsAfterWrite: 3,
      workers: 2,
      deliveriesPerSecond: 5,
      settleMs: 60_000,
    });
    expect(result).toMatchObject({ duplicates: [], lost: [], azuriteRestarts: 1 });
    expect(result.settled).toBe(result.deliveries);
    expect(result.deliveries).toBeGreaterThan(10);
    expect(result.kills).toBeGreaterThanOrEqual(3);
    expect(result.killsAfterWrite).toBeGreaterThanOrEqual(1);
  },
);
