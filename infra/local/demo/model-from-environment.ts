import type { StackModel } from '../stack/start-local-stack.ts';

/** The real model when a key is set, the offline reviewer otherwise. */
export function modelFromEnvironment(env: Readonly<Record<string, string | undefined>>): StackModel {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = env;
  if (apiKey === undefined || apiKey === '') return { kind: 'offline' };
  return baseUrl === undefined || baseUrl === ''
    ? { kind: 'anthropic', apiKey }
    : { kind: 'anthropic', apiKey, baseUrl };
}
