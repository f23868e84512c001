import { z } from 'zod';
import { PROVIDER_IDS } from '../domain/pull-request.ts';
import type { InstanceConfig } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import { instanceSettings, reportOrphans } from './instance-settings.ts';
import { parseJson } from './parse-json.ts';
import { parseServiceUrl, URL_ADVICE } from './parse-url.ts';
import { readProviderSettings } from './provider-settings.ts';

const SETTING = 'GATEHOUSE_INSTANCES';

const InstanceEntry = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  provider: z.enum(PROVIDER_IDS),
  webUrl: z.string(),
  apiUrl: z.string(),
  archiveHosts: z.array(z.string().regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/)).default([]),
  repositories: z.array(z.string().min(1).max(300)).min(1),
});
type InstanceEntry = z.infer<typeof InstanceEntry>;

/** The usable instances; a wrong entry is left out and named by its position, so that the others go on. */
export function readInstances(reader: ConfigReader): readonly InstanceConfig[] {
  const text = reader.text(SETTING);
  if (text === undefined) {
    reader.report(SETTING, 'webhooks', 'Set it to a JSON list of instances; see docs/settings.md.');
    return [];
  }
  const list = parseJson(text);
  if (!Array.isArray(list)) {
    reader.report(SETTING, 'webhooks', 'It is not a JSON list; see docs/settings.md for an example.');
    return [];
  }
  const items: readonly unknown[] = list;
  if (items.length === 0) reader.report(SETTING, 'webhooks', 'The list is empty; see docs/settings.md.');
  const ids = new Set<string>();
  const instances = items.flatMap((item, index) => {
    const entry = readEntry(reader, item, index, ids);
    if (entry === undefined) return [];
    ids.add(entry.id);
    const isFirst = !items.slice(0, index).some((earlier) => mayBeOf(earlier, entry.provider));
    const instance = readInstance(reader, entry, index, isFirst);
    return instance === undefined ? [] : [instance];
  });
  reportOrphans(reader, [...ids]);
  return Object.freeze(instances);
}

function readEntry(
  reader: ConfigReader,
  item: unknown,
  index: number,
  ids: ReadonlySet<string>,
): InstanceEntry | undefined {
  const { data: entry, error } = InstanceEntry.safeParse(item);
  if (entry === undefined) {
    const fields = [...new Set(error.issues.map((issue) => issue.path.join('.') || issue.code))];
    reader.report(SETTING, 'webhooks', `Entry ${index + 1} is not an instance; check: ${fields.join(', ')}.`);
    return undefined;
  }
  if (!ids.has(entry.id)) return entry;
  reader.report(SETTING, `webhooks/${entry.id}`, `Entry ${index + 1} repeats an id; ids are unique.`);
  return undefined;
}

/**
 * True when an earlier entry is, or was meant to be, an instance of `provider`. Threat: an entry that is left
 * out for a typing error must not hand its secrets, which have the plain names, to the host of the next one.
 */
function mayBeOf(item: unknown, provider: InstanceEntry['provider']): boolean {
  const stated = z.looseObject({ provider: z.enum(PROVIDER_IDS) }).safeParse(item);
  return !stated.success || stated.data.provider === provider;
}

function readInstance(
  reader: ConfigReader,
  entry: InstanceEntry,
  index: number,
  isFirst: boolean,
): InstanceConfig | undefined {
  const address = (field: 'webUrl' | 'apiUrl'): URL | undefined => {
    const url = parseServiceUrl(entry[field], reader.isInAzure);
    if (url instanceof URL) return url;
    reader.report(SETTING, `webhooks/${entry.id}`, `Entry ${index + 1}, ${field}: ${URL_ADVICE[url]}`);
    return undefined;
  };
  const [webUrl, apiUrl] = [address('webUrl'), address('apiUrl')];
  if (webUrl === undefined || apiUrl === undefined) return undefined;
  return Object.freeze({
    id: entry.id,
    webUrl,
    apiUrl,
    archiveHosts: Object.freeze(entry.archiveHosts),
    repositories: Object.freeze(entry.repositories),
    ...readProviderSettings(reader, entry.provider, instanceSettings(reader, entry.id, isFirst)),
  });
}
