import type { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';

/** @throws AppError `permanent` answer_unexpected: an answer of the right status without what we need in it. */
export function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  instance: string,
): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message:
      `An answer of instance ${instance} lacks what is needed from it (${issue?.path.join('.') ?? ''}). ` +
      'Check apiUrl of the instance and, for a Server, its version.',
    details: { instance, path: issue?.path.join('.') ?? '', issue: issue?.code ?? '' },
  });
}
