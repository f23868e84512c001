import { decide, type GateDecision } from './gate.ts';
import { availableIn } from './available-in.ts';
import { failedResult, failureOf, type Failure } from './tool-failure.ts';
import { TOOLS } from './registry.ts';
import { sanitiseOutput } from './sanitise-output.ts';
import { createReadMasker } from './write-text.ts';
import { describeProblems } from './tool-schema.ts';
import type { AnyTool } from './define-tool.ts';
import type { BudgetUse } from './outbox-ports.ts';
import type { TargetFacts, ToolContext } from './tool.ts';
import type { ToolResult } from './tool-result.ts';

/**
 * The only path to a tool, for the model loop, the publisher and MCP clients alike: find, parse, gate, handle,
 * sanitise, record. Never throws; what a handler throws becomes a failed result without its text, unless the
 * error was made to be shown.
 */
export async function invokeTool(
  context: ToolContext,
  name: string,
  args: unknown,
  tools: readonly AnyTool[] = TOOLS,
): Promise<ToolResult> {
  const startedAt = context.clock.now();
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    context.log.info('tool.refused', { tool: 'unknown', code: 'unknown_tool' });
    return failedResult({
      code: 'unknown_tool',
      message: 'There is no such tool; list the tools for their names.',
    });
  }
  const attempt = await attemptCall(context, tool, args);
  try {
    await record(context, tool, attempt, startedAt);
  } catch (error) {
    // The write may have happened; repeating the call is safe (the outbox answers it) and is audited then.
    context.log.error('tool.auditFailed', { tool: tool.name, error });
    return failedResult({
      code: 'audit_failed',
      message: 'The call could not be audited; try again.',
      retryAfterMs: 5_000,
    });
  }
  return attempt.result;
}

interface Attempt {
  readonly result: ToolResult;
  readonly resultIds: readonly string[];
}

async function attemptCall(context: ToolContext, tool: AnyTool, args: unknown): Promise<Attempt> {
  try {
    const parsed = tool.input.safeParse(args ?? {});
    if (!parsed.success)
      return refused({ code: 'invalid_input', message: `Invalid input. ${describeProblems(parsed.error)}` });
    const denial = await gate(context, tool, parsed.data);
    if (denial !== undefined) return refused(denial);
    const output = await tool.handler(context, parsed.data);
    return { result: sanitiseOutput(context, tool, output), resultIds: tool.resultIds?.(output) ?? [] };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'internal_error') context.log.error('tool.crashed', { tool: tool.name, error });
    return refused({ ...failure, message: createReadMasker(context)(failure.message) });
  }
}

/** Asks once without and once with the facts: nothing about the target is read for a caller without the right to it. */
async function gate(context: ToolContext, tool: AnyTool, input: unknown): Promise<Failure | undefined> {
  const ask = (spent?: BudgetUse, facts?: TargetFacts): GateDecision =>
    decide(
      tool,
      context.grant,
      { pullRequest: context.pullRequest.ref, ...(facts === undefined ? {} : { facts }) },
      {
        now: context.clock.now(),
        writesStopped: context.writesStopped,
        available: availableIn(context.provider, context.snapshot),
        spent,
      },
    );
  const first = asFailure(ask());
  if (first !== undefined || tool.access === 'read') return first;
  const facts = await tool.facts?.(context, input);
  const spent = tool.spends === true ? await context.outbox.usage(context.partitionKey, context) : undefined;
  return asFailure(ask(spent, facts));
}

function asFailure(decision: GateDecision): Failure | undefined {
  if (decision.kind === 'allow') return undefined;
  const { code, hint: message, retryAfterMs } = decision;
  return retryAfterMs === undefined ? { code, message } : { code, message, retryAfterMs };
}

function refused(failure: Failure): Attempt {
  return { result: failedResult(failure), resultIds: [] };
}

async function record(
  context: ToolContext,
  tool: AnyTool,
  attempt: Attempt,
  startedAt: number,
): Promise<void> {
  const { ref } = context.pullRequest;
  const decision = attempt.result.ok ? 'allowed' : attempt.result.code;
  const entry = {
    tool: tool.name,
    access: tool.access,
    callerId: context.callerId,
    grantId: context.grant.id,
    instance: ref.instance,
    repositoryId: ref.repositoryId,
    number: ref.number,
    decision,
    resultIds: attempt.resultIds,
    startedAt,
    tookMs: context.clock.now() - startedAt,
  };
  context.log.info(attempt.result.ok ? 'tool.called' : 'tool.refused', entry);
  await context.record?.(entry);
}
