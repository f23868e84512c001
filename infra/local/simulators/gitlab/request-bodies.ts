import { z } from 'zod';
import type { SimulatorRequest } from '../http/exchange.ts';
import { readJson } from '../http/exchange.ts';
import { refuse } from './errors.ts';

const Line = z.int().min(1);
const RangeEnd = z.object({
  line_code: z.string(),
  type: z.enum(['new', 'old', 'expanded']),
  old_line: Line.optional(),
  new_line: Line.optional(),
});

export const Position = z.object({
  position_type: z.enum(['text', 'file']),
  base_sha: z.string(),
  start_sha: z.string(),
  head_sha: z.string(),
  old_path: z.string().optional(),
  new_path: z.string().optional(),
  old_line: Line.optional(),
  new_line: Line.optional(),
  line_range: z.object({ start: RangeEnd, end: RangeEnd }).optional(),
});
export type SentPosition = z.output<typeof Position>;

/** Bodies of the calls that are used, by a name of ours. Source: GitLab REST documentation of each endpoint. */
export const BODIES = {
  newDiscussion: z.object({ body: z.string(), position: Position.optional() }),
  newNote: z.object({ body: z.string(), internal: z.boolean().optional() }),
  changedNote: z.object({ body: z.string().optional(), resolved: z.boolean().optional() }),
  resolved: z.object({ resolved: z.boolean() }),
  award: z.object({ name: z.string().min(1) }),
  status: z.object({
    state: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']),
    name: z.string().optional(),
    target_url: z.string().max(255).optional(),
    description: z.string().max(255).optional(),
    ref: z.string().optional(),
  }),
} as const;
export type BodyName = keyof typeof BODIES;

/** A field that the real endpoint does not have; the real service ignores it. */
export interface UnknownField {
  readonly body: BodyName;
  readonly field: string;
}

export interface RequestBodies {
  read<Schema extends z.ZodType>(request: SimulatorRequest, name: BodyName, schema: Schema): z.output<Schema>;
  unknownFields(): readonly UnknownField[];
}

export function createRequestBodies(): RequestBodies {
  const unknown: UnknownField[] = [];
  return {
    read<Schema extends z.ZodType>(
      request: SimulatorRequest,
      name: BodyName,
      schema: Schema,
    ): z.output<Schema> {
      const body = readJson(request);
      const parsed = schema.safeParse(body);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const field = issue?.path.join('.') ?? '';
        return refuse(400, `${field === '' ? 'body' : field} is missing or invalid`);
      }
      for (const field of droppedFields(body, parsed.data)) unknown.push({ body: name, field });
      return parsed.data;
    },
    unknownFields: () => [...unknown],
  };
}

/** Paths that are in the first value and not in the second. */
function droppedFields(given: unknown, kept: unknown, path = ''): string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    const here = path === '' ? key : `${path}.${key}`;
    const inner: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, key) : undefined;
    return inner === undefined && value !== undefined ? [here] : droppedFields(value, inner, here);
  });
}
