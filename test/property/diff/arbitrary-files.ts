import * as fc from 'fast-check';

const AWKWARD_LINES = [
  '',
  ' ',
  '}',
  'return null;',
  'x = 1',
  '\tx = 1',
  'x = 1\r',
  'a\rb',
  'a\u2028b',
  'a\fb',
  '-- a',
  '++ b',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '\\ No newline at end of file',
  '+',
  '-',
  'é',
];

const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...AWKWARD_LINES) },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', '').replaceAll('\0', '')),
  },
);

export type Edit = { readonly at: number; readonly remove: number; readonly insert: readonly string[] };

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(80),
  remove: fc.nat(4),
  insert: fc.array(line, { maxLength: 4 }),
});

export interface FilePair {
  readonly oldText: string;
  readonly newText: string;
}

function textOf(lines: readonly string[], endsWithNewline: boolean): string {
  return lines.length === 0 ? '' : lines.join('\n') + (endsWithNewline ? '\n' : '');
}

const versions = fc.record({
  lines: fc.array(line, { maxLength: 80 }),
  edits: fc.array(edit, { maxLength: 6 }),
  oldNewline: fc.boolean(),
  newNewline: fc.boolean(),
});

function pairOf({
  lines,
  edits,
  oldNewline,
  newNewline,
}: typeof versions extends fc.Arbitrary<infer T> ? T : never): FilePair {
  const changed = [...lines];
  for (const { at, remove, insert } of edits) changed.splice(Math.min(at, changed.length), remove, ...insert);
  return { oldText: textOf(lines, oldNewline), newText: textOf(changed, newNewline) };
}

/** Two versions of a text that share most lines; either may lack the final line feed or be empty. */
export const filePair: fc.Arbitrary<FilePair> = versions.map(pairOf);

function unique(lines: readonly string[], name: string): string[] {
  return lines.map((text, index) => `${text}#${name}${index}`);
}

/** As filePair, but no line occurs twice, so that there is only one right answer to which line became which. */
export const unambiguousFilePair: fc.Arbitrary<FilePair> = versions.map((version) => {
  return pairOf({
    ...version,
    lines: unique(version.lines, 'old'),
    edits: version.edits.map((one, index) => ({ ...one, insert: unique(one.insert, `new${index}-`) })),
  });
});

/** Lines as git counts them: split at line feeds only, no empty last line after a final one. */
export function gitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}
