import { sessionPartition } from '../../../shared/state/keys.ts';
import { LATEST_ARRIVAL_MS, type Call, type Choice } from './engine.ts';
import type { Fault } from './faults.ts';
import type { RunRecord } from './job.ts';
import type { Protocol } from './protocol.ts';
import type { Scenario } from './scenario.ts';
import type { Violation } from './violation.ts';
import { createWorld, nextOutside, pullRequest, START_MS, type World, type WorldOptions } from './world.ts';

/** Decides what happens next; everything else in a run follows from it. */
export interface Schedule {
  /**
   * Index into `choices`, which has at least one; `advance` to let the clock jump to the next timer although more
   * could happen now; `stop` to end the run here, because what follows is known.
   */
  pick(choices: readonly Choice[], world: World): number | 'advance' | 'stop';
  fault(call: Call): Fault | undefined;
}

export interface ScenarioResult {
  readonly violation: Violation | undefined;
  readonly steps: number;
  readonly endedAt: number;
  readonly runs: readonly RunRecord[];
  readonly world: World;
}

/** More steps than any run of the explored sizes takes; a run that needs more never comes to rest. */
const MAX_STEPS = 20_000;
const MAX_MS = 100 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Runs one scenario to its end, or to the first broken promise. */
export async function runScenario(
  protocol: Protocol,
  scenario: Scenario,
  schedule: Schedule,
  options: WorldOptions = {},
): Promise<ScenarioResult> {
  const world = createWorld(protocol, scenario, options);
  const { engine, model } = world;
  let steps = 0;

  let isStopped = false;
  const toRest = async (): Promise<void> => {
    while (model.violation() === undefined) {
      steps += 1;
      if (steps > MAX_STEPS || engine.now() - START_MS > MAX_MS) {
        const left = world.wake.list().map(({ body }) => JSON.stringify(body));
        model.fail(
          'comes-to-rest',
          `still busy after ${steps} steps; ${left.length} messages: ${left.join(' ').slice(0, 300)}`,
        );
        return;
      }
      const choices = engine.choices(world.offers());
      const append = choices.findIndex((choice) => choice.kind === 'call' && choice.call.label === 'A2.tx');
      const latest = latestAppend(choices[append]);
      let picked = choices.length === 0 ? 'advance' : schedule.pick(choices, world);
      if (picked === 'stop') {
        isStopped = true;
        return;
      }
      if (picked === 'advance' && engine.now() >= latest) picked = append;
      if (picked === 'advance') {
        const isMoved = await engine.advance(Math.min(nextOutside(world, scenario), latest));
        if (!isMoved && choices.length === 0) return;
        continue;
      }
      const choice = choices[picked];
      if (choice === undefined) throw new Error(`there is no choice ${picked} of ${choices.length}`);
      await engine.take(choice, choice.kind === 'call' ? schedule.fault(choice.call) : undefined);
      model.check();
    }
  };

  await toRest();
  if (!isStopped) await sweepOneDay(protocol, world, toRest);
  if (!isStopped && model.violation() === undefined) checkEnd(world, scenario);
  return { violation: model.violation(), steps, endedAt: engine.now() - START_MS, runs: world.runs, world };
}

/** World time by which a request that is on its way arrives at the latest. */
function latestAppend(choice: Choice | undefined): number {
  return choice?.kind === 'call' ? choice.call.since + LATEST_ARRIVAL_MS : Number.POSITIVE_INFINITY;
}

/** Everything has come to rest by messages alone; the sweep only has dead letters left to report. */
async function sweepOneDay(protocol: Protocol, world: World, toRest: () => Promise<void>): Promise<void> {
  const hasDeadLetters = (): boolean =>
    world.table.scan('0', 'g').some(({ rowKey }) => rowKey.startsWith('x'));
  if (!hasDeadLetters()) return;
  for (let hour = 0; hour < 24; hour++) {
    let isDone = false;
    world.startOther(`sweep${hour}`, async (store) => {
      await store.clock.sleep(HOUR_MS);
      await protocol.sweepSessions(store, {
        scan: {
          async *scan(from, to) {
            yield* world.table.scan(from, to);
          },
        },
        report: async () => undefined,
        retentionMs: 90 * 24 * HOUR_MS,
        log: SILENT,
      });
      isDone = true;
    });
    await toRest();
    if (!isDone) world.model.fail('accepted-delivery-settles', 'the sweep did not end');
  }
}

function checkEnd(world: World, scenario: Scenario): void {
  const { model, table } = world;
  for (const { settled, ticket } of model.records()) {
    if (settled === undefined) model.fail('accepted-delivery-settles', `job ${ticket} never settled`);
  }
  const prs = new Set(scenario.events.map(({ pr = 1 }) => pr));
  for (const pr of prs) {
    const partition = sessionPartition(pullRequest(pr));
    for (const { rowKey, values } of table.range(partition, 'x', 'y')) {
      if (values['reported'] !== true) model.fail('accepted-delivery-settles', `${rowKey} is not reported`);
    }
    const owner = table.get(partition, 'l')?.values['owner'] ?? '';
    if (owner !== '') model.fail('comes-to-rest', 'the lease is still taken');
  }
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => SILENT,
};
