import type { Hunk } from '../../diff/file-diff.ts';

/** The hunks without their first `count` lines, with their starts moved, so that a long diff can be paged. */
export function sliceHunks(hunks: readonly Hunk[], count: number): Hunk[] {
  let left = count;
  const rest: Hunk[] = [];
  for (const hunk of hunks) {
    const dropped = hunk.lines.slice(0, left);
    left -= dropped.length;
    if (dropped.length === hunk.lines.length) continue;
    const oldDropped = dropped.filter((line) => line.oldLine !== undefined).length;
    const newDropped = dropped.filter((line) => line.newLine !== undefined).length;
    rest.push({
      oldStart: hunk.oldStart + oldDropped,
      oldLines: hunk.oldLines - oldDropped,
      newStart: hunk.newStart + newDropped,
      newLines: hunk.newLines - newDropped,
      lines: hunk.lines.slice(dropped.length),
    });
  }
  return rest;
}
