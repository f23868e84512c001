import { parseArgs } from 'node:util';
import { runLoad, type Load, type LoadResult } from './sessions-load.ts';

const HELP = `npm run bench -- sessions [--deliveries N] [--job-ms N] [--json]

Delivers N (1,000) events over 100 pull requests while 8 workers drain, then N and N/10 over one hot pull request,
each on an Azurite of its own. Counts every call of the protocol to tables and queue (not the receive and delete
of the queue's host). Jobs take 50 ms: real ones take minutes, coalesce more and cost less.
Limits: 11 calls per event, 5 per acknowledgement, and 10 times the events on one pull request cost at most 12
times the calls. Exit code 1 outside them.`;

const MAX_CALLS_PER_EVENT = 11;
const MAX_CALLS_PER_ACK = 5;
const MAX_GROWTH = 12;

/** Measures what a delivery costs from its acknowledgement to its settling. */
export async function runSessionsBench(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      deliveries: { type: 'string', default: '1000' },
      'job-ms': { type: 'string', default: '50' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const deliveries = Number(values.deliveries);
  const base: Load = {
    deliveries,
    pullRequests: 100,
    workers: 8,
    senders: 4,
    jobMs: Number(values['job-ms']),
    seed: 1,
  };
  const spread = await runLoad(base);
  const hot = await runLoad({ ...base, pullRequests: 1 });
  const hotTenth = await runLoad({ ...base, pullRequests: 1, deliveries: deliveries / 10 });

  const growth = calls(hot) / calls(hotTenth);
  const figures = {
    spread: summary(spread, deliveries),
    hot: summary(hot, deliveries),
    hotTenth: summary(hotTenth, deliveries / 10),
    hotGrowth: round(growth),
  };
  if (values.json) print(JSON.stringify(figures));
  else {
    print(`100 pull requests: ${line(figures.spread)}`);
    print(`1 hot pull request: ${line(figures.hot)}`);
    print(`1 hot pull request, a tenth of the events: ${line(figures.hotTenth)}`);
    print(`10 times the events on one pull request cost ${figures.hotGrowth} times the calls`);
  }
  const outside = [
    ...[figures.spread, figures.hot].flatMap((figure) => [
      figure.callsPerEvent > MAX_CALLS_PER_EVENT ? `more than ${MAX_CALLS_PER_EVENT} calls per event` : [],
      figure.callsPerAck > MAX_CALLS_PER_ACK
        ? `more than ${MAX_CALLS_PER_ACK} calls per acknowledgement`
        : [],
    ]),
    growth > MAX_GROWTH ? `more than ${MAX_GROWTH} times the calls for 10 times the events` : [],
  ].flat();
  for (const limit of outside) process.stderr.write(`outside its limits: ${limit}\n`);
  return outside.length === 0 ? 0 : 1;
}

function calls(result: LoadResult): number {
  return result.ackCalls + result.drainCalls;
}

interface Summary {
  readonly ackP50Ms: number;
  readonly ackP99Ms: number;
  readonly settledPerSecond: number;
  readonly callsPerEvent: number;
  readonly callsPerAck: number;
  readonly conflicts: number;
  readonly coalescedShare: number;
}

function summary(result: LoadResult, deliveries: number): Summary {
  const sorted = result.ackMs.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    ackP50Ms: round(at(0.5)),
    ackP99Ms: round(at(0.99)),
    settledPerSecond: round(deliveries / (result.totalMs / 1_000)),
    callsPerEvent: round(calls(result) / deliveries),
    callsPerAck: round(result.ackCalls / deliveries),
    conflicts: result.conflicts,
    coalescedShare: round(result.superseded / deliveries),
  };
}

function line(figure: Summary): string {
  return (
    `acknowledged in ${figure.ackP50Ms} ms p50, ${figure.ackP99Ms} ms p99; ${figure.settledPerSecond} settled/s; ` +
    `${figure.callsPerEvent} calls per event, ${figure.callsPerAck} per acknowledgement; ` +
    `${figure.conflicts} conflicts; ${Math.round(figure.coalescedShare * 100)} % coalesced`
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
