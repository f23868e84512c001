import type { Clock, RandomSource } from '../domain/clock.ts';
import { outboxKey } from '../state/keys.ts';
import type { TableAction, TablePort } from '../state/ports.ts';
import {
  assertWithinBudget,
  contended,
  HOUR_MS,
  hourOf,
  moveCounters,
  readCounters,
  type OverallBudget,
} from './budget.ts';
import { outboxRow, type HeldRow, type OutboxRow } from './outbox-row.ts';
import type { WriteAuthority } from './outbox-ports.ts';

/** How often a step is repeated because rows it shares with others moved. */
const MAX_RACES = 30;

export interface OutboxStoreDependencies {
  readonly table: TablePort;
  readonly overall: OverallBudget;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface Claim extends Pick<OutboxRow, 'kind' | 'marker' | 'generation'> {
  /** Budget units, reserved unless the row already holds a reservation. */
  readonly cost: number;
}

export interface Refusal {
  readonly state: 'failed' | 'refused';
  readonly code: string;
  readonly message: string;
}

/** The row behind one outbox key. Each step happens whole or not at all. */
export interface OutboxStore {
  read(): Promise<HeldRow | undefined>;
  /**
   * Makes the row ours with a fresh intent. Undefined when somebody else was faster.
   * @throws AppError `denied` budget_exhausted, with nothing reserved.
   */
  claim(before: HeldRow | undefined, claim: Claim): Promise<HeldRow | undefined>;
  /** Restarts the age of our intent; undefined when it is no longer ours. */
  renew(intent: HeldRow): Promise<HeldRow | undefined>;
  /** Records that the write exists, also over the intent of somebody who took it over meanwhile. */
  settleDone(intent: HeldRow, result: string): Promise<void>;
  /** Records that the write does not exist and gives its reservation back, as long as the intent is ours. */
  settleUnwritten(intent: HeldRow, refusal: Refusal): Promise<void>;
}

export function openOutboxStore(
  { table, overall, clock, random }: OutboxStoreDependencies,
  partitionKey: string,
  key: string,
  { grant, callerId }: WriteAuthority,
): OutboxStore {
  const rowKey = outboxKey(key);

  const read = async (): Promise<HeldRow | undefined> => {
    const row = await table.get(partitionKey, rowKey);
    return row === undefined ? undefined : { row: outboxRow.decode(row), etag: row.etag };
  };

  /** Writes the row and what it moves in one transaction; undefined when it did not come to stand. */
  const commit = async (
    row: OutboxRow,
    etag: string | undefined,
    moves: readonly TableAction[] = [],
  ): Promise<HeldRow | undefined> => {
    const values = outboxRow.encode(row);
    const action: TableAction =
      etag === undefined ? { kind: 'create', rowKey, values } : { kind: 'replace', rowKey, values, etag };
    const written = await table.transaction(partitionKey, [action, ...moves]);
    if (written.kind === 'done') return { row, etag: written.etags[0] ?? '' };
    const found = await read();
    return found?.row.owner === row.owner && found.row.state === row.state && found.row.at === row.at
      ? found
      : undefined;
  };

  const pause = (): Promise<void> => clock.sleep(Math.floor(random.number() * 50));

  /** The claim's reservation on this pull request, checked against the limits before it is written. */
  const reserve = async (cost: number, now: number): Promise<TableAction[]> => {
    const hour = hourOf(now);
    const counters = await readCounters(table, partitionKey, callerId, hour);
    const use = {
      run: counters.run.used,
      hour: counters.hour.used,
      hourOverall: 0,
      hourEndsAt: hour + HOUR_MS,
    };
    assertWithinBudget(grant, use, cost, now);
    return moveCounters(counters, cost);
  };

  const claimFresh = async (before: HeldRow | undefined, claim: Claim): Promise<HeldRow | undefined> => {
    const owner = random.hex(16);
    for (let race = 0; race < MAX_RACES; race += 1) {
      const now = clock.now();
      const moves = await reserve(claim.cost, now);
      const row: OutboxRow = {
        ...claimedRow(claim, owner, now),
        charged: claim.cost,
        chargedHour: hourOf(now),
        callerId,
        grantId: grant.id,
      };
      const held = await commit(row, before?.etag, moves);
      if (held !== undefined) return held;
      // Only the counters moved: the row is as it was, so the claim may be repeated.
      if ((await read())?.etag !== before?.etag) return undefined;
      await pause();
    }
    throw contended();
  };

  return {
    read,
    async claim(before, claim) {
      const kept = before?.row.state === 'intent' ? before.row : undefined;
      if (kept !== undefined && before !== undefined)
        return commit({ ...kept, owner: random.hex(16), at: clock.now() }, before.etag);
      const hour = hourOf(clock.now());
      if (!(await overall.move(grant, hour, claim.cost))) {
        const used = await overall.used(grant, hour);
        assertWithinBudget(
          grant,
          { run: 0, hour: 0, hourOverall: used, hourEndsAt: hour + HOUR_MS },
          claim.cost,
          clock.now(),
        );
        throw contended();
      }
      let held: HeldRow | undefined;
      try {
        held = await claimFresh(before, claim);
      } finally {
        if (held === undefined) await overall.move(grant, hour, -claim.cost);
      }
      return held;
    },
    renew: (intent) => commit({ ...intent.row, at: clock.now() }, intent.etag),
    async settleDone(intent, result) {
      let current: HeldRow | undefined = intent;
      for (let race = 0; race < MAX_RACES; race += 1) {
        if (current === undefined || current.row.generation !== intent.row.generation) return;
        if (current.row.state === 'done') return;
        const row: OutboxRow = { ...current.row, state: 'done', outcome: result, at: clock.now() };
        if ((await commit(row, current.etag)) !== undefined) return;
        current = await read();
      }
    },
    async settleUnwritten(intent, { state, code, message }) {
      const { charged, chargedHour, callerId: payer, owner } = intent.row;
      let etag = intent.etag;
      for (let race = 0; race < MAX_RACES; race += 1) {
        const counters =
          charged > 0 ? await readCounters(table, partitionKey, payer, chargedHour) : undefined;
        const row: OutboxRow = { ...intent.row, state, outcome: code, message, charged: 0, at: clock.now() };
        const moves = counters === undefined ? [] : moveCounters(counters, -charged);
        if ((await commit(row, etag, moves)) !== undefined) {
          if (intent.row.grantId === grant.id && charged > 0)
            await overall.move(grant, chargedHour, -charged);
          return;
        }
        const found = await read();
        if (found?.row.owner !== owner || found.row.state !== 'intent') return;
        etag = found.etag;
        await pause();
      }
    },
  };
}

function claimedRow(
  { kind, marker, generation }: Claim,
  owner: string,
  now: number,
): Omit<OutboxRow, 'charged' | 'chargedHour' | 'callerId' | 'grantId'> {
  return { state: 'intent', kind, owner, marker, generation, at: now, outcome: '', message: '' };
}
