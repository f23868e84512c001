import { z } from 'zod';
import type { WebhookSecret } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import type { Secret } from './secret.ts';

const Entry = z.union([
  z.string().min(1),
  z.strictObject({ value: z.string().min(1), repositories: z.array(z.string().min(1)).min(1).optional() }),
]);
const Entries = z.array(Entry);

/**
 * Reads a list of secrets: a JSON list of texts or of {value, repositories}, or texts separated by commas.
 * A list that does not parse counts as absent and is reported: there is no default secret.
 */
export function readSecrets(reader: ConfigReader, name: string, governs: string): readonly WebhookSecret[] {
  const text = reader.text(name);
  if (text === undefined) return [];
  const entries = text.startsWith('[') ? parseJsonList(text) : splitList(text);
  if (entries === undefined) {
    reader.report(
      name,
      governs,
      'Write a JSON list of texts or of {"value", "repositories"}, or texts separated by commas.',
    );
    return [];
  }
  return entries.map((entry) =>
    typeof entry === 'string'
      ? { value: reader.keep(entry) }
      : {
          value: reader.keep(entry.value),
          ...(entry.repositories === undefined ? {} : { repositories: entry.repositories }),
        },
  );
}

function parseJsonList(text: string): z.infer<typeof Entries> | undefined {
  try {
    return Entries.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Texts separated by commas or line breaks, trimmed, blanks dropped. */
export function splitList(text: string): string[] {
  return text
    .split(/[,\r\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A private key as PEM, from PEM, PEM with `\n` written out, or base64 of the PEM; undefined when it is none. */
export function readPrivateKey(reader: ConfigReader, name: string): Secret | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const candidates = [text.replaceAll('\\n', '\n'), Buffer.from(text, 'base64').toString('utf8')];
  const pem = candidates.find((candidate) => candidate.trimStart().startsWith('-----BEGIN '));
  if (pem !== undefined) return reader.keep(pem);
  reader.keep(text);
  reader.report(name, 'review', 'Write the PEM private key, its line breaks as \\n, or base64 of the PEM.');
  return undefined;
}
