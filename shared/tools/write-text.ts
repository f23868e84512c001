import { cutText } from '../text-safety/cut-text.ts';
import { knownSecretForms } from '../text-safety/known-secret-forms.ts';
import { createSecretMasker, MASK } from '../text-safety/mask-secrets.ts';
import { neutraliseMarkdown } from '../text-safety/neutralise-markdown.ts';
import { stripHiddenText } from '../text-safety/strip-hidden-text.ts';
import type { ProviderId } from '../domain/pull-request.ts';
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

/**
 * Text of a caller as it may be posted: masked, and unable to mention people, give commands, forge a marker, load
 * or hide anything, or break out of a fence. Only links to the provider's own site stay links.
 */
export function postableText(context: Pick<ToolContext, 'secrets' | 'pullRequest'>, text: string): string {
  const { webUrl } = context.pullRequest;
  const allowedHosts = URL.canParse(webUrl) ? [new URL(webUrl).hostname] : [];
  return neutraliseMarkdown(maskForWrite(context, text), { allowedHosts });
}

/** The body to post: the marker alone on the first line, then the text, cut to what the provider takes. */
export function markedBody(
  { provider }: Pick<ToolContext, 'provider'>,
  marker: string,
  text: string,
): string {
  return cutText(`${marker}\n${text}`, provider.limits.maxBodyLength);
}

/**
 * A block that the provider offers as a commit. `linesAbove`: how many commented lines stand above the last one;
 * GitLab counts from the line a note stands on, the others replace the commented range.
 * https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/
 */
export function suggestionBlock(provider: ProviderId, replacement: string, linesAbove: number): string {
  const longest = Math.max(2, ...[...replacement.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const info = provider === 'gitlab' ? `suggestion:-${linesAbove}+0` : 'suggestion';
  const content = replacement === '' ? '' : `${replacement.replace(/\n$/, '')}\n`;
  return `${fence}${info}\n${content}${fence}`;
}
