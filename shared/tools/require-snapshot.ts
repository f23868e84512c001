import { AppError } from '../domain/app-error.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import type { ToolContext } from './tool.ts';

/** The snapshot the gate already asked for. @throws AppError `denied` unavailable_here outside runs. */
export function requireSnapshot(context: ToolContext): Snapshot {
  if (context.snapshot !== undefined) return context.snapshot;
  throw new AppError({
    kind: 'denied',
    code: 'unavailable_here',
    message: 'Files can only be read inside a review run; use get_diff instead.',
  });
}
