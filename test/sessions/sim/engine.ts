import { setImmediate as afterMicrotasks } from 'node:timers/promises';
import type { Clock, RandomSource } from '../../../shared/domain/clock.ts';
import { hardError, unknownAnswer, type CallKind, type Fault } from './faults.ts';
import { hashText, seededSource } from './random.ts';

/** One invocation of the product: an ingress request, or the handling of one message. */
export interface Process {
  readonly name: string;
  /** Its clock less the world's, in ms. */
  readonly skewMs: number;
  readonly clock: Clock;
  readonly random: RandomSource;
  isAlive: boolean;
  /** World time until which it does nothing; 0 when it runs. */
  frozenUntil: number;
  /** Number of calls that were answered, and a hash of the answers: two equal ones are in the same state. */
  calls: number;
  history: number;
  readonly onKill: (() => void)[];
}

/** A call that a process waits for. */
export interface Call {
  readonly process: Process;
  readonly label: string;
  readonly kind: CallKind;
  /** World time at which the process made it. */
  readonly since: number;
  readonly execute: () => unknown;
  readonly answer: (answer: { readonly value: unknown } | { readonly error: unknown }) => void;
}

interface Timer {
  readonly at: number;
  readonly process: Process | undefined;
  readonly order: number;
  readonly fire: () => void;
  /** False for what the world does by itself: it is no choice. */
  readonly isChoice: boolean;
}

export type Choice =
  | { readonly kind: 'call'; readonly process: Process; readonly call: Call }
  | { readonly kind: 'timer'; readonly process: Process | undefined; readonly timer: Timer }
  | { readonly kind: 'offer'; readonly process: undefined; readonly offer: Offer };

/** Something outside any process that can happen now: a message is received, a webhook arrives. */
export interface Offer {
  readonly name: string;
  take(): void;
}

export interface Engine {
  readonly now: () => number;
  startProcess(name: string, skewMs: number): Process;
  kill(process: Process): void;
  /** Suspends `process` until the scheduler lets the call happen. */
  call<T>(process: Process, label: string, kind: CallKind, execute: () => T): Promise<T>;
  /** Runs `action` at a time by itself. Calling the result cancels it. */
  at(time: number, action: () => void): () => void;
  choices(offers: readonly Offer[]): Choice[];
  /** Lets one thing happen, with an optional fault if it is a call; resolves when every process waits again. */
  take(choice: Choice, fault?: Fault): Promise<void>;
  /** Moves the clock to the next timer or to `limit`, whichever is first; false when there is nothing to wait for. */
  advance(limit: number): Promise<boolean>;
  /** The next time at which anything is due. */
  nextTime(): number;
  /** Calls that wait, of all processes. */
  pending(): readonly Call[];
  timers(): readonly Timer[];
}

/**
 * A request arrives within this time or never, also that of a process that was frozen just before it sent it.
 * Longer is outside what the protocol promises for an append: its message stops waiting after 10 min, and the
 * sweep finds the job.
 */
export const LATEST_ARRIVAL_MS = 130_000;

export interface EngineOptions {
  readonly startAt: number;
  /** Sees every call that was carried out, before its process does. */
  readonly observe: (call: Call, fault: Fault | undefined) => void;
  /** Keeps `history` of processes, which costs time. */
  readonly keepsHistory: boolean;
}

