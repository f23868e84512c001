import Module from 'node:module';
import type { CoreFunctionMetadata, FunctionCallback, HookCallback, ProgrammingModel } from './core-types.ts';
import type { HostLog, HostLogLevel } from './host-log.ts';
import { HostRefusal } from './host-refusal.ts';

const HOOK_NAMES = ['appStart', 'appTerminate', 'preInvocation', 'postInvocation', 'log'] as const;
type HookName = (typeof HOOK_NAMES)[number];
const INSTALLED = Symbol.for('gatehouse.local-host.core');

export interface RegisteredFunction {
  readonly metadata: CoreFunctionMetadata;
  readonly callback: FunctionCallback;
}

/** What the app registered while its files were loaded. */
export interface AppRegistry {
  readonly functions: ReadonlyMap<string, RegisteredFunction>;
  /** Undefined until a file of the app registers its first function. */
  readonly model: ProgrammingModel | undefined;
  /** Shared by all hooks of the app. */
  readonly appHookData: Record<string, unknown>;
  /** From now on registering or disposing a function throws, as in the worker after start-up. */
  lock(): void;
  runHooks(name: Exclude<HookName, 'log'>, context: object): Promise<void>;
  /** Log hooks are synchronous and may change the entry's level and message. */
  runLogHooks(context: object): void;
}

/** Same shape as the worker's: the library returns it from `app.http` and the hooks. */
class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }
  dispose(): void {
    this.#dispose();
  }
}

/**
 * Provides `@azure/functions-core`, the module that exists only inside the real worker, by the worker's own
 * mechanism: a proxy around `Module.prototype.require` (azure-functions-nodejs-worker, setupCoreModule.ts).
 * Must run before the first import of `@azure/functions`: the library remembers for good that it found none.
 * @throws HostRefusal when it was installed in this process before: registration is global to the process.
 */
export function installFakeCore(log: HostLog): AppRegistry {
  const globals = globalThis as typeof globalThis & { [INSTALLED]?: true };
  if (globals[INSTALLED] === true) {
    throw new HostRefusal('a local host was already started in this process; start each one in its own');
  }
  globals[INSTALLED] = true;

  const functions = new Map<string, RegisteredFunction>();
  const hooks = new Map<string, HookCallback[]>(HOOK_NAMES.map((name) => [name, []]));
  let model: ProgrammingModel | undefined;
  let locked = false;

  const core = {
    version: '3.12.0',
    hostVersion: '4.1037.0',
    Disposable,
    setProgrammingModel: (next: ProgrammingModel) => {
      model = next;
    },
    getProgrammingModel: () => model,
    registerFunction: (metadata: CoreFunctionMetadata, callback: FunctionCallback) => {
      if (locked) throw new Error('A function can only be registered during app startup.');
      const id = metadata.functionId ?? metadata.name;
      if (functions.has(id)) throw new Error(`A function with id "${id}" has already been registered.`);
      functions.set(id, { metadata, callback });
      return new Disposable(() => {
        if (locked) throw new Error('A function can only be disposed during app startup.');
        functions.delete(id);
      });
    },
    registerHook: (name: string, callback: HookCallback) => {
      const registered = hooks.get(name);
      if (registered === undefined) throw new RangeError(`Unrecognized hook "${name}"`);
      registered.push(callback);
      return new Disposable(() => {
        const index = registered.indexOf(callback);
        if (index >= 0) registered.splice(index, 1);
      });
    },
    log: (level: HostLogLevel, _category: string, message: string) =>
      log(level, message, { category: 'system' }),
  };

  const require = Reflect.get(Module.prototype, 'require');
  Module.prototype.require = new Proxy(require, {
    apply: (target, self, args: [string]): unknown =>
      args[0] === '@azure/functions-core' ? core : Reflect.apply(target, self, args),
  });

  return {
    functions,
    get model() {
      return model;
    },
    appHookData: {},
    lock: () => {
      locked = true;
    },
    runHooks: async (name, context) => {
      // One after the other in the order of registration, as the worker runs them.
      for (const hook of hooks.get(name) ?? []) await hook(context);
    },
    runLogHooks: (context) => {
      for (const hook of hooks.get('log') ?? []) hook(context);
    },
  };
}
