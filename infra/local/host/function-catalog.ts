import type { RegisteredFunction } from './fake-core.ts';
import { HostRefusal } from './host-refusal.ts';
import { parseNcrontab } from './ncrontab.ts';
import type { FunctionSummary } from './ready-line.ts';
import type { AuthLevel } from './route-table.ts';

export interface HttpFunction {
  readonly trigger: 'http';
  readonly name: string;
  readonly bindingName: string;
  /** Without the prefix. */
  readonly route: string;
  /** Upper case. */
  readonly methods: readonly string[];
  readonly authLevel: AuthLevel;
  readonly registered: RegisteredFunction;
}

export interface QueueFunction {
  readonly trigger: 'queue';
  readonly name: string;
  readonly bindingName: string;
  readonly queueName: string;
  /** Name of the connection setting. */
  readonly connection: string;
  readonly registered: RegisteredFunction;
}

export interface TimerFunction {
  readonly trigger: 'timer';
  readonly name: string;
  readonly bindingName: string;
  readonly schedule: string;
  readonly runOnStartup: boolean;
  readonly useMonitor: boolean;
  readonly registered: RegisteredFunction;
}

export type CatalogFunction = HttpFunction | QueueFunction | TimerFunction;

/** Environment of the app: connection settings and %SETTING% names are looked up here. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the registered bindings into the three triggers that the local host runs.
 * @throws HostRefusal for other triggers and bindings, names the host does not accept, missing settings.
 */
export function describeFunctions(
  registered: Iterable<RegisteredFunction>,
  environment: HostEnvironment,
): CatalogFunction[] {
  const names = new Set<string>();
  return [...registered].map((item) => {
    const { name } = item.metadata;
    try {
      // azure-functions-host, FunctionMetadataManager: names are unique case-insensitively.
      if (!/^[A-Za-z][A-Za-z0-9_-]{0,127}$/.test(name)) throw new HostRefusal('the name is not valid');
      if (names.has(name.toLowerCase())) throw new HostRefusal('the name is used twice');
      names.add(name.toLowerCase());
      return describe(item, environment);
    } catch (error) {
      if (error instanceof HostRefusal) throw new HostRefusal(`function "${name}": ${error.message}`, error);
      throw error;
    }
  });
}

function describe(registered: RegisteredFunction, environment: HostEnvironment): CatalogFunction {
  const { name, bindings } = registered.metadata;
  const entries = Object.entries(bindings);
  const triggers = entries.filter(([, binding]) => /trigger$/i.test(binding.type ?? ''));
  const [trigger] = triggers;
  if (trigger === undefined || triggers.length > 1) throw new HostRefusal('it needs exactly one trigger');
  const [bindingName, binding] = trigger;
  for (const [other, { type = '' }] of entries) {
    if (other !== bindingName && type.toLowerCase() !== 'http') {
      throw new HostRefusal(`binding "${other}" of type "${type}" is not implemented by the local host`);
    }
  }
  const text = (key: string): string => {
    const value = binding[key];
    return typeof value === 'string' ? resolveSettings(value, environment) : '';
  };
  switch ((binding.type ?? '').toLowerCase()) {
    case 'httptrigger': {
      const authLevel = (text('authLevel') || 'anonymous').toLowerCase();
      if (authLevel !== 'anonymous' && authLevel !== 'function' && authLevel !== 'admin') {
        throw new HostRefusal(`authLevel "${authLevel}" is not known`);
      }
      const methods = Array.isArray(binding['methods']) ? binding['methods'] : [];
      return {
        trigger: 'http',
        name,
        bindingName,
        // An empty route falls back to the name (azure-functions-host, ValidateHttpFunction).
        route: typeof binding['route'] === 'string' && binding['route'] !== '' ? binding['route'] : name,
        methods: methods.map((method) => String(method).toUpperCase()),
        authLevel,
        registered,
      };
    }
    case 'queuetrigger': {
      const queueName = text('queueName');
      // https://learn.microsoft.com/rest/api/storageservices/naming-queues-and-metadata
      if (!/^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(queueName)) {
        throw new HostRefusal(`"${queueName}" is no queue name`);
      }
      const connection = text('connection') || 'AzureWebJobsStorage';
      return { trigger: 'queue', name, bindingName, queueName, connection, registered };
    }
    case 'timertrigger':
      parseNcrontab(text('schedule'));
      return {
        trigger: 'timer',
        name,
        bindingName,
        schedule: text('schedule'),
        runOnStartup: binding['runOnStartup'] === true,
        useMonitor: binding['useMonitor'] !== false,
        registered,
      };
    default:
      throw new HostRefusal(`trigger "${binding.type}" is not implemented by the local host`);
  }
}

/** Replaces every `%NAME%` by the setting of that name. */
function resolveSettings(text: string, environment: HostEnvironment): string {
  return text.replaceAll(/%([^%]+)%/g, (_, name: string) => {
    const value = environment[name];
    if (value === undefined || value === '')
      throw new HostRefusal(`setting "${name}" (%${name}%) is missing`);
    return value;
  });
}

/** What people are shown of a function. */
export function summarizeFunction(item: CatalogFunction): FunctionSummary {
  const { name, trigger } = item;
  if (item.trigger === 'http') return { name, trigger, route: item.route, methods: [...item.methods] };
  if (item.trigger === 'queue') return { name, trigger, queueName: item.queueName };
  return { name, trigger, schedule: item.schedule };
}
