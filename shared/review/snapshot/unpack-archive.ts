import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import type { Header } from 'tar-stream';
import { isAppError } from '../../domain/app-error.ts';
import type { ArchiveStream } from '../../providers/ports.ts';
import { isSafePath, stripTopFolder } from './archive-path.ts';
import { gitBlobHash } from './blob-hash.ts';
import { unreadableContent } from './classify-content.ts';
import type { ContentStore, StoredContent } from './content-store.ts';
import type { SnapshotLimits } from './snapshot-limits.ts';

/** What the snapshot knows of one path. */
export type SnapshotEntry =
  | { readonly kind: 'text'; readonly content: StoredContent }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Why an archive was given up; the files are then read one by one. */
export type ArchiveRefusal =
  'archive_too_large' | 'archive_too_many_files' | 'archive_ratio' | 'archive_unreadable' | 'archive_format';

export interface UnpackedArchive {
  readonly entries: Map<string, SnapshotEntry>;
  /** Git blob hashes of the paths asked for, whatever their content is. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly refusal: ArchiveRefusal | undefined;
}

/** What we use of an entry stream. */
interface TarEntry extends AsyncIterable<unknown> {
  readonly header: Header;
  resume(): unknown;
}

class RefusedArchive extends Error {
  readonly refusal: ArchiveRefusal;
  constructor(refusal: ArchiveRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/**
 * Streams a gzipped tar into `store`, below its one top folder. `wanted` maps paths whose blob hash is needed to
 * the provider's hash. Never throws for what the archive contains: it is refused as a whole or entry by entry.
 * @throws AppError as the store and the signal do.
 */
export async function unpackArchive(
  archive: ArchiveStream,
  store: ContentStore,
  wanted: ReadonlyMap<string, string>,
  limits: SnapshotLimits,
  signal: AbortSignal,
): Promise<UnpackedArchive> {
  const entries = new Map<string, SnapshotEntry>();
  const hashes = new Map<string, string>();
  if (archive.format !== 'tar.gz') {
    await archive.body.cancel();
    return { entries, hashes, refusal: 'archive_format' };
  }
  const tar = extract();
  const flow = pipeline(Readable.fromWeb(archive.body), ...metered(limits), tar, { signal });
  // Awaited below; until then a failure here must not count as unhandled.
  flow.catch(() => undefined);
  try {
    let top: string | undefined;
    let files = 0;
    for await (const entry of tar) {
      signal.throwIfAborted();
      const { name, type } = entry.header;
      if (type === 'directory') {
        entry.resume();
        continue;
      }
      files += 1;
      if (files > limits.maxFiles) throw new RefusedArchive('archive_too_many_files');
      const place = stripTopFolder(name);
      top ??= place?.top;
      if (place === undefined || place.top !== top || !isSafePath(place.path)) {
        entry.resume();
        continue;
      }
      // A later entry of one path replaces the earlier one, as tar would.
      hashes.delete(place.path);
      const bytes = await readEntry(entry, limits.maxFileBytes);
      if (typeof bytes === 'string') {
        entries.set(place.path, { kind: 'unreadable', reason: bytes });
        continue;
      }
      const like = wanted.get(place.path);
      if (like !== undefined) hashes.set(place.path, gitBlobHash(bytes, like));
      entries.set(place.path, await storeContent(store, bytes));
    }
    await flow;
    return { entries, hashes, refusal: undefined };
  } catch (error) {
    tar.destroy();
    const cause = await flow.then(
      () => error,
      (failed: unknown) => (failed instanceof RefusedArchive ? failed : error),
    );
    signal.throwIfAborted();
    if (isAppError(cause)) throw cause;
    return {
      entries,
      hashes,
      refusal: cause instanceof RefusedArchive ? cause.refusal : 'archive_unreadable',
    };
  }
}

/** Keeps bytes that are text; everything else only leaves its reason. */
export async function storeContent(store: ContentStore, bytes: Uint8Array): Promise<SnapshotEntry> {
  const reason = unreadableContent(bytes);
  if (reason !== undefined) return { kind: 'unreadable', reason };
  return { kind: 'text', content: await store.write(bytes) };
}

/** Gunzip between two counters, which refuse the archive before its size or ratio can hurt. */
function metered(limits: SnapshotLimits) {
  let compressed = 0;
  let expanded = 0;
  return [
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        compressed += chunk.length;
        yield chunk;
      }
    },
    createGunzip(),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        expanded += chunk.length;
        if (expanded > limits.maxTotalBytes) throw new RefusedArchive('archive_too_large');
        if (expanded > limits.ratioFloorBytes && expanded > compressed * limits.maxRatio) {
          throw new RefusedArchive('archive_ratio');
        }
        yield chunk;
      }
    },
  ] as const;
}

/** The bytes of a regular file, or why they are not taken: nothing but regular files is ever followed or made. */
async function readEntry(entry: TarEntry, maxBytes: number): Promise<Uint8Array | string> {
  const { type, size } = entry.header;
  if (type !== 'file' && type !== 'contiguous-file') {
    entry.resume();
    return type === 'symlink' || type === 'link' ? 'link' : 'special_file';
  }
  if (size > maxBytes) {
    entry.resume();
    return 'too_large';
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}
