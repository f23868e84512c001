import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';

/** Where one file's bytes stand in the store. */
export interface StoredContent {
  readonly offset: number;
  readonly length: number;
}

/**
 * Contents of one snapshot, end to end in a single temporary file. Names out of an archive never reach the file
 * system, so there is nothing to escape from, to link to or to overwrite.
 */
export interface ContentStore extends AsyncDisposable {
  /** @throws AppError `transient` snapshot_budget_exhausted when other runs of this process hold the disk. */
  write(bytes: Uint8Array): Promise<StoredContent>;
  read(content: StoredContent): Promise<Uint8Array>;
}

const BUDGET_RETRY_MS = 30_000;

/** Opens an empty store below `directory`; `name` must be unique there. */
export async function openContentStore(
  directory: string,
  name: string,
  budget: SnapshotBudget,
): Promise<ContentStore> {
  const path = join(directory, name);
  const file = await open(path, 'wx+', 0o600);
  // Unlinked while open: the space comes back even when the process is killed. Where that is refused (Windows),
  // disposing removes the file.
  await rm(path, { force: true }).catch(() => undefined);
  let end = 0;
  let closed = false;

  return {
    async write(bytes) {
      if (!budget.tryReserve(bytes.length)) {
        throw new AppError({
          kind: 'transient',
          code: 'snapshot_budget_exhausted',
          message:
            'Other reviews use the disk set aside for repository snapshots; this one will be tried again.',
          retryAfterMs: BUDGET_RETRY_MS,
        });
      }
      const content = { offset: end, length: bytes.length };
      end += bytes.length;
      await file.write(bytes, 0, bytes.length, content.offset);
      return content;
    },
    async read({ offset, length }) {
      const bytes = new Uint8Array(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new Error('the snapshot store is shorter than its index');
        done += bytesRead;
      }
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      if (closed) return;
      closed = true;
      budget.release(end);
      await file.close();
      await rm(path, { force: true });
    },
  };
}
