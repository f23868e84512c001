import type { Clock } from '../../../shared/domain/clock.ts';
import type { RpcTypedData } from './core-types.ts';
import type { HostEnvironment, QueueFunction } from './function-catalog.ts';
import type { HostLog } from './host-log.ts';
import type { QueueSettings } from './host-settings.ts';
import type { InvocationInput } from './invoke-function.ts';
import { openQueueService } from './queue-connection.ts';
import { startQueueListener, type QueueListener } from './queue-listener.ts';

export interface QueueListenersOptions {
  readonly functions: readonly QueueFunction[];
  readonly settings: QueueSettings;
  readonly environment: HostEnvironment;
  readonly visibilityMs: number;
  readonly minRenewalMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: HostLog;
  readonly invoke: (target: QueueFunction, input: InvocationInput) => Promise<unknown>;
}

/**
 * One listener for each queue function.
 * @throws HostRefusal when a connection setting is missing; nothing listens then.
 */
export async function startQueueListeners(options: QueueListenersOptions): Promise<QueueListener> {
  const { functions, environment, invoke, random } = options;
  const services = await Promise.all(
    functions.map(async ({ connection }) => openQueueService(connection, environment)),
  );
  const listeners = new Map<string, QueueListener[]>();
  for (const [index, target] of functions.entries()) {
    const { queueName, bindingName } = target;
    const service = services[index];
    if (service === undefined) continue;
    const poisonName = poisonQueueName(queueName);
    const listener = startQueueListener(
      {
        ...options,
        queue: service.getQueueClient(queueName),
        poisonQueue: poisonName === undefined ? undefined : service.getQueueClient(poisonName),
        invoke: async (data: RpcTypedData, triggerMetadata) =>
          invoke(target, {
            bindingName,
            data,
            triggerMetadata,
            reason: `New queue message on '${queueName}'.`,
          }),
        onPoisoned: () => listeners.get(poisonName ?? '')?.forEach((waiting) => waiting.wake()),
        log: (level, message, fields) =>
          options.log(level, message, { functionName: target.name, ...fields }),
      },
      random,
    );
    listeners.set(queueName, [...(listeners.get(queueName) ?? []), listener]);
  }
  const all = [...listeners.values()].flat();
  return {
    wake: () => all.forEach((listener) => listener.wake()),
    stop: async () => {
      await Promise.all(all.map((listener) => listener.stop()));
    },
  };
}

/** The host uses no poison queue for a poison queue, nor where its name would be too long. */
export function poisonQueueName(queueName: string): string | undefined {
  const name = `${queueName}-poison`;
  return queueName.endsWith('-poison') || name.length > 63 ? undefined : name;
}
