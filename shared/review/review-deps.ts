import type { Secret } from '../config/secret.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import type { ModelClient } from '../llm/ports.ts';
import type { Logger } from '../observability/ports.ts';
import type { Provider } from '../providers/ports.ts';
import type { RulePack } from '../rules/rule-pack.ts';
import type { TablePort } from '../state/ports.ts';
import type { Outbox } from '../tools/outbox-ports.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { ModelNames } from './plan.ts';
import type { PublishPolicy } from './publish.ts';
import type { SnapshotBudget } from './snapshot/snapshot-budget.ts';
import type { SnapshotLimits } from './snapshot/snapshot-limits.ts';
import type { UnitLimits } from './split-units.ts';

/** Everything a review needs from the composition root. */
export interface ReviewDeps {
  /** The client of a configured instance. @throws AppError `permanent` for one that is not configured. */
  providerOf(instance: string): Provider | Promise<Provider>;
  readonly model: ModelClient;
  /** MODEL_SKIM, MODEL_STANDARD, MODEL_DEEP. */
  readonly models: ModelNames;
  /** The packaged or published rules. */
  loadRules(): Promise<readonly RulePack[]>;
  /** Existing directory for temporary files. */
  readonly snapshotDirectory: string;
  /** One for the whole process. */
  readonly snapshotBudget: SnapshotBudget;
  readonly snapshotLimits?: SnapshotLimits;
  /** GatehouseSessions. */
  readonly sessions: TablePort;
  /** GatehouseRuns. */
  readonly runs: TablePort;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
  /** Signs the lines around untrusted text in prompts; never leaves the process. */
  readonly fenceKey: Secret;
  /** Secrets of this process, masked in everything that is shown or written. */
  readonly secrets: readonly Secret[];
  /** GATEHOUSE_STOP. */
  readonly writesStopped: boolean;
  /** Version and commit, e.g. `0.1.0+2f9a652`. */
  readonly build: string;
  readonly policy?: PublishPolicy;
  readonly unitLimits?: UnitLimits;
  /** Passes that ask the model at the same time; default 3. */
  readonly passConcurrency?: number;
  /** Audit of tool calls. */
  readonly record?: ToolContext['record'];
}
