import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ROW_PREFIXES } from '../../../shared/state/keys.ts';
import { QUEUES, TABLES } from '../../../shared/state/names.ts';
import { SESSION_ROWS } from '../../../shared/state/row-types.ts';
import { budgetRow } from '../../../shared/tools/budget.ts';
import { draftRow } from '../../../shared/tools/drafts/draft.ts';
import { outboxRow } from '../../../shared/tools/outbox-row.ts';

const page = await readFile(new URL('../../../docs/storage.md', import.meta.url), 'utf8');

interface Section {
  readonly key: string;
  readonly name: string;
  /** Column and storage type, in the page's order. */
  readonly columns: readonly (readonly [string, string])[];
}

/** The sections `### \`key\`: name` with the first two cells of their table rows. */
function sections(): Section[] {
  return page
    .split('\n### ')
    .slice(1)
    .map((text) => {
      const [, key = '', name = ''] = /^`([^`]+)`: (\w+)/.exec(text) ?? [];
      const rows = [...text.matchAll(/^\| `(\w+)` +\| (\w+) +\|/gm)];
      return { key, name, columns: rows.map(([, column = '', type = '']) => [column, type] as const) };
    });
}

const documented = new Map(sections().map((section) => [section.name, section]));
const rows = { ...SESSION_ROWS, outbox: outboxRow, budget: budgetRow, draft: draftRow };

describe('docs/storage.md', () => {
  it.each(Object.entries(rows))('has the columns of row %s', (name, row) => {
    const columns = Object.entries(row.columns).map(([column, { storage }]) => [column, storage]);
    expect(documented.get(name)?.columns).toEqual(columns);
  });

  it('has every kind of row, under its letter', () => {
    const letters = [...documented.values()].map(({ name, key }) => [name, key[0]]);
    expect(Object.fromEntries(letters)).toEqual(ROW_PREFIXES);
  });

  it.each([...Object.values(TABLES), ...Object.values(QUEUES)])('names %s', (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  it('says that head and lease are never deleted', () => {
    for (const name of ['head', 'lease']) {
      const start = page.indexOf(`: ${name}\n`);
      expect(page.slice(start, page.indexOf('###', start + 1))).toContain('Never deleted');
    }
  });
});
