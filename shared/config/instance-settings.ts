import type { ConfigReader } from './config-reader.ts';
import { SETTINGS } from './settings-table.ts';

/** Names the settings of one instance; `isFirst` = no earlier instance may be of the same provider. */
export interface InstanceSettings {
  readonly id: string;
  /** `<NAME>__<ID>` when it is set or when another instance of the provider came first; otherwise `<NAME>`. */
  named(name: string): string;
}

export function instanceSettings(reader: ConfigReader, id: string, isFirst: boolean): InstanceSettings {
  return {
    id,
    named: (name) => {
      const own = `${name}__${suffixOf(id)}`;
      return isFirst && reader.text(own) === undefined ? name : own;
    },
  };
}

/** Names settings whose suffix is no instance's: a secret that somebody believes to be in use. */
export function reportOrphans(reader: ConfigReader, ids: readonly string[]): void {
  const suffixes = new Set(ids.map(suffixOf));
  for (const { name, governs } of SETTINGS.filter((setting) => setting.isPerInstance === true)) {
    for (const set of reader.names.filter((candidate) => candidate.startsWith(`${name}__`))) {
      if (suffixes.has(set.slice(name.length + 2))) continue;
      reader.report(
        set,
        governs,
        'Its ending is the id of no instance: write the id in capitals, dashes as underscores.',
      );
    }
  }
}

function suffixOf(id: string): string {
  return id.toUpperCase().replaceAll('-', '_');
}
