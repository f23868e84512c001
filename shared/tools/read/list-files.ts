import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { compilePathGlob } from '../path-glob.ts';
import { requireSnapshot } from '../require-snapshot.ts';

const MAX_FILES = 500;

export const listFiles = defineTool({
  name: 'list_files',
  title: 'List files',
  description:
    'Lists the files of the repository at the head of the pull request, sorted, by glob or folder. Use it to find where ' +
    `something is before reading it. Gives up to ${MAX_FILES} paths; ask again with after set to the last one.`,
  access: 'read',
  needs: 'read',
  showsUntrusted: true,
  requires: ['snapshot'],
  idempotent: true,
  input: z.strictObject({
    glob: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('Anchored glob, e.g. src/**/*.ts or **/package.json.'),
    prefix: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe('Only paths that start with this text, e.g. src/.'),
    after: z.string().min(1).max(1024).optional().describe('Only paths that sort after this one.'),
  }),
  output: z.strictObject({
    files: z.array(z.string()),
    total: z.int().describe('How many paths match, those on other pages included.'),
    unreadable: z
      .array(z.strictObject({ path: z.string(), reason: z.string() }))
      .describe('Matching paths that exist but cannot be read.'),
    notes: z.array(z.string()),
  }),
  async handler(context, { glob, prefix, after }) {
    const snapshot = requireSnapshot(context);
    const matches = glob === undefined ? () => true : compilePathGlob(glob);
    const isWanted = (path: string): boolean => path.startsWith(prefix ?? '') && matches(path);
    const wanted = snapshot.listFiles().filter(isWanted);
    const rest = after === undefined ? wanted : wanted.filter((path) => path > after);
    const files = rest.slice(0, MAX_FILES);
    const unreadable = snapshot.unreadable
      .filter((entry) => isWanted(entry.what))
      .slice(0, MAX_FILES)
      .map((entry) => ({ path: entry.what, reason: entry.reason }));
    const notes =
      rest.length > files.length
        ? [`${rest.length - files.length} more; ask again with after set to the last path.`]
        : [];
    return { files, total: wanted.length, unreadable, notes };
  },
  render: ({ files, total, unreadable, notes }) =>
    [
      `${total} files match`,
      ...notes,
      ...files,
      ...unreadable.map((entry) => `${entry.path} (cannot be read: ${entry.reason})`),
    ].join('\n'),
});
