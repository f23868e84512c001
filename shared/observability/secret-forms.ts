import type { Secret } from '../config/secret.ts';

export const MASK = '[secret]';

/** Shorter values would blank out ordinary words; no real credential is this short. */
const MIN_SECRET_LENGTH = 6;

/**
 * Credentials recognised by their shape, because some are not in the settings: installation tokens and identity
 * tokens are issued while the app runs.
 */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(gh[pousr]_|github_pat_|glpat-|ghk_|sk-ant-|whsec_)[\w-]{10,}/g, MASK],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, MASK],
  [/\b(Bearer|Basic)\s+(?!(?:auth|token|cred|access|header|scheme)[a-z]*\b)[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/(:\/\/)[^\s/@:]*:[^\s/@]+@/g, `$1${MASK}@`],
  [/([?&](?:sig|code|key|token|access_token|client_secret|password)=)[^&#\s"']+/gi, `$1${MASK}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
];

/** Replaces credentials in a text. Pure; `longest` bounds how far one of the known ones reaches, in characters. */
export interface TextMask {
  readonly longest: number;
  mask(text: string): string;
}

/** Knows the given secrets in every encoding a client may print them in, and credentials by their shape. */
export function createTextMask(secrets: readonly Secret[]): TextMask {
  const forms = secretForms(secrets);
  return {
    longest: forms[0]?.length ?? 0,
    mask: (text) => {
      let clean = text;
      for (const form of forms) clean = clean.replaceAll(form, MASK);
      for (const [shape, replacement] of SHAPES) clean = clean.replace(shape, replacement);
      return clean;
    },
  };
}

/** Longest first: a form that contains another must not be left in pieces. */
function secretForms(secrets: readonly Secret[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const value = secret.reveal();
    // A key file is logged line by line as often as whole.
    const parts = value.includes('\n') ? [value, ...value.split(/\r?\n/)] : [value];
    for (const part of parts) {
      if (part.trim().length < MIN_SECRET_LENGTH || part.startsWith('-----')) continue;
      for (const form of encodings(part)) forms.add(form);
    }
  }
  return [...forms].toSorted((a, b) => b.length - a.length);
}

function encodings(value: string): string[] {
  const percent = percentEncoded(value);
  const escaped = JSON.stringify(value).slice(1, -1);
  return [
    value,
    Buffer.from(value, 'utf8').toString('base64'),
    ...insideBase64(value),
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    escaped,
    JSON.stringify(escaped).slice(1, -1),
  ];
}

/** encodeURIComponent refuses half a surrogate pair; what cannot be encoded cannot be printed encoded. */
function percentEncoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}

/**
 * The characters that stand for the value wherever it begins within longer base64, such as `user:password` of
 * basic authentication: three alignments, each without the characters that its neighbours have a part in.
 */
function insideBase64(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((encoded.length * 8) / 6);
    return [encoded.toString('base64').slice(from, to), encoded.toString('base64url').slice(from, to)];
  });
}
