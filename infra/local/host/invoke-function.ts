import { randomUUID } from 'node:crypto';
import type { AppRegistry, RegisteredFunction } from './fake-core.ts';
import type {
  CoreInvocationContext,
  FunctionCallback,
  InvocationResponse,
  RpcTypedData,
} from './core-types.ts';
import type { HostLog } from './host-log.ts';

export interface InvocationInput {
  /** Name of the trigger binding, e.g. `httpTrigger1abc`. */
  readonly bindingName: string;
  readonly data: RpcTypedData;
  readonly triggerMetadata: Readonly<Record<string, RpcTypedData>>;
  /** For the log: why this runs. */
  readonly reason: string;
  readonly invocationId?: string;
}

export interface InvocationResult {
  readonly response: InvocationResponse;
  /** The handler returned null or undefined. */
  readonly empty: boolean;
}

/**
 * Runs one invocation through the real library: arguments, pre hooks, handler, post hooks, response, in the order
 * of azure-functions-nodejs-worker, InvocationHandler.ts.
 * @throws whatever the handler, a hook or a conversion throws, after logging it.
 */
export async function invokeFunction(
  app: AppRegistry,
  registered: RegisteredFunction,
  input: InvocationInput,
  log: HostLog,
  now: () => number,
): Promise<InvocationResult> {
  const { metadata } = registered;
  const fields = { functionName: metadata.name, invocationId: input.invocationId ?? randomUUID() };
  const started = now();
  log('information', `Executing (Reason='${input.reason}')`, fields);
  try {
    const result = await runInvocation(app, registered, input, fields.invocationId, log);
    log('information', `Executed (Succeeded, Duration=${now() - started}ms)`, fields);
    return result;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log('error', `Executed (Failed, Duration=${now() - started}ms): ${text}`, fields);
    throw error;
  }
}

async function runInvocation(
  app: AppRegistry,
  { metadata, callback }: RegisteredFunction,
  input: InvocationInput,
  invocationId: string,
  log: HostLog,
): Promise<InvocationResult> {
  let invocationContext: unknown;
  const core: CoreInvocationContext = {
    invocationId,
    request: {
      invocationId,
      inputData: [{ name: input.bindingName, data: input.data }],
      triggerMetadata: input.triggerMetadata,
    },
    metadata,
    log: (level, category, message) => {
      const entry = {
        hookData: {},
        appHookData: app.appHookData,
        level,
        category,
        message,
        invocationContext,
      };
      app.runLogHooks(entry);
      log(entry.level, entry.message, {
        category,
        functionName: metadata.name,
        invocationId,
      });
    },
  };
  if (app.model === undefined) throw new Error('no programming model was set');
  const model = await app.model.getInvocationModel(core);
  const { context, inputs } = await model.getArguments();
  invocationContext = context;

  // Hooks may replace inputs, handler, result and error by assigning to these objects.
  const shared = { hookData: {}, appHookData: app.appHookData, invocationContext: context };
  const before: { inputs: unknown[]; functionCallback: FunctionCallback } = {
    ...shared,
    inputs,
    functionCallback: callback,
  };
  core.state = 'preInvocationHooks';
  await app.runHooks('preInvocation', before);

  const after: { inputs: unknown[]; result: unknown; error: unknown } = {
    ...shared,
    inputs: before.inputs,
    result: null,
    error: null,
  };
  core.state = 'invocation';
  try {
    after.result = await model.invokeFunction(context, before.inputs, before.functionCallback);
  } catch (error) {
    after.error = error ?? new Error('the handler threw nothing');
  }
  core.state = 'postInvocationHooks';
  await app.runHooks('postInvocation', after);
  core.state = undefined;
  if (after.error !== null && after.error !== undefined) throw after.error;
  return {
    response: await model.getResponse(context, after.result),
    empty: after.result === null || after.result === undefined,
  };
}
