import { runChaos } from './run-chaos.ts';

/** `npm run test:chaos [-- --seed N]`: kills workers for a minute and says what was lost or said twice. */
const LEAST_KILLS = 15;
const LEAST_KILLS_AFTER_WRITE = 10;

const seedIndex = process.argv.indexOf('--seed');
const seed = seedIndex >= 0 ? Number(process.argv[seedIndex + 1]) : Date.now() % 1_000_000;
if (!Number.isSafeInteger(seed)) {
  process.stderr.write('test:chaos: --seed takes a whole number\n');
  process.exit(2);
}

process.stdout.write(`chaos: seed ${seed}, 60 s\n`);
const result = await runChaos({
  seed,
  durationMs: 60_000,
  randomKills: 8,
  killsAfterWrite: 14,
  workers: 3,
  deliveriesPerSecond: 4,
  settleMs: 60_000,
});
const { deliveries, kills, killsAfterWrite, settled, duplicates, lost, failures, azuriteRestarts } = result;
process.stdout.write(
  `kills between a write and its settle ${killsAfterWrite}, Azurite restarts ${azuriteRestarts}, reported failures ${failures}\n`,
);
for (const key of duplicates) process.stdout.write(`said twice: ${key}\n`);
for (const key of lost) process.stdout.write(`lost: ${key}\n`);
process.stdout.write(
  `deliveries ${deliveries}, kills ${kills}, settled ${settled}, duplicates ${duplicates.length}, lost ${lost.length}\n`,
);
const isGood =
  duplicates.length === 0 &&
  lost.length === 0 &&
  settled === deliveries &&
  kills >= LEAST_KILLS &&
  killsAfterWrite >= LEAST_KILLS_AFTER_WRITE &&
  azuriteRestarts === 1;
process.exit(isGood ? 0 : 1);
