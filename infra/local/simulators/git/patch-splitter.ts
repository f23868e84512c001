import { parseHunkHeader } from './hunks.ts';

export interface PatchLimits {
  /** Longest patch of one file kept, in bytes. */
  readonly maxBytes: number;
  /** Most lines of one file's patch kept, hunk headers included. */
  readonly maxLines: number;
  /** Bytes kept over all files; later patches are dropped. */
  readonly maxTotalBytes: number;
}

/** The diff of one file as git printed it, without its file headers. */
export interface FilePatch {
  /** Hunks joined by line feeds, without a final one; undefined when there are none or they were dropped. */
  readonly patch: string | undefined;
  readonly isBinary: boolean;
  /** True when hunks existed but were over a limit. */
  readonly tooLarge: boolean;
}

/**
 * Cuts the output of `git diff-tree -p` into one patch per file while it streams, so that memory stays bounded
 * by the limits. Hunks are followed by their counts: a content line that looks like a header changes nothing.
 */
export function createPatchSplitter(limits: PatchLimits, onFile: (file: FilePatch) => void) {
  let started = false;
  let kept: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  let total = 0;
  let isBinary = false;
  let tooLarge = false;
  let oldLeft = 0;
  let newLeft = 0;
  let carry: Buffer[] = [];
  let carried = 0;

  const finishFile = (): void => {
    if (!started) return;
    const patch =
      kept.length === 0 || tooLarge ? undefined : Buffer.concat(kept).toString('utf8').slice(0, -1);
    if (patch !== undefined) total += bytes;
    onFile({ patch, isBinary, tooLarge });
    kept = [];
    bytes = 0;
    lines = 0;
    isBinary = false;
    tooLarge = false;
  };
  const keep = (line: Buffer): void => {
    bytes += line.length;
    lines += 1;
    if (bytes > limits.maxBytes || lines > limits.maxLines || total + bytes > limits.maxTotalBytes) {
      tooLarge = true;
      kept = [];
    } else if (!tooLarge) {
      kept.push(line);
    }
  };
  const onLine = (line: Buffer): void => {
    const first = line[0];
    if (oldLeft > 0 || newLeft > 0) {
      keep(line);
      if (first === 0x5c) return;
      if (first !== 0x2b) oldLeft -= 1;
      if (first !== 0x2d) newLeft -= 1;
      return;
    }
    // Headers are short; a huge line here could only be content, which the counts above already took.
    const text = line.subarray(0, 200).toString('latin1');
    if (text.startsWith('diff --git ')) {
      finishFile();
      started = true;
      return;
    }
    const header = parseHunkHeader(text);
    if (header !== undefined) {
      oldLeft = header.oldCount;
      newLeft = header.newCount;
      keep(line);
    } else if (first === 0x5c) {
      keep(line);
    } else if (text.startsWith('Binary files ')) {
      isBinary = true;
    }
  };

  return {
    write(chunk: Buffer): void {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
        const part = chunk.subarray(from, end + 1);
        onLine(carry.length === 0 ? Buffer.from(part) : Buffer.concat([...carry, part]));
        carry = [];
        carried = 0;
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      // Of a line that is over the limit anyway only its length and first character matter.
      if (rest.length > 0 && carried <= limits.maxBytes) carry.push(Buffer.from(rest));
      carried += rest.length;
    },
    end(): void {
      if (carry.length > 0) onLine(Buffer.concat([...carry, Buffer.from('\n')]));
      finishFile();
    },
  };
}
