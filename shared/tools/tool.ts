import type { z } from 'zod';
import type { Secret } from '../config/secret.ts';
import type { Logger } from '../observability/ports.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { Provider } from '../providers/ports.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import type { TablePort } from '../state/ports.ts';
import type { Outbox } from './outbox-ports.ts';

/** What a grant can allow besides reading, which is always included. */
export const CAPABILITIES = ['draft', 'comment', 'resolve', 'observe', 'submit'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const SUBMIT_ACTIONS = ['comment', 'approve', 'request_changes'] as const;
export type SubmitAction = (typeof SUBMIT_ACTIONS)[number];

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
  /** Writes still allowed, by window; the outbox reserves them by CAS. A comment is one, a review's text another. */
  readonly budgets: {
    /** For one caller id (a run or a client) on one pull request. */
    readonly writesPerRun?: number;
    /** On one pull request, by all callers, in one clock hour. */
    readonly writesPerHour?: number;
    /** By this grant over all its pull requests in one clock hour; needs the outbox's budget table. */
    readonly writesPerHourOverall?: number;
  };
  /** Epoch ms; undefined = does not expire. */
  readonly expiresAt?: number;
}

/** What a place must offer for a tool to work there. */
export const REQUIREMENTS = ['snapshot', 'submit', 'create_thread', 'reply', 'resolve'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** What the gate must know about the thing a call is aimed at, read before it is asked for the second time. */
export interface TargetFacts {
  readonly submitAction?: SubmitAction;
  /** Own = the opener is us AND the thread is recorded or marked; everything doubtful is foreign. */
  readonly thread?: 'own' | 'foreign' | 'missing';
  /** Own = the caller's, or a draft that belongs to the pull request. */
  readonly draft?: 'own' | 'foreign' | 'missing';
  /** True when this very call was begun before: it is finished or answered again, and costs nothing. */
  readonly isRepeat?: boolean;
  /** True when a person or another run holds the one pending review this tool would touch. */
  readonly isForeignReview?: boolean;
}

/** One line of the audit: who called what on which pull request, how it was decided, what came of it. */
export interface ToolCallRecord {
  readonly tool: string;
  readonly access: 'read' | 'write';
  readonly callerId: string;
  readonly grantId: string;
  readonly instance: string;
  readonly repositoryId: string;
  readonly number: number;
  /** `allowed`, or the code of the refusal or failure. */
  readonly decision: string;
  /** Ids of what was written: draft ids, thread ids, review ids. Never bodies. */
  readonly resultIds: readonly string[];
  readonly startedAt: number;
  readonly tookMs: number;
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
  /** Who calls, for draft ownership and budgets: the same id in every attempt of a run, or the client id. */
  readonly callerId: string;
  readonly signal: AbortSignal;
  /** Renews the lease and looks for newer jobs; asked right before every provider write inside a run. */
  readonly confirmBeforeWrite?: () => Promise<void>;
  /** True in draft mode: drafts added here belong to the pull request, not to the caller. */
  readonly sharesDrafts?: boolean;
  /** First visible text of every submitted review; blank falls back to the default. */
  readonly disclaimer?: string;
  /** Secrets of this process, masked in everything that is returned or written. */
  readonly secrets?: readonly Secret[];
  /** Audit; awaited before a write is answered. */
  readonly record?: (record: ToolCallRecord) => Promise<void>;
}

export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** snake_case noun_verb or verb_noun, at most 64 characters. */
  readonly name: string;
  readonly title: string;
  /** Written for a model: what it does, when to use it, what it refuses. */
  readonly description: string;
  readonly access: 'read' | 'write';
  readonly needs: 'read' | Capability;
  /** What the place must offer; a tool without its requirements is not listed and refused as unavailable_here. */
  readonly requires?: readonly Requirement[];
  /** True when the tool writes at the provider, so that budgets apply. Drafts are rows of ours and cost nothing. */
  readonly spends?: boolean;
  /** True when the answer holds text of others: what a model reads of it is fenced. */
  readonly showsUntrusted?: boolean;
  /** True when the tool removes or replaces something. */
  readonly destructive?: boolean;
  /** True when calling twice with the same input leaves the same state as calling once. */
  readonly idempotent?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Loads what the gate must know about the target; called after scope and capability were allowed. */
  facts?(context: ToolContext, input: z.infer<Input>): Promise<TargetFacts>;
  /** Called by invokeTool only. */
  handler(context: ToolContext, input: z.infer<Input>): Promise<z.infer<Output>>;
  /** The text a model reads; without it the output as JSON. */
  render?(output: z.infer<Output>): string;
  /** Ids for the audit. */
  resultIds?(output: z.infer<Output>): readonly string[];
}
