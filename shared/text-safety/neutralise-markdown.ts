import { closesFence, readFenceOpening } from './markdown-fences.ts';
import { neutraliseInline } from './neutralise-inline.ts';

export interface NeutraliseOptions {
  /** Hosts (lower case, without port) that links and images may point to; of other hosts the address is shown. */
  readonly allowedHosts?: readonly string[];
}

// A marker inside anything we post could pass for the outbox's own, also inside code.
const MARKER = /gatehouse:(?=[0-9a-f]{8})/gi;

/**
 * Makes Markdown that a model wrote safe to post: it cannot mention people, refer to or close issues, give quick
 * actions or commands, forge our markers, hide text, load or link foreign hosts unseen, offer a commit, or leave a
 * code fence open. What it says stays readable; code keeps its text. Idempotent; time linear in the text.
 *
 * Fences and code spans count as code only where every renderer agrees on them. Strip hidden text and mask
 * secrets first, then add our own markers, suggestion blocks and footers, which this function would take apart.
 */
export function neutraliseMarkdown(text: string, options: NeutraliseOptions = {}): string {
  const lines = text.replace(MARKER, 'gatehouse marker ').split('\n');
  const hosts = new Set(options.allowedHosts ?? []);
  const output: string[] = [];
  const prose: string[] = [];
  const flushProse = (): void => {
    if (prose.length > 0) output.push(neutraliseInline(prose.join('\n'), hosts));
    prose.length = 0;
  };

  let index = 0;
  while (index < lines.length) {
    const block = readBlock(lines, index);
    if (block.fenced === undefined) {
      prose.push(...lines.slice(index, block.next).map(escapeTildes));
    } else {
      flushProse();
      output.push(...block.fenced);
    }
    index = block.next;
  }
  flushProse();
  return output.join('\n');
}

interface Block {
  /** The lines of a fenced block, closed and with a plain info word; undefined for prose. */
  readonly fenced?: readonly string[];
  /** Index of the line after the block. */
  readonly next: number;
}

/**
 * The fenced block or the prose that starts at `index`. Where a line is indented less than the fence above it, the
 * fence may belong to a list item that ends there, and what follows would not be code: all of it is prose then.
 */
function readBlock(lines: readonly string[], index: number): Block {
  const opening = readFenceOpening(lines[index] ?? '');
  if (opening === undefined) return { next: index + 1 };
  const { indent, marks, info } = opening;
  const fenced = [indent + marks + infoWord(info)];
  for (let at = index + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() !== '' && !line.startsWith(indent)) return { next: at };
    fenced.push(line);
    if (closesFence(line, marks)) return { fenced, next: at + 1 };
  }
  fenced.push(indent + marks);
  return { fenced, next: lines.length };
}

// Providers offer the content of a `suggestion` block as a commit; only checked suggestions may be one.
function infoWord(info: string): string {
  const word = /^[\w+#.-]*/.exec(info)?.[0] ?? '';
  return /^suggestion/i.test(word) ? 'text' : word;
}

/** What was not taken for a fence must not be one for the renderer either; backticks are escaped inline. */
function escapeTildes(line: string): string {
  return line.replace(/^((?:[ \t>]|[-*+] |\d{1,9}[.)] ){0,20})(?=~~~)/, '$1\\');
}
