import { parsePatch } from 'diff';
import parseDiff from 'parse-diff';
import { createLineMap } from '../../shared/diff/line-map.ts';
import { parseGitDiff } from '../../shared/diff/parse-patch.ts';

export const DIFF_BENCH_TOOLS = ['gatehouse', 'jsdiff', 'parse-diff'] as const;
export type DiffBenchTool = (typeof DIFF_BENCH_TOOLS)[number];

export interface DiffMeasurement {
  /** Best of the repetitions, since anything above it is the machine; each starts with a collected heap. */
  readonly ms: number;
  readonly peakBytes: number;
  /** Changed lines that were read. */
  readonly lines: number;
}

const LINES_PER_HUNK = 20;
const REPETITIONS = 9;

/** One file whose hunks hold `changed` changed lines between six lines of context each. */
function makeDiff(changed: number): string {
  const parts = ['diff --git a/f.ts b/f.ts\n--- a/f.ts\n+++ b/f.ts\n'];
  const half = LINES_PER_HUNK / 2;
  for (let hunk = 0; hunk < changed / LINES_PER_HUNK; hunk += 1) {
    const start = 1 + hunk * 50;
    const context = [1, 2, 3].map((line) => ` const unchanged${line} = value(${hunk});\n`).join('');
    const removed = Array.from({ length: half }, (_, line) => `-  before(${hunk}, ${line});\n`).join('');
    const added = Array.from({ length: half }, (_, line) => `+  after(${hunk}, ${line});\n`).join('');
    parts.push(`@@ -${start},${half + 6} +${start},${half + 6} @@\n`, context, removed, added, context);
  }
  return parts.join('');
}

/** Parses and maps every changed line; each tool has to name the line's number on its side. */
const RUNNERS: Readonly<Record<DiffBenchTool, (diff: string) => number>> = {
  gatehouse(diff) {
    let found = 0;
    for (const file of parseGitDiff(diff)) {
      const map = createLineMap(file.hunks);
      for (const hunk of file.hunks) {
        for (const line of hunk.lines) {
          if (line.kind === 'added' && map.lineAt('new', line.newLine) === line) found += 1;
          if (line.kind === 'removed' && map.lineAt('old', line.oldLine) === line) found += 1;
        }
      }
    }
    return found;
  },
  // Parsing alone: jsdiff gives no number per line.
  jsdiff(diff) {
    const lines = parsePatch(diff).flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines));
    return lines.filter((line) => !line.startsWith(' ')).length;
  },
  'parse-diff'(diff) {
    const changes = parseDiff(diff).flatMap((file) => file.chunks.flatMap((chunk) => chunk.changes));
    return changes.filter((change) => change.type !== 'normal' && change.ln > 0).length;
  },
};

function measure(tool: DiffBenchTool, size: number): DiffMeasurement {
  const diff = makeDiff(size);
  const run = RUNNERS[tool];
  RUNNERS[tool](makeDiff(1000));
  let ms = Infinity;
  let lines = 0;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    globalThis.gc?.();
    const started = performance.now();
    lines = run(diff);
    ms = Math.min(ms, performance.now() - started);
  }
  return { ms, peakBytes: process.resourceUsage().maxRSS * 1024, lines };
}

const [script = '', toolName, size] = process.argv.slice(1);
const tool = DIFF_BENCH_TOOLS.find((name) => name === toolName);
if (script.endsWith('diff-measure.ts') && tool !== undefined) {
  process.stdout.write(JSON.stringify(measure(tool, Number(size))));
}
