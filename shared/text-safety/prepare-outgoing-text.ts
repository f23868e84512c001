import { cutText } from './cut-text.ts';
import type { SecretMasker } from './mask-secrets.ts';
import { neutraliseMarkdown } from './neutralise-markdown.ts';
import { stripHiddenText } from './strip-hidden-text.ts';
import type { HiddenTextRemoval } from './strip-hidden-text.ts';

export interface OutgoingTextOptions {
  readonly masker: SecretMasker;
  /** UTF-16 units the result may have; leave room for the marker and what else is added around it. */
  readonly maxLength: number;
  readonly allowedHosts?: readonly string[];
}

export interface OutgoingText {
  readonly text: string;
  readonly removed: readonly HiddenTextRemoval[];
  /** Kinds of the secrets that were masked. */
  readonly masked: readonly string[];
}

/**
 * What every text from a model or an MCP client goes through before it is posted, in the only safe order: hidden
 * characters first (they could split a secret), then secrets, then what would act as markup, then the length.
 */
export function prepareOutgoingText(text: string, options: OutgoingTextOptions): OutgoingText {
  const visible = stripHiddenText(text, 'code');
  const { text: masked, masked: kinds } = options.masker(visible.text);
  const { allowedHosts = [] } = options;
  const neutral = neutraliseMarkdown(masked, { allowedHosts });
  return { text: cutText(neutral, options.maxLength), removed: visible.removed, masked: kinds };
}
