import { findAssignedCredentials, findPrivateKeys } from './find-credentials.ts';
import type { SecretSpan } from './find-credentials.ts';
import { knownSecretForms } from './known-secret-forms.ts';
import type { Revealable } from './known-secret-forms.ts';
import { SECRET_SHAPES } from './secret-shapes.ts';

export const MASK = '[masked]';

// A mask can uncover a secret that touched the masked one and so did not begin a word; real text needs two passes.
const MAX_PASSES = 5;

export interface MaskedText {
  readonly text: string;
  /** Kinds of what was masked, each once; `known` for a secret of this process. Empty when nothing was. */
  readonly masked: readonly string[];
}

/** Masks `text`; made once per set of secrets, since preparing their forms costs more than a short text. */
export type SecretMasker = (text: string) => MaskedText;

/**
 * Makes a function that replaces every known secret (also inside base64, JSON and URLs) and every common shape of
 * a secret by `[masked]`; touching finds become one mask, everything else stays. Strip hidden text first: a
 * secret with an invisible character inside is not recognised. Idempotent; time linear in the text.
 */
export function createSecretMasker(secrets: readonly Revealable[]): SecretMasker {
  const forms = knownSecretForms(secrets);
  return (text) => {
    let result: MaskedText = { text, masked: [] };
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const spans = [...findKnown(result.text, forms), ...findShapes(result.text)];
      if (spans.length === 0) break;
      const next = replaceSpans(result.text, spans);
      result = { text: next.text, masked: [...new Set([...result.masked, ...next.masked])] };
    }
    return result;
  };
}

function findKnown(text: string, forms: readonly string[]): SecretSpan[] {
  return forms.flatMap((form) => {
    const spans: SecretSpan[] = [];
    for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + form.length)) {
      spans.push({ kind: 'known', from, to: from + form.length });
    }
    return spans;
  });
}

function findShapes(text: string): SecretSpan[] {
  const spans = [...findPrivateKeys(text), ...findAssignedCredentials(text)];
  for (const { kind, pattern, group } of SECRET_SHAPES) {
    for (const match of text.matchAll(pattern)) {
      const secret = group === undefined ? match[0] : (match.groups?.[group] ?? match[0]);
      const from = match.index + match[0].lastIndexOf(secret);
      spans.push({ kind, from, to: from + secret.length });
    }
  }
  return spans;
}

function replaceSpans(text: string, spans: readonly SecretSpan[]): MaskedText {
  const kept: string[] = [];
  const masked = new Set<string>();
  let at = 0;
  for (const { kind, from, to } of spans.toSorted((left, right) => left.from - right.from)) {
    masked.add(kind);
    if (to <= at) continue;
    if (from > at || at === 0) kept.push(text.slice(at, from), MASK);
    at = to;
  }
  kept.push(text.slice(at));
  return { text: kept.join(''), masked: [...masked] };
}
