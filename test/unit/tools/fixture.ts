import { Secret } from '../../../shared/config/secret.ts';
import type { Logger } from '../../../shared/observability/ports.ts';
import type { Provider } from '../../../shared/providers/ports.ts';
import type { Snapshot } from '../../../shared/providers/snapshot.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { sessionPartition } from '../../../shared/state/keys.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { createScopedProvider } from '../../../shared/tools/scoped-provider.ts';
import type { Grant, ToolContext } from '../../../shared/tools/tool.ts';
import type { ToolResult } from '../../../shared/tools/tool-result.ts';
import {
  createFakeProvider,
  createWorld,
  FILES,
  PULL_REQUEST,
  REF,
  type FakeWorld,
} from './fake-provider.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export const TIMINGS = { externalWriteMs: 20_000, outboxIntentMs: 60_000, readBackGapMs: 3_000 };
export const MARKER_KEYS = [new Secret('marker-key-one'), new Secret('marker-key-two')];

export const FULL_GRANT: Grant = {
  id: 'full',
  instances: ['main'],
  repositories: ['acme/*'],
  capabilities: ['draft', 'comment', 'resolve', 'observe', 'submit'],
  submitActions: ['comment', 'approve', 'request_changes'],
  budgets: {},
};

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly fields: unknown;
}

export function createMemoryLog(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (event: string, fields?: unknown) => {
    lines.push({ level, event, fields });
  };
  const log: Logger & { readonly lines: LogLine[] } = {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return log;
}

/** Numbers that differ and repeat in every run. */
export function createCountingRandom(seed = 1): { number(): number; hex(bytes: number): string } {
  let count = seed;
  return {
    number: () => 0.5,
    hex(bytes) {
      count += 1;
      return count.toString(16).padStart(bytes * 2, '0');
    },
  };
}

export interface Setup {
  readonly context: ToolContext;
  readonly clock: VirtualClock;
  readonly world: FakeWorld;
  readonly table: TablePort;
  readonly log: ReturnType<typeof createMemoryLog>;
  /** Calls a tool and lets time pass until it answers. */
  readonly call: (name: string, args: unknown, changes?: Partial<ToolContext>) => Promise<ToolResult>;
}

export interface SetupOptions extends Partial<Omit<ToolContext, 'provider'>> {
  readonly world?: FakeWorld;
  readonly provider?: Provider;
  readonly clock?: VirtualClock;
  readonly table?: TablePort;
  readonly budgets?: TablePort;
  readonly isStopped?: () => boolean;
}

export function setUp(options: SetupOptions = {}): Setup {
  const { world = createWorld(), clock = createVirtualClock(), budgets, isStopped, ...changes } = options;
  const table = options.table ?? createInMemoryTable(() => clock.now());
  const log = createMemoryLog();
  const random = options.random ?? createCountingRandom();
  const outbox = createOutbox({
    table,
    clock,
    timings: TIMINGS,
    markerKeys: MARKER_KEYS,
    random,
    log,
    ...(budgets === undefined ? {} : { budgets }),
    ...(isStopped === undefined ? {} : { isStopped: async () => isStopped() }),
  });
  const context: ToolContext = {
    grant: FULL_GRANT,
    pullRequest: PULL_REQUEST,
    changedFiles: FILES,
    snapshot: undefined,
    sessions: table,
    partitionKey: sessionPartition(REF),
    outbox,
    clock,
    random,
    log,
    writesStopped: false,
    callerId: 'client-a',
    signal: new AbortController().signal,
    ...changes,
    provider: createScopedProvider(options.provider ?? createFakeProvider(world), REF),
  };
  return {
    context,
    clock,
    world,
    table,
    log,
    call: (name, args, more) => clock.drive(invokeTool({ ...context, ...more }, name, args)),
  };
}

/** A snapshot over texts; `binary` marks paths that cannot be read as text. */
export function createFakeSnapshot(files: Readonly<Record<string, string>>): Snapshot {
  return {
    commit: PULL_REQUEST.headSha,
    listFiles: () => Object.keys(files).toSorted(),
    readText: async (path) => files[path],
    unreadable: [],
  };
}

/** The output of a call that must have worked. */
export function outputOf(result: ToolResult): unknown {
  if (!result.ok) throw new Error(`the call was refused: ${result.code} ${result.message}`);
  return result.output;
}
