import type * as AnthropicSdk from '@anthropic-ai/sdk';
import { AppError, isAppError } from '../domain/app-error.ts';
import type { Secret } from '../config/secret.ts';
import type { Logger } from '../observability/ports.ts';
import type { ModelClient, ModelMessage, ModelRequest } from './ports.ts';
import { readModelResponse, unreadableAnswer } from './read-model-response.ts';
import { translateModelFailure } from './translate-model-error.ts';

export interface AnthropicClientOptions {
  readonly apiKey: Secret;
  /** A base path is kept: `{baseUrl}/v1/messages` is called. */
  readonly baseUrl: URL;
  readonly log: Logger;
  /** Bound of one call including its body, in ms; default 10 minutes. */
  readonly callTimeoutMs?: number;
}

type Sdk = typeof AnthropicSdk;

const DEFAULT_CALL_TIMEOUT_MS = 600_000;

/**
 * The Anthropic Messages API behind our port. Nothing is retried here: the SDK obeys a retry-after of any
 * length, so repeating is the caller's decision. Every call has its own deadline besides the caller's signal,
 * since the SDK's time-out ends with the headers and a stalled body would wait for ever (SDK 1.14.0).
 */
export function createAnthropicClient(options: AnthropicClientOptions): ModelClient {
  const callTimeoutMs = options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
  let loading: Promise<{ sdk: Sdk; client: InstanceType<Sdk['Anthropic']> }> | undefined;

  // Loaded on the first call: importing the SDK takes longer than acknowledging a webhook.
  const load = () =>
    (loading ??= import('@anthropic-ai/sdk').then((sdk) => ({
      sdk,
      client: new sdk.Anthropic({
        apiKey: options.apiKey.reveal(),
        baseURL: options.baseUrl.href,
        maxRetries: 0,
        timeout: callTimeoutMs,
        // The vendor's log lines and spans may carry prompts.
        logLevel: 'off',
        openTelemetry: false,
        // A redirect would carry the prompt to a host that nobody configured.
        fetchOptions: { redirect: 'error' },
      }),
    })));

  return {
    async create(request, signal) {
      signal.throwIfAborted();
      const { sdk, client } = await load();
      const deadline = AbortSignal.timeout(callTimeoutMs);
      let body: unknown;
      try {
        // `messages.create` would send the same request but prints to the console for some model names.
        body = await client.post('/v1/messages', {
          body: toWireRequest(request, await transformSchema(request)),
          signal: AbortSignal.any([signal, deadline]),
          timeout: callTimeoutMs,
        });
      } catch (error) {
        if (signal.aborted) throw abortedByCaller(signal);
        if (deadline.aborted) throw stalled();
        const translated = translate(sdk, error);
        options.log.warn('model.callFailed', { code: translated.code, ...translated.details });
        throw translated;
      }
      return readModelResponse(body);
    },
  };
}

function translate(sdk: Sdk, error: unknown): AppError {
  if (error instanceof sdk.APIConnectionTimeoutError) return stalled();
  if (error instanceof sdk.APIConnectionError) return unreachable();
  if (error instanceof sdk.APIError) {
    return translateModelFailure(
      {
        status: error.status,
        type: error.type ?? undefined,
        requestId: error.requestID ?? undefined,
        headers: error.headers,
      },
      Date.now(),
    );
  }
  // response.json() throws raw: SyntaxError for bad JSON, TypeError ("terminated") for a body cut in the middle.
  if (error instanceof SyntaxError) return unreadableAnswer();
  if (error instanceof TypeError) return unreachable();
  throw error;
}

/** The caller's reason when it is one of ours (superseded, stopped); any other abort is a deadline that passed. */
function abortedByCaller(signal: AbortSignal): AppError {
  return isAppError(signal.reason) ? signal.reason : stalled();
}

function stalled(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'model_stalled',
    message: 'The model service did not finish its answer in time; the call will be tried again.',
  });
}

function unreachable(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'model_unreachable',
    message: 'The connection to the model service failed; the call will be tried again.',
  });
}

/** The API takes a subset of JSON Schema; the SDK's own rewriter moves the rest into descriptions. */
async function transformSchema(request: ModelRequest): Promise<Record<string, unknown> | undefined> {
  if (request.answerSchema === undefined) return undefined;
  const { transformJSONSchema } = await import('@anthropic-ai/sdk/lib/transform-json-schema');
  return transformJSONSchema({ ...request.answerSchema });
}

function toWireRequest(request: ModelRequest, schema: Record<string, unknown> | undefined) {
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    system: request.system,
    ...(request.tools.length === 0 ? {} : { tools: request.tools }),
    messages: request.messages.map(toWireMessage),
    ...(schema === undefined ? {} : { output_config: { format: { type: 'json_schema', schema } } }),
  };
}

function toWireMessage(message: ModelMessage) {
  return {
    role: message.role,
    content: message.content.map((block) => (block.type === 'pass_through' ? block.block : block)),
  };
}
