import { flatHeaders, readBufferedRequest, writeBufferedResponse } from './buffered-call.ts';
import type { RpcTypedData } from './core-types.ts';
import type { HttpFunction } from './function-catalog.ts';
import type { HttpCall } from './http-front.ts';
import type { HostLog } from './host-log.ts';
import type { InvocationInput, InvocationResult } from './invoke-function.ts';
import type { StreamProxy } from './stream-proxy.ts';

export interface HttpCallsOptions {
  readonly functions: ReadonlyMap<string, HttpFunction>;
  /** Undefined for an app without stream mode. */
  readonly proxy: StreamProxy | undefined;
  readonly invoke: (target: HttpFunction, input: InvocationInput) => Promise<InvocationResult>;
  readonly log: HostLog;
}

/** Runs HTTP functions in the mode that the app chose. A throw becomes a 500 with an empty body in the front. */
export function createHttpCalls(options: HttpCallsOptions): (call: HttpCall) => Promise<void> {
  const { functions, proxy } = options;
  return async (call) => {
    const target = functions.get(call.hit.functionName);
    if (target === undefined) throw new Error(`no function "${call.hit.functionName}"`);
    if (proxy === undefined) await callBuffered(options, target, call);
    else await callStreaming(options, target, call, proxy);
  };
}

async function callBuffered(
  { invoke }: HttpCallsOptions,
  target: HttpFunction,
  call: HttpCall,
): Promise<void> {
  const { request, response, body, invocationId, hit } = call;
  const url = `http://${request.headers.host ?? '127.0.0.1'}${request.url ?? '/'}`;
  const data = await readBufferedRequest(request, body, url, hit.params);
  const { response: answer } = await invoke(target, {
    bindingName: target.bindingName,
    data,
    triggerMetadata: triggerMetadata(call),
    reason: 'This function was called over HTTP.',
    invocationId,
  });
  await writeBufferedResponse(response, answer.returnValue);
}

async function callStreaming(
  { invoke, log }: HttpCallsOptions,
  target: HttpFunction,
  call: HttpCall,
  proxy: StreamProxy,
): Promise<void> {
  const { request, response, body, invocationId } = call;
  const aborted = new AbortController();
  const forwarded = proxy.forward(request, body, response, { invocationId, signal: aborted.signal });
  const run = invoke(target, {
    bindingName: target.bindingName,
    data: { http: {} },
    triggerMetadata: triggerMetadata(call),
    reason: 'This function was called over HTTP.',
    invocationId,
  });
  run.then(
    ({ empty }) => {
      if (!empty) return;
      const fields = { functionName: target.name, invocationId };
      log('error', 'the handler returned nothing: in stream mode Azure lets the request hang', fields);
      response.destroy();
      aborted.abort();
    },
    () => aborted.abort(),
  );
  await forwarded;
}

/** Route parameters as strings, and the headers; the library takes both from here in stream mode. */
function triggerMetadata({ request, hit }: HttpCall): Record<string, RpcTypedData> {
  const params = Object.entries(hit.params).map(([name, string]) => [name, { string }] as const);
  return { ...Object.fromEntries(params), Headers: { json: JSON.stringify(flatHeaders(request)) } };
}
