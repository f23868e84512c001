import type { z } from 'zod';
import type { Logger } from '../observability/ports.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { Provider } from '../providers/ports.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import type { TablePort } from '../state/ports.ts';
import type { Outbox } from './outbox.ts';

/** What a grant can allow besides reading, which is always included. */
export const CAPABILITIES = ['draft', 'comment', 'resolve', 'observe', 'submit'] as const;
export type Capability = (typeof CAPABILITIES)[number];
export type SubmitAction = 'comment' | 'approve' | 'request_changes';

/** What a caller may do. Comes from settings, the registry and the client table, never from a caller. */
export interface Grant {
  /** Names the grant in audit and budgets; no secret. */
  readonly id: string;
  readonly instances: readonly string[];
  /** Globs over the full repository name the provider returns, case-insensitive. */
  readonly repositories: readonly string[];
  /** Binds the grant to one pull request. */
  readonly pullRequest?: { readonly repositoryId: string; readonly number: number };
  readonly capabilities: readonly Capability[];
  readonly submitActions: readonly SubmitAction[];
  /** Writes still allowed, by window; the outbox reserves them by CAS. */
  readonly budgets: { readonly writesPerRun?: number; readonly writesPerHour?: number };
  /** Epoch ms; undefined = does not expire. */
  readonly expiresAt?: number;
}

/** Everything a handler may touch. There is nothing else to reach a provider with. */
export interface ToolContext {
  readonly grant: Grant;
  readonly provider: Provider;
  /** The pull request as read from the provider at the start of the run or request. */
  readonly pullRequest: PullRequest;
  readonly changedFiles: readonly ChangedFile[];
  /** Only inside runs. */
  readonly snapshot: Snapshot | undefined;
  readonly sessions: TablePort;
  readonly partitionKey: string;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
  /** True when GATEHOUSE_STOP is set. */
  readonly writesStopped: boolean;
  /** Who calls, for draft ownership: run id or client id. */
  readonly callerId: string;
  readonly signal: AbortSignal;
}

export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** snake_case noun_verb or verb_noun, at most 64 characters. */
  readonly name: string;
  readonly title: string;
  /** Written for a model: what it does, when to use it, what it refuses. */
  readonly description: string;
  readonly access: 'read' | 'write';
  readonly needs: 'read' | Capability;
  readonly input: Input;
  readonly output: Output;
  /** Called by invokeTool only. */
  handler(context: ToolContext, input: z.infer<Input>): Promise<z.infer<Output>>;
}