export function createEngine({ startAt, observe, keepsHistory }: EngineOptions): Engine {
  let now = startAt;
  let order = 0;
  let pending: Call[] = [];
  let timers: Timer[] = [];

  const addTimer = (timer: Omit<Timer, 'order'>): Timer => {
    order += 1;
    const added = { ...timer, order };
    timers.push(added);
    timers.sort((a, b) => a.at - b.at || a.order - b.order);
    return added;
  };
  const removeTimer = (timer: Timer): void => {
    timers = timers.filter((other) => other !== timer);
  };
  const canRun = (process: Process | undefined): boolean =>
    process === undefined || (process.isAlive && process.frozenUntil <= now);

  const kill = (process: Process): void => {
    if (!process.isAlive) return;
    process.isAlive = false;
    pending = pending.filter((call) => call.process !== process);
    timers = timers.filter((timer) => timer.process !== process);
    for (const onKill of process.onKill) onKill();
  };

  const clockOf = (process: () => Process, skewMs: number): Clock => ({
    now: () => now + skewMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const timer = addTimer({
          at: now + Math.max(0, Math.ceil(ms)),
          process: process(),
          isChoice: true,
          fire: resolve,
        });
        signal?.addEventListener('abort', () => {
          removeTimer(timer);
          reject(signal.reason);
        });
      }),
  });

  const execute = (call: Call): { readonly value: unknown } | { readonly error: unknown } => {
    try {
      return { value: call.execute() };
    } catch (error) {
      return { error };
    }
  };

  /** Undefined when the process gets no answer (yet). */
  const carryOut = (call: Call, fault: Fault | undefined): ReturnType<typeof execute> | undefined => {
    const { process } = call;
    switch (fault?.kind) {
      case undefined:
        return execute(call);
      case 'crash-before':
        kill(process);
        return undefined;
      case 'crash-after':
        execute(call);
        kill(process);
        return undefined;
      case 'lost':
        execute(call);
        return unknownAnswer(call.kind, undefined);
      case 'lost-repeated':
        execute(call);
        return execute(call);
      case 'refused':
        return unknownAnswer(call.kind, 503);
      case 'hard':
        return { error: hardError() };
      case 'late':
        addTimer({
          at: now + Math.min(fault.delayMs, LATEST_ARRIVAL_MS),
          process: undefined,
          isChoice: true,
          fire: () => execute(call),
        });
        return unknownAnswer(call.kind, undefined);
      case 'stall':
        process.frozenUntil =
          now + (call.label === 'A2.tx' ? Math.min(fault.delayMs, LATEST_ARRIVAL_MS) : fault.delayMs);
        pending.push(call);
        return undefined;
    }
  };

  /** What a process knows is what it was answered, and when. Receipts are names without meaning. */
  const remember = (call: Call, answer: NonNullable<ReturnType<typeof execute>>): void => {
    const { process, label, kind } = call;
    const known = 'value' in answer && kind !== 'send' ? JSON.stringify(answer.value, bigintAsText) : '';
    process.history = hashText(`${process.history} ${now} ${label} ${'error' in answer} ${known}`);
  };

  return {
    now: () => now,
    startProcess(name, skewMs) {
      const process: Process = {
        name,
        skewMs,
        clock: clockOf(() => process, skewMs),
        random: seededSource(hashText(name)),
        isAlive: true,
        frozenUntil: 0,
        calls: 0,
        history: 0,
        onKill: [],
      };
      return process;
    },
    kill,
    call: (process, label, kind, run) =>
      new Promise((resolve, reject) => {
        if (!process.isAlive) return;
        const answer: Call['answer'] = (given) => {
          if ('error' in given) reject(given.error);
          // The value is what `run` gave, or a fault's stand-in of the same shape.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          else resolve(given.value as ReturnType<typeof run>);
        };
        pending.push({ process, label, kind, since: now, execute: run, answer });
      }),
    at(time, action) {
      const timer = addTimer({ at: time, process: undefined, isChoice: false, fire: action });
      return () => removeTimer(timer);
    },
    choices: (offers) => [
      ...pending
        .filter(({ process }) => canRun(process))
        .map((call): Choice => ({ kind: 'call', process: call.process, call })),
      ...timers
        .filter((timer) => timer.isChoice && timer.at <= now && canRun(timer.process))
        .map((timer): Choice => ({ kind: 'timer', process: timer.process, timer })),
      ...offers.map((offer): Choice => ({ kind: 'offer', process: undefined, offer })),
    ],
    async take(choice, fault) {
      if (choice.kind === 'offer') choice.offer.take();
      else if (choice.kind === 'timer') {
        removeTimer(choice.timer);
        choice.timer.fire();
      } else {
        const { call } = choice;
        pending = pending.filter((other) => other !== call);
        const answer = carryOut(call, fault);
        observe(call, fault);
        if (answer !== undefined && call.process.isAlive) {
          call.process.calls += 1;
          if (keepsHistory) remember(call, answer);
          call.answer(answer);
        }
      }
      await afterMicrotasks();
    },
    async advance(limit) {
      const next = Math.min(nextTime(), limit);
      if (!Number.isFinite(next)) return false;
      now = Math.max(now, next);
      for (let due = dueByItself(); due !== undefined; due = dueByItself()) {
        removeTimer(due);
        due.fire();
      }
      await afterMicrotasks();
      return true;
    },
    nextTime,
    pending: () => pending,
    timers: () => timers,
  };

  function dueByItself(): Timer | undefined {
    return timers.find((timer) => !timer.isChoice && timer.at <= now);
  }

  function nextTime(): number {
    const times = [
      ...timers.map((timer) => Math.max(timer.at, timer.process?.frozenUntil ?? 0)),
      ...pending.map(({ process }) => process.frozenUntil),
    ].filter((time) => time > now);
    return Math.min(...times);
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
