import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import type { WebhookSecret } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import { parseJson } from './parse-json.ts';
import type { Secret } from './secret.ts';

const Entry = z.union([
  z.string().min(1),
  z.strictObject({ value: z.string().min(1), repositories: z.array(z.string().min(1)).min(1).optional() }),
]);
const Entries = z.array(Entry);

/**
 * Reads a list of secrets: a JSON list of texts or of {value, repositories}, or texts separated by commas.
 * A list that does not parse counts as absent and is reported: there is no default secret. Threat: text that was
 * meant as JSON must not be cut at its commas into "secrets" that anybody can guess.
 */
export function readSecrets(reader: ConfigReader, name: string, governs: string): readonly WebhookSecret[] {
  const text = reader.text(name);
  if (text === undefined) return [];
  const entries = /^[[{"]/.test(text) ? Entries.safeParse(parseJson(text)).data : splitList(text);
  if (entries === undefined) {
    reader.keep(text);
    reader.report(
      name,
      governs,
      'Write a JSON list of texts or of {"value", "repositories"}, or texts separated by commas.',
    );
    return [];
  }
  const secrets = entries.map((entry): WebhookSecret => {
    if (typeof entry === 'string') return Object.freeze({ value: reader.keep(entry) });
    const { repositories } = entry;
    const value = reader.keep(entry.value);
    return Object.freeze({
      value,
      ...(repositories === undefined ? {} : { repositories: Object.freeze(repositories) }),
    });
  });
  return Object.freeze(secrets);
}

/** Texts separated by commas or line breaks, trimmed, blanks dropped. */
export function splitList(text: string): string[] {
  return text
    .split(/[,\r\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * A private key as PEM, from PEM, PEM with `\n` written out, or base64 of the PEM; undefined when it is none.
 * It is tried, because a key that was cut when it was pasted would otherwise fail at the first review.
 */
export function readPrivateKey(reader: ConfigReader, name: string, governs: string): Secret | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const written = reader.keep(text);
  const candidates = [
    text.replaceAll('\\n', '\n').trim(),
    Buffer.from(text, 'base64').toString('utf8').trim(),
  ];
  const pem = candidates.find((candidate) => candidate.startsWith('-----BEGIN '));
  if (pem !== undefined && isPrivateKey(pem)) return pem === text ? written : reader.keep(pem);
  reader.report(
    name,
    governs,
    'Write the whole PEM private key, its line breaks as \\n, or base64 of the PEM; no passphrase.',
  );
  return undefined;
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}
