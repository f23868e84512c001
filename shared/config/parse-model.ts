import type { ModelConfig } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import { parseServiceUrl, URL_ADVICE } from './parse-url.ts';

/** Where the model is and which one serves each tier; undefined when it cannot be reached safely. */
export function readModel(reader: ConfigReader): ModelConfig | undefined {
  const apiKey = reader.secret('ANTHROPIC_API_KEY');
  const foundryResource = reader.text('FOUNDRY_RESOURCE');
  if (apiKey === undefined && foundryResource === undefined) {
    reader.report(
      'ANTHROPIC_API_KEY',
      'review',
      'Set ANTHROPIC_API_KEY, or FOUNDRY_RESOURCE for a managed identity.',
    );
  }
  if (foundryResource !== undefined && !/^[A-Za-z0-9-]{2,64}$/.test(foundryResource)) {
    reader.report('FOUNDRY_RESOURCE', 'review', 'Write the bare name of the resource, not its address.');
    return undefined;
  }
  const baseUrl = parseServiceUrl(reader.textOrDefault('ANTHROPIC_BASE_URL'), reader.isInAzure);
  if (!(baseUrl instanceof URL)) {
    reader.report('ANTHROPIC_BASE_URL', 'review', URL_ADVICE[baseUrl]);
    return undefined;
  }
  if (apiKey === undefined && foundryResource === undefined) return undefined;
  return {
    apiKey,
    baseUrl,
    foundryResource,
    skim: reader.textOrDefault('MODEL_SKIM'),
    standard: reader.textOrDefault('MODEL_STANDARD'),
    deep: reader.textOrDefault('MODEL_DEEP'),
    verify: reader.textOrDefault('MODEL_VERIFY'),
  };
}
