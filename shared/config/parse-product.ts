import { z } from 'zod';
import type { GrantSettings, McpSettings, ModelPrices } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import { parseJson } from './parse-json.ts';
import { splitList } from './parse-secrets.ts';
import { parseServiceUrl, URL_ADVICE } from './parse-url.ts';
import type { Secret } from './secret.ts';
import { OWN_PREFIX, SETTINGS } from './settings-table.ts';

/** Shorter keys could be guessed from posted markers. */
const MIN_MARKER_KEY_LENGTH = 16;

const Price = z.strictObject({
  input: z.number().min(0).max(10_000),
  output: z.number().min(0).max(10_000),
  cacheWrite: z.number().min(0).max(10_000).optional(),
  cacheRead: z.number().min(0).max(10_000).optional(),
});
const Prices = z.record(z.string().min(1).max(200), Price);

/** Names settings that look like ours and are not; true when there are any. */
export function reportUnknown(reader: ConfigReader): boolean {
  const known = new Set(SETTINGS.map((setting) => setting.name));
  const unknown = reader.names.filter(
    (name) => name.toUpperCase().startsWith(OWN_PREFIX) && !known.has(name),
  );
  for (const name of unknown) {
    reader.report(
      name,
      'writes',
      'It is no setting of Gatehouse. Correct the name or remove it; writes stay stopped until then.',
    );
  }
  return unknown.length > 0;
}

export function readPublicUrl(reader: ConfigReader): URL | undefined {
  const text = reader.text('GATEHOUSE_PUBLIC_URL');
  if (text === undefined) return undefined;
  const url = parseServiceUrl(text, reader.isInAzure);
  if (url instanceof URL) return url;
  reader.report('GATEHOUSE_PUBLIC_URL', 'mcp', URL_ADVICE[url]);
  return undefined;
}

export function readName(reader: ConfigReader): string {
  const name = reader.textOrDefault('GATEHOUSE_NAME').replace(/^@/, '');
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,38}$/.test(name)) return name;
  reader.report('GATEHOUSE_NAME', 'review', 'Use letters, digits, dots, dashes and underscores, at most 39.');
  return 'gatehouse';
}

/** The keys of the markers; one that is too short closes writing, it is never left out in silence. */
export function readMarkerKeys(reader: ConfigReader, keys: readonly Secret[]): readonly Secret[] {
  const name = 'GATEHOUSE_MARKER_KEYS';
  if (keys.length === 0 && !reader.isReported(name)) {
    reader.report(
      name,
      'writes',
      'Set it to a list of random texts of at least 16 characters; there is no default.',
    );
  }
  if (keys.every((key) => key.reveal().length >= MIN_MARKER_KEY_LENGTH)) return Object.freeze([...keys]);
  reader.report(name, 'writes', `Every key needs at least ${MIN_MARKER_KEY_LENGTH} characters.`);
  return Object.freeze([]);
}

/** Grants as a list of JSON values, each checked where grants are understood; wrong JSON closes MCP. */
export function readGrants(reader: ConfigReader): GrantSettings {
  const text = reader.text('GATEHOUSE_GRANTS');
  if (text === undefined) return Object.freeze({ isReadable: true, entries: Object.freeze([]) });
  const list = parseJson(text);
  if (Array.isArray(list)) return Object.freeze({ isReadable: true, entries: Object.freeze([...list]) });
  reader.report('GATEHOUSE_GRANTS', 'mcp', 'It is not a JSON list of grants; no grant holds until it is.');
  return Object.freeze({ isReadable: false, entries: Object.freeze([]) });
}

/** Prices by model; undefined = the built-in ones. */
export function readPrices(reader: ConfigReader): ModelPrices | undefined {
  const text = reader.text('MODEL_PRICES');
  if (text === undefined) return undefined;
  const { data } = Prices.safeParse(parseJson(text));
  if (data === undefined) {
    reader.report(
      'MODEL_PRICES',
      'review',
      'Write {"model": {"input": 1, "output": 5}} in US dollars per million tokens; cacheWrite and cacheRead are optional.',
    );
  }
  return data;
}

export function readMcp(reader: ConfigReader): McpSettings {
  const list = (name: string): readonly string[] => Object.freeze(splitList(reader.text(name) ?? ''));
  const origins = list('MCP_ORIGINS');
  const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text;
  if (!origins.every(isOrigin)) {
    reader.report('MCP_ORIGINS', 'mcp', 'Write origins such as https://host, without a path.');
  }
  return Object.freeze({
    tenants: list('ENTRA_TENANTS'),
    audience: reader.text('ENTRA_AUDIENCE'),
    clients: list('ENTRA_CLIENTS'),
    origins: Object.freeze(origins.filter(isOrigin)),
  });
}

/** The host reads the schedule itself, and does not load the sweep without it. */
export function checkSchedule(reader: ConfigReader): void {
  const fields = reader.text('SWEEP_SCHEDULE')?.split(/\s+/) ?? [];
  if ([5, 6].includes(fields.length) && fields.every((field) => /^[\dA-Za-z*,/-]+$/.test(field))) return;
  reader.report('SWEEP_SCHEDULE', 'sweep', 'Write an NCRONTAB expression such as 0 7 * * * *.');
}
