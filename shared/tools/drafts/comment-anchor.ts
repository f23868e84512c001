import { z } from 'zod';
import type { DraftAnchor } from './draft.ts';

/** Where a comment is to stand, as callers say it. */
export const ANCHOR_FIELDS = {
  path: z.string().min(1).max(1024).describe('A changed file, as get_pull_request names it.'),
  subject: z
    .enum(['line', 'file'])
    .optional()
    .describe('file: on the whole file, without a line. Default line.'),
  line: z.int().min(1).optional().describe('Line in the diff, 1-based; the last one of a range.'),
  side: z
    .enum(['old', 'new'])
    .optional()
    .describe('new: the file after the change (default). old: before it, for removed lines.'),
  startLine: z
    .int()
    .min(1)
    .optional()
    .describe('First line of a range, in the same hunk and on the same side.'),
  startSide: z.enum(['old', 'new']).optional().describe('Must equal side.'),
};

const AnchorInput = z.strictObject(ANCHOR_FIELDS);

/** The place a caller means, or what is contradictory about it. */
export function anchorOf(input: z.infer<typeof AnchorInput>): DraftAnchor | string {
  const { path, line, startLine, startSide, subject = 'line' } = input;
  const side = input.side ?? 'new';
  if (subject === 'file')
    return line === undefined && startLine === undefined
      ? { path, side }
      : 'A comment on a file has no line; leave line and startLine out.';
  if (line === undefined) return 'A line comment needs line; use subject file for the whole file.';
  if (startSide !== undefined && startSide !== side) return 'startSide must equal side.';
  return { path, side, line, ...(startLine === undefined ? {} : { startLine }) };
}
