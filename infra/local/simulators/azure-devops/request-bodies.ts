import { z } from 'zod';
import type { SimulatorRequest } from '../http/exchange.ts';
import { readJson } from '../http/exchange.ts';
import { invalidArgument } from './errors.ts';

const Position = z.object({ line: z.int().min(1), offset: z.int().min(1) });

const NewComment = z.object({
  content: z.string(),
  parentCommentId: z.int().min(0).optional(),
  commentType: z.enum(['text', 'codeChange', 'system']).optional(),
});

const ThreadStatus = z.enum(['unknown', 'active', 'fixed', 'wontFix', 'closed', 'byDesign', 'pending']);

/** Bodies of the calls that are used, by the name of their definition in the published specification. */
export const BODIES = {
  GitPullRequestCommentThread: z.object({
    comments: z.array(NewComment).optional(),
    status: ThreadStatus.optional(),
    threadContext: z
      .object({
        filePath: z.string(),
        leftFileStart: Position.optional(),
        leftFileEnd: Position.optional(),
        rightFileStart: Position.optional(),
        rightFileEnd: Position.optional(),
      })
      .optional(),
    pullRequestThreadContext: z
      .object({
        changeTrackingId: z.int().optional(),
        iterationContext: z
          .object({ firstComparingIteration: z.int(), secondComparingIteration: z.int() })
          .optional(),
      })
      .optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
  Comment: NewComment,
  GitPullRequestStatus: z.object({
    state: z.enum(['notSet', 'pending', 'succeeded', 'failed', 'error', 'notApplicable']),
    description: z.string().optional(),
    context: z.object({ genre: z.string().optional(), name: z.string().min(1) }),
    targetUrl: z.string().optional(),
    iterationId: z.int().optional(),
  }),
} as const;

export type BodyName = keyof typeof BODIES;

/** A body as it came, for checking it against the published specification. */
export interface SentBody {
  readonly definition: BodyName;
  readonly body: unknown;
}

/** A field that the real endpoint does not have; the real service ignores it. */
export interface UnknownField {
  readonly definition: BodyName;
  readonly field: string;
}

export interface RequestBodies {
  read<Schema extends z.ZodType>(request: SimulatorRequest, name: BodyName, schema: Schema): z.output<Schema>;
  sent(): readonly SentBody[];
  unknownFields(): readonly UnknownField[];
}

export function createRequestBodies(): RequestBodies {
  const sent: SentBody[] = [];
  const unknown: UnknownField[] = [];
  return {
    read<Schema extends z.ZodType>(
      request: SimulatorRequest,
      name: BodyName,
      schema: Schema,
    ): z.output<Schema> {
      const body = readJson(request);
      sent.push({ definition: name, body });
      const parsed = schema.safeParse(body);
      if (!parsed.success)
        return invalidArgument(
          `The value specified for the following variable is invalid: ${parsed.error.issues[0]?.path.join('.') ?? ''}. ${parsed.error.issues[0]?.message ?? ''}`,
        );
      for (const field of droppedFields(body, parsed.data)) unknown.push({ definition: name, field });
      return parsed.data;
    },
    sent: () => [...sent],
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
