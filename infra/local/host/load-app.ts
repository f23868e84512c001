import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AppRegistry } from './fake-core.ts';
import type { HostLog } from './host-log.ts';
import { HostRefusal } from './host-refusal.ts';

/**
 * Imports the app's entry files one after the other, as the worker does at start-up: `entry` or else `main` of
 * package.json, a path or a glob relative to `appRoot`. On Node 20 and newer the worker lets one failing file
 * block the whole app (azure-functions-nodejs-worker, startApp.ts); so does this.
 * @throws HostRefusal when nothing matches or a file throws while it is imported.
 */
export async function loadApp(
  appRoot: string,
  entry: string | undefined,
  registry: AppRegistry,
  log: HostLog,
): Promise<void> {
  const pattern = entry ?? (await readMain(appRoot));
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: appRoot })) files.push(file);
  files.sort();
  if (files.length === 0) {
    throw new HostRefusal(`0 functions: no file matches the entry point "${pattern}" in ${appRoot}`);
  }
  for (const file of files) {
    try {
      // In order: registration order decides which of two equal names is reported.
      await import(pathToFileURL(path.join(appRoot, file)).href);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      throw new HostRefusal(`entry point "${file}" failed while it was loaded: ${reason}`, error);
    }
    log('debug', `loaded entry point "${file}"`);
  }
  if (registry.functions.size === 0) {
    log(
      'warning',
      `0 functions: ${files.length} entry file(s) matching "${pattern}" were loaded and none registered a ` +
        'function (or @azure/functions was imported before the host started); every route answers 404',
    );
  }
}

async function readMain(appRoot: string): Promise<string> {
  const file = path.join(appRoot, 'package.json');
  let main: unknown;
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    main = typeof parsed === 'object' && parsed !== null && 'main' in parsed ? parsed.main : undefined;
  } catch (error) {
    throw new HostRefusal(`0 functions: ${file} cannot be read; name the entry point with --entry`, error);
  }
  if (typeof main !== 'string' || main === '') {
    throw new HostRefusal(`0 functions: ${file} has no "main"; add it or name the entry point with --entry`);
  }
  return main;
}
