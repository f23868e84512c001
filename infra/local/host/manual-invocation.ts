import type { CatalogFunction } from './function-catalog.ts';
import type { InvocationInput } from './invoke-function.ts';
import type { TimerDriver } from './timer-driver.ts';

export interface ManualInvocationOptions {
  readonly functions: readonly CatalogFunction[];
  readonly timers: ReadonlyMap<string, TimerDriver>;
  readonly invoke: (target: CatalogFunction, input: InvocationInput) => Promise<unknown>;
}

/**
 * Runs a timer or queue function by name (case-insensitive), beside its trigger; `input` is the message text.
 * @returns the run, which rejects when the function fails; undefined when no such function can be run by hand.
 */
export type ManualInvocation = (name: string, input?: string) => Promise<unknown> | undefined;

export function createManualInvocation(options: ManualInvocationOptions): ManualInvocation {
  const { functions, timers, invoke } = options;
  return (name, input = '') => {
    const target = functions.find((item) => item.name.toLowerCase() === name.toLowerCase());
    if (target?.trigger === 'timer') return timers.get(target.name)?.fire();
    if (target?.trigger !== 'queue') return undefined;
    return invoke(target, {
      bindingName: target.bindingName,
      data: { string: input },
      triggerMetadata: {},
      reason: 'This function was programmatically called via the host APIs.',
    });
  };
}
