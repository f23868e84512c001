/** An added line as a prompt or a tool result showed it. */
export interface ShownLine {
  readonly path: string;
  /** 1-based, in the file after the change. */
  readonly line: number;
  readonly text: string;
}

export interface ShownDiff {
  /** Paths with a heading, in order, each once. */
  readonly paths: readonly string[];
  readonly added: readonly ShownLine[];
}

const HEADING = /^=== (.+) \([a-z-]+(?:, was .+)?, \+\d+ -\d+\)$/;
/** Sign, no old number, new number, text: the form of `renderDiff`. */
const ADDED_ROW = /^\+ +(\d+) \| (.*)$/;
const NO_NEWLINE = / \[no newline at end of file\]$/;

/** Reads the files and added lines out of a rendered diff; everything else in the text is passed over. */
export function readShownDiff(text: string): ShownDiff {
  const paths = new Set<string>();
  const added: ShownLine[] = [];
  let path: string | undefined;
  for (const row of text.split('\n')) {
    const heading = HEADING.exec(row);
    if (heading?.[1] !== undefined) {
      path = heading[1];
      paths.add(path);
      continue;
    }
    const content = ADDED_ROW.exec(row);
    if (path === undefined || content === null) continue;
    added.push({ path, line: Number(content[1]), text: (content[2] ?? '').replace(NO_NEWLINE, '') });
  }
  return { paths: [...paths], added };
}

/** The diffs between the fence lines of a prompt; a description that imitates a diff stands in another fence. */
export function diffsInPrompt(text: string): string[] {
  const diffs: string[] = [];
  const opening = /^<untrusted-([0-9a-f]+) label="diff">$/gm;
  for (const match of text.matchAll(opening)) {
    const end = text.indexOf(`\n</untrusted-${match[1]}>`, match.index);
    if (end !== -1) diffs.push(text.slice(match.index + match[0].length + 1, end));
  }
  return diffs;
}
