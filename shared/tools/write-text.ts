import { cutText } from '../text-safety/cut-text.ts';
import { knownSecretForms } from '../text-safety/known-secret-forms.ts';
import { createSecretMasker, MASK } from '../text-safety/mask-secrets.ts';
import { stripHiddenText } from '../text-safety/strip-hidden-text.ts';
import type { ToolContext } from './tool.ts';

type Secrets = Pick<ToolContext, 'secrets'>;

/**
 * For what a caller reads: masks the secrets of this process alone. Secrets that the pull request contains stay,
 * since finding them is part of a review.
 */
export function createReadMasker({ secrets = [] }: Secrets): (text: string) => string {
  const forms = knownSecretForms(secrets);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

/**
 * For what is stored or posted: invisible characters go first, because a secret with one inside would not be
 * recognised; then every known secret and every common shape of one is masked.
 */
export function maskForWrite({ secrets = [] }: Secrets, text: string): string {
  return createSecretMasker(secrets)(stripHiddenText(text, 'code').text).text;
}

/** The body to post: the marker alone on the first line, then the text, cut to what the provider takes. */
export function markedBody(
  context: Pick<ToolContext, 'secrets' | 'provider'>,
  marker: string,
  text: string,
): string {
  return cutText(`${marker}\n${maskForWrite(context, text)}`, context.provider.limits.maxBodyLength);
}
