import type { ModelRequest } from '../../shared/llm/ports.ts';
import { createScriptedClient, scriptedAnswer } from '../../shared/llm/scripted-client.ts';
import { UNIT_LIMITS } from '../../shared/review/plan.ts';
import { createRun, createWorld } from '../integration/review/run-fixtures.ts';
import type { FileChange } from '../integration/review/run-fixtures.ts';

/** One review of a change of `files` files by a model that answers at once. */
export interface ReviewMeasurement {
  readonly ms: number;
  readonly peakBytes: number;
  readonly providerCalls: number;
  readonly modelCalls: number;
  /** UTF-8 bytes of the diff as git prints it. */
  readonly diffBytes: number;
  /** UTF-8 bytes of all requests as JSON. */
  readonly sentBytes: number;
  /** The same of the first request, and of the rules in it. */
  readonly firstRequestBytes: number;
  readonly rulesBytes: number;
  /** Part of the sent bytes that stands before the last cache mark. */
  readonly cacheableShare: number;
}

/** A source file of 60 lines, 8 of them changed in two places. */
function change(index: number): FileChange {
  const line = (row: number, version: string) =>
    `  const value${row} = compute${version}(order.items[${row}], options.rate${index % 7});`;
  const text = (version: (row: number) => string) =>
    Array.from({ length: 60 }, (_, row) => line(row, version(row))).join('\n');
  const isChanged = (row: number) => (row >= 10 && row < 14) || (row >= 40 && row < 44);
  return { before: `${text(() => '')}\n`, after: `${text((row) => (isChanged(row) ? 'Rounded' : ''))}\n` };
}

async function measure(files: number): Promise<ReviewMeasurement> {
  const paths = Array.from({ length: files }, (_, index) => `src/module${index % 40}/file-${index}.ts`);
  const world = await createWorld(Object.fromEntries(paths.map((path, index) => [path, change(index)])));
  const diffBytes = world.changedFiles.reduce((sum, { path, patch = '' }) => sum + gitBytes(path, patch), 0);
  const sizes: { all: number; first: number; cacheable: number; rules: number }[] = [];
  const client = createScriptedClient([
    (request) => {
      sizes.push(sizeOf(request));
      return scriptedAnswer('{"findings":[],"injection_suspected":false}');
    },
  ]);
  // Without the limit of units per run, which is about money: every file is shown.
  const unitLimits = { ...UNIT_LIMITS, maxUnits: Infinity };
  // The process ends with the measurement, and so does all of it.
  const run = await createRun(world, client, { unitLimits });
  const startedAt = performance.now();
  const result = await run.run();
  const ms = performance.now() - startedAt;
  if (result.kind !== 'settled' || result.report.filesReviewed !== files) {
    throw new Error(`the review did not read all files: ${JSON.stringify(result).slice(0, 300)}`);
  }
  const sentBytes = sizes.reduce((sum, { all }) => sum + all, 0);
  return {
    ms,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    providerCalls: world.reads.length + world.source.calls.length + world.reviews.length,
    modelCalls: sizes.length,
    diffBytes,
    sentBytes,
    firstRequestBytes: sizes[0]?.all ?? 0,
    rulesBytes: sizes[0]?.rules ?? 0,
    cacheableShare: sizes.reduce((sum, { cacheable }) => sum + cacheable, 0) / sentBytes,
  };
}

function gitBytes(path: string, patch: string): number {
  const header = `diff --git a/${path} b/${path}\nindex 0123456789..0123456789 100644\n--- a/${path}\n+++ b/${path}\n`;
  return Buffer.byteLength(header) + Buffer.byteLength(patch);
}

function sizeOf(request: ModelRequest) {
  const { system, tools, messages } = request;
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const [opening] = messages;
  const marked = opening?.content.findLastIndex((block) => 'cache_control' in block) ?? -1;
  return {
    all: bytes(request),
    first: bytes(opening),
    cacheable: bytes([tools, system, opening?.content.slice(0, marked + 1)]),
    rules: bytes(system.at(-1)),
  };
}

process.stdout.write(`${JSON.stringify(await measure(Number(process.argv[2])))}\n`);
