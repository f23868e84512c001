import { readFileSync } from 'node:fs';

export interface BuildVersion {
  readonly version: string;
  /** Short commit hash written by the build, `dev` when run from sources. */
  readonly gitSha: string;
}

/**
 * What is running. The build writes `build-info.json` beside package.json; the nearest package.json upwards
 * counts, so that sources and bundle answer alike.
 */
export function buildVersion(from: URL = new URL(import.meta.url)): BuildVersion {
  for (let folder = new URL('.', from); ; folder = new URL('..', folder)) {
    const found = readJson(new URL('package.json', folder));
    if (found !== undefined) {
      const info = readJson(new URL('build-info.json', folder));
      return { version: textOf(found['version'], '0.0.0'), gitSha: textOf(info?.['gitSha'], 'dev') };
    }
    if (folder.pathname === '/' || folder.href === new URL('..', folder).href) {
      return { version: '0.0.0', gitSha: 'dev' };
    }
  }
}

function readJson(file: URL): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof parsed === 'object' && parsed !== null
      ? Object.fromEntries(Object.entries(parsed))
      : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
