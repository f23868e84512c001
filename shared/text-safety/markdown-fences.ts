/** A fenced code block: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export interface OpenFence {
  /** Position of the line that opens it. */
  readonly start: number;
  /** The line that closes it, indentation included. */
  readonly fence: string;
  /** True when the provider would offer its content as a commit. */
  readonly isSuggestion: boolean;
}

export interface FenceOpening {
  readonly indent: string;
  readonly marks: string;
  readonly info: string;
}

const OPENING = /^([ ]{0,3})(`{3,}|~{3,})(.*)$/;

/** Reads a line (without its line feed) that opens a fence; undefined when it opens none. */
export function readFenceOpening(line: string): FenceOpening | undefined {
  const match = OPENING.exec(line.replace(/\r$/, ''));
  const [, indent, marks, info] = match ?? [];
  if (indent === undefined || marks === undefined || info === undefined) return undefined;
  if (marks.startsWith('`') && info.includes('`')) return undefined;
  return { indent, marks, info: info.trim() };
}

/** True when `line` closes a fence of `marks`. */
export function closesFence(line: string, marks: string): boolean {
  const match = /^[ ]{0,3}(`+|~+)\s*$/.exec(line);
  return match?.[1] !== undefined && match[1][0] === marks[0] && match[1].length >= marks.length;
}

/** The fence that is still open at the end of `text`, if any. */
export function openFenceAt(text: string): OpenFence | undefined {
  let open: (OpenFence & { marks: string }) | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    if (open !== undefined) {
      if (closesFence(line, open.marks)) open = undefined;
    } else {
      const opening = readFenceOpening(line);
      if (opening !== undefined) {
        const { indent, marks, info } = opening;
        open = { start, fence: indent + marks, marks, isSuggestion: info.startsWith('suggestion') };
      }
    }
    start += line.length + 1;
  }
  return open;
}
