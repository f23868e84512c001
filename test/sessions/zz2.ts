import { readFileSync } from 'node:fs';
import { product } from './sim/product.ts';
import { runScenario } from './sim/run-scenario.ts';
import { randomSchedule } from './random-scenario.ts';
const run = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const log: string[] = []; let n = 0; let now = () => 0;
const r = await runScenario(product, run.scenario, randomSchedule(run, () => undefined), { observe: (c, f) => { if (n++ < Number(process.argv[3] ?? 150)) log.push(`${c.process.name}:${c.label}${f ? '!' + f.kind : ''}`); },
 log: { debug() {}, info(e: string, f: any) { log.push(`  [${e} ${JSON.stringify(f)}]`); }, warn(e: string, f: any) { log.push(`  [${e} ${f?.error?.message ?? JSON.stringify(f)}]`); }, error(e: string, f: any) { log.push(`  [${e} ${f?.error?.message ?? JSON.stringify(f)}]`); }, child() { return this; } } as any });
console.log(log.join('\n')); console.log(r.violation, r.steps);
