import { writeFile } from 'node:fs/promises';
import { settingsPage } from './settings-page.ts';

const PAGES = [{ path: 'docs/settings.md', text: settingsPage }] as const;

for (const { path, text } of PAGES) {
  await writeFile(new URL(`../../../${path}`, import.meta.url), text());
  process.stdout.write(`${path}\n`);
}
