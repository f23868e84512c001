import type { HostLogLevel } from './host-log.ts';

/**
 * The part of the worker's built-in module `@azure/functions-core` that the functions library relies on.
 * That module exists only inside the real worker and has no package; the shapes are those of
 * https://github.com/Azure/azure-functions-nodejs-worker (types-core).
 */
export interface RpcTypedData {
  readonly string?: string | null;
  readonly json?: string | null;
  readonly bytes?: Uint8Array | null;
  readonly int?: number | null;
  readonly double?: number | null;
  readonly http?: RpcHttp | null;
}

export interface RpcNullable<T> {
  readonly value?: T | null;
}

export interface RpcHttp {
  readonly url?: string;
  readonly method?: string;
  readonly nullableHeaders?: Readonly<Record<string, RpcNullable<string>>>;
  readonly nullableQuery?: Readonly<Record<string, RpcNullable<string>>>;
  readonly nullableParams?: Readonly<Record<string, RpcNullable<string>>>;
  readonly body?: RpcTypedData | null;
  readonly statusCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly RpcCookie[];
}

export interface RpcCookie {
  readonly name?: string;
  readonly value?: string;
  readonly domain?: RpcNullable<string>;
  readonly path?: RpcNullable<string>;
  readonly expires?: RpcNullable<{ readonly seconds?: number }>;
  readonly secure?: RpcNullable<boolean>;
  readonly httpOnly?: RpcNullable<boolean>;
  readonly maxAge?: RpcNullable<number>;
  readonly sameSite?: string;
}

export interface RpcBinding {
  readonly type?: string;
  readonly direction?: string;
  readonly [setting: string]: unknown;
}

export interface CoreFunctionMetadata {
  readonly name: string;
  readonly functionId?: string;
  readonly bindings: Readonly<Record<string, RpcBinding>>;
  readonly retryOptions?: unknown;
}

export type FunctionCallback = (...inputsAndContext: unknown[]) => unknown;
export type HookCallback = (context: unknown) => unknown;

export interface CoreInvocationContext {
  readonly invocationId: string;
  readonly request: {
    readonly invocationId: string;
    readonly inputData: readonly { readonly name: string; readonly data: RpcTypedData }[];
    readonly triggerMetadata: Readonly<Record<string, RpcTypedData>>;
  };
  readonly metadata: CoreFunctionMetadata;
  state?: 'preInvocationHooks' | 'invocation' | 'postInvocationHooks' | undefined;
  log(level: HostLogLevel, category: 'user' | 'system', message: string): void;
}

export interface InvocationResponse {
  readonly returnValue?: RpcTypedData | null;
}

/** What `@azure/functions` hands over through `setProgrammingModel`. */
export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(context: CoreInvocationContext): InvocationModel | Promise<InvocationModel>;
  getCapabilities?(defaults: Record<string, string>): Promise<Record<string, string>>;
}

export interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<InvocationResponse>;
}
