import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { ChangedFile, PullRequest } from '../../../shared/domain/pull-request.ts';
import type { Logger } from '../../../shared/observability/ports.ts';
import type { SnapshotSource, TreeEntry } from '../../../shared/providers/ports.ts';
import { createSnapshotBudget } from '../../../shared/review/snapshot/snapshot-budget.ts';
import type { SnapshotBudget } from '../../../shared/review/snapshot/snapshot-budget.ts';
import { openSnapshot } from '../../../shared/review/snapshot/open-snapshot.ts';
import { SNAPSHOT_LIMITS } from '../../../shared/review/snapshot/snapshot-limits.ts';
import type { SnapshotLimits } from '../../../shared/review/snapshot/snapshot-limits.ts';

export const silentLog: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };

export const PULL_REQUEST: PullRequest = {
  ref: { provider: 'github', instance: 'github', repositoryId: '1', number: 7, repository: 'o/r' },
  title: 't',
  description: '',
  state: 'open',
  isDraft: false,
  author: { id: '2', login: 'dev', isBot: false },
  isFork: false,
  headSha: 'a'.repeat(40),
  headRef: 'topic',
  baseSha: 'b'.repeat(40),
  baseRef: 'main',
  mergeBaseSha: 'b'.repeat(40),
  changedFiles: 1,
  webUrl: 'http://localhost/o/r/pull/7',
};

/** Computed here on its own, so that a test does not trust the code it tests. */
export function sha1Of(content: string | Uint8Array): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export function changed(
  path: string,
  content: string | Uint8Array,
  patch: Partial<ChangedFile> = {},
): ChangedFile {
  return { path, change: 'modified', blobSha: sha1Of(content), additions: 1, deletions: 0, ...patch };
}

export interface TarItem {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: 'file' | 'symlink' | 'link' | 'character-device' | 'directory' | 'fifo';
  readonly linkname?: string;
}

export async function tarGz(items: readonly TarItem[]): Promise<Uint8Array> {
  return gzipSync(await tarOf(items), { level: 1 });
}

export async function tarOf(items: readonly TarItem[]): Promise<Uint8Array> {
  const tar = pack();
  const chunks: Uint8Array[] = [];
  const read = (async () => {
    for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
  })();
  for (const { name, content = '', type = 'file', linkname } of items) {
    const header = { name, type, ...(linkname === undefined ? {} : { linkname }) };
    tar.entry({ ...header, size: Buffer.byteLength(content) }, Buffer.from(content));
  }
  tar.finalize();
  await read;
  return Buffer.concat(chunks);
}

/** A provider that holds blobs and a tree besides the archive, and counts what it is asked. */
export class FakeSource implements SnapshotSource {
  archives: (Uint8Array | AppError)[] = [];
  format: 'tar.gz' | 'zip' = 'tar.gz';
  readonly blobs = new Map<string, Uint8Array | AppError>();
  readonly tree = new Map<string, TreeEntry>();
  readonly calls: string[] = [];

  addFile(path: string, content: string | Uint8Array, size = true): void {
    const bytes = Buffer.from(content);
    const sha = sha1Of(bytes);
    this.blobs.set(sha, bytes);
    this.tree.set(path, { path, kind: 'file', sha, ...(size ? { size: bytes.length } : {}) });
  }

  async openArchive() {
    this.calls.push('archive');
    const next = this.archives.length > 1 ? this.archives.shift() : this.archives[0];
    if (next === undefined) throw new Error('no archive in the fixture');
    if (next instanceof AppError) throw next;
    return { body: new Blob([Buffer.from(next)]).stream(), format: this.format };
  }

  async readBlob(_ref: unknown, sha: string) {
    this.calls.push(`blob ${sha.slice(0, 7)}`);
    const blob = this.blobs.get(sha);
    if (blob instanceof AppError) throw blob;
    if (blob === undefined) throw new AppError({ kind: 'permanent', code: 'not_found', message: 'no blob' });
    return blob;
  }

  async findEntry(_ref: unknown, _commit: string, path: string) {
    this.calls.push(`entry ${path}`);
    return this.tree.get(path);
  }
}

export interface Opening {
  readonly limits?: Partial<SnapshotLimits>;
  readonly budget?: SnapshotBudget;
  readonly signal?: AbortSignal;
}

/** Opens a snapshot in a directory of its own that is removed, and must be empty, afterwards. */
export async function openForTest(
  source: SnapshotSource,
  files: readonly ChangedFile[],
  opening: Opening = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  let serial = 0;
  const budget = opening.budget ?? createSnapshotBudget();
  try {
    const snapshot = await openSnapshot(
      {
        source,
        budget,
        directory,
        random: { number: () => 0, hex: () => String((serial += 1)) },
        log: silentLog,
        limits: { ...SNAPSHOT_LIMITS, ...opening.limits },
      },
      PULL_REQUEST,
      files,
      opening.signal ?? AbortSignal.timeout(30_000),
    );
    return {
      snapshot,
      budget,
      directory,
      async [Symbol.asyncDispose]() {
        await snapshot[Symbol.asyncDispose]();
        await rm(directory, { recursive: true });
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true });
    throw error;
  }
}
