import fc from 'fast-check';
import { product } from './sim/product.ts';
import { runScenario } from './sim/run-scenario.ts';
import { randomRunArb, randomSchedule } from './random-scenario.ts';
const n = Number(process.argv[2] ?? 2000);
const hits = new Map<string, number>();
const t = performance.now(); let st = 0; let max = 0;
const res = await fc.check(fc.asyncProperty(randomRunArb, async (run) => {
  const t0 = performance.now();
  const r = await runScenario(product, run.scenario, randomSchedule(run, (l, f) => { const k = l + ' ' + f.kind; hits.set(k, (hits.get(k) ?? 0) + 1); }));
  st += r.steps; const d = performance.now() - t0; if (d > max) { max = d; console.log('slow', d.toFixed(0), r.steps, JSON.stringify(run.scenario.events.map(e => e.behaviour))); }
  if (r.violation) throw new Error(r.violation.invariant + ': ' + r.violation.detail);
}), { numRuns: n, seed: Number(process.argv[3] ?? 1), endOnFailure: process.argv[4] === 'noshrink' });
console.log(performance.now() - t, st / n);
if (res.failed) console.log(JSON.stringify(res.counterexample, null, 1), String(res.errorInstance), res.numRuns, res.numShrinks);
const low = [...hits].filter(([k]) => k.includes('crash')).sort((a, b) => a[1] - b[1]).slice(0, 25);
console.log(low.map(([k, v]) => k + '=' + v).join(' '));
