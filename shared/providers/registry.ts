import type { InstanceConfig } from '../config/config.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import type { ProviderId } from '../domain/pull-request.ts';
import type { Logger } from '../observability/ports.ts';
import type { Provider, WebhookSource } from './ports.ts';

/** What every adapter is built with. */
export interface ProviderDeps {
  /** Replaces the global fetch below the adapter's plumbing. */
  readonly fetch?: typeof fetch;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
}

/** The settings of an instance of one provider. */
export type InstanceOf<Id extends ProviderId> = Extract<InstanceConfig, { readonly provider: Id }>;

export type ProviderFactory<Id extends ProviderId> = (
  instance: InstanceOf<Id>,
  deps: ProviderDeps,
) => Provider;

/**
 * Loads each provider's factory on first use, so that vendor clients cost nothing until then. A provider without
 * an entry is a type error. Only the composition root fills it in.
 */
export type ProviderRegistry = {
  readonly [Id in ProviderId]: () => Promise<ProviderFactory<Id>>;
};

/** Webhook sources load no vendor client; they are on the path of every delivery. */
export type WebhookSourceRegistry = {
  readonly [Id in ProviderId]: () => Promise<(instance: InstanceOf<Id>) => WebhookSource>;
};

/** @throws AppError `permanent` when the instance lacks what its provider needs. */
export async function createProvider(
  registry: ProviderRegistry,
  instance: InstanceConfig,
  deps: ProviderDeps,
): Promise<Provider> {
  switch (instance.provider) {
    case 'github':
      return (await registry.github())(instance, deps);
    case 'azure-devops':
      return (await registry['azure-devops']())(instance, deps);
    case 'gitlab':
      return (await registry.gitlab())(instance, deps);
    default:
      return instance satisfies never;
  }
}

export async function createWebhookSource(
  registry: WebhookSourceRegistry,
  instance: InstanceConfig,
): Promise<WebhookSource> {
  switch (instance.provider) {
    case 'github':
      return (await registry.github())(instance);
    case 'azure-devops':
      return (await registry['azure-devops']())(instance);
    case 'gitlab':
      return (await registry.gitlab())(instance);
    default:
      return instance satisfies never;
  }
}
