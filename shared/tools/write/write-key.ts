import { z } from 'zod';
import { shortHash } from '../../state/keys.ts';
import type { ToolContext } from '../tool.ts';
import type { WriteName } from './write-operations.ts';

/** How long the same call without a key of the caller's counts as the same write. */
export const REPEAT_AFTER_MS = 24 * 3_600_000;

/** Characters of one comment: a row of ours holds it, and every provider takes it. */
export const MAX_COMMENT = 16_000;

export const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The same key means the same write. Default: the same arguments within 24 hours.');

/**
 * Names one write of a tool: by the caller's own key for good, otherwise by who calls what with which arguments
 * for a day. The caller is part of both, so that nobody can address another's writes.
 */
export function writeName(
  { callerId, partitionKey }: Pick<ToolContext, 'callerId' | 'partitionKey'>,
  tool: string,
  args: readonly (string | number | undefined)[],
  idempotencyKey: string | undefined,
): WriteName {
  const whose = [partitionKey, callerId, tool];
  if (idempotencyKey !== undefined) return { key: `${tool}|${hash([...whose, 'key', idempotencyKey])}` };
  return { key: `${tool}|${hash([...whose, 'args', ...args])}`, repeatAfterMs: REPEAT_AFTER_MS };
}

function hash(parts: readonly (string | number | undefined)[]): string {
  return shortHash(JSON.stringify(parts));
}
