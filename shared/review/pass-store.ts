import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { Finding } from '../domain/finding.ts';
import type { Logger } from '../observability/ports.ts';
import { passKey } from '../state/keys.ts';
import type { RowValue, TablePort } from '../state/ports.ts';
import type { PassResult } from './run-pass.ts';

/** Results of passes that were answered, kept so that a retried job asks the model only for what is missing. */
export interface PassStore {
  get(planHash: string, pass: string): Promise<AnsweredPass | undefined>;
  /** Create-only: the first result of a pass counts, and is returned. */
  keep(planHash: string, pass: string, result: AnsweredPass): Promise<AnsweredPass>;
}

export type AnsweredPass = Extract<PassResult, { kind: 'answered' }>;

const tokens = z.int().min(0);
const StoredPass: z.ZodType<AnsweredPass> = z.strictObject({
  kind: z.literal('answered'),
  findings: z.array(Finding),
  injectionSuspected: z.boolean(),
  dropped: z.int().min(0),
  stats: z.strictObject({
    models: z.array(z.string()),
    calls: z.int(),
    usage: z.strictObject({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheCreationTokens: tokens,
      cacheReadTokens: tokens,
    }),
    toolCalls: z.array(z.strictObject({ name: z.string(), isError: z.boolean(), resultCharacters: z.int() })),
  }),
});

/** One property of a row holds 64 KiB; a row 1 MiB. */
const CHUNK_BYTES = 64 * 1024;
const MAX_CHUNKS = 14;
const MAX_STORED_BYTES = 32 * 1024 * 1024;

/** `partitionKey`: the pull request's session. */
export function createPassStore(table: TablePort, partitionKey: string, log: Logger): PassStore {
  async function get(planHash: string, pass: string): Promise<AnsweredPass | undefined> {
    const row = await table.get(partitionKey, passKey(planHash, pass));
    return row === undefined ? undefined : decode(row.values);
  }
  return {
    get,
    async keep(planHash, pass, result) {
      const packed = gzipSync(JSON.stringify(result));
      const chunks = Math.ceil(packed.length / CHUNK_BYTES);
      if (chunks > MAX_CHUNKS) {
        log.warn('pass.resultTooLarge', { pass, bytes: packed.length });
        return result;
      }
      const values: Record<string, RowValue> = { v: 1, chunks };
      for (let chunk = 0; chunk < chunks; chunk += 1) {
        values[`d${chunk}`] = packed.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
      }
      const rowKey = passKey(planHash, pass);
      const written = await table.transaction(partitionKey, [{ kind: 'create', rowKey, values }]);
      // An earlier attempt, or the lost answer of this one: what is there counts.
      return written.kind === 'done' ? result : ((await get(planHash, pass)) ?? result);
    },
  };
}

/** Undefined for a row that cannot be read, which only costs the pass once more. */
function decode(values: Readonly<Record<string, RowValue>>): AnsweredPass | undefined {
  if (values['v'] !== 1 || typeof values['chunks'] !== 'number') return undefined;
  const chunks: Uint8Array[] = [];
  for (let chunk = 0; chunk < values['chunks']; chunk += 1) {
    const bytes = values[`d${chunk}`];
    if (!(bytes instanceof Uint8Array)) return undefined;
    chunks.push(bytes);
  }
  const text = gunzipSync(Buffer.concat(chunks), { maxOutputLength: MAX_STORED_BYTES }).toString('utf8');
  const parsed = StoredPass.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
