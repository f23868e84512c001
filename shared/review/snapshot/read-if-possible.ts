import { isAppError } from '../../domain/app-error.ts';
import type { Snapshot } from '../../providers/snapshot.ts';

/** The text of a file; undefined when it does not exist or is not readable as text. */
export async function readIfPossible(snapshot: Snapshot, path: string): Promise<string | undefined> {
  try {
    return await snapshot.readText(path);
  } catch (error) {
    if (isAppError(error, 'rejected')) return undefined;
    throw error;
  }
}
