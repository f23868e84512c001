import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfflineReviewer } from '../../../infra/local/simulators/offline-reviewer/start-offline-reviewer.ts';
import type { OfflineReviewer } from '../../../infra/local/simulators/offline-reviewer/start-offline-reviewer.ts';
import { Secret } from '../../../shared/config/secret.ts';
import { createAnthropicClient } from '../../../shared/llm/anthropic-client.ts';
import type { ModelClient } from '../../../shared/llm/ports.ts';
import { createRun, createWorld, placesOf, settledOf } from './run-fixtures.ts';
import type { FileChange, World } from './run-fixtures.ts';
import { silentLog } from './snapshot-fixtures.ts';

const OLD_HEAD = 'a'.repeat(40);
const NEW_HEAD = 'c'.repeat(40);

const A_BEFORE = 'export function a() {\n  return 1;\n}\n';
const B_BEFORE = 'export const b = 1;\n';

/** One finding in each file. */
const FIRST: Readonly<Record<string, FileChange>> = {
  'src/a.ts': { before: A_BEFORE, after: 'export function a() {\n  debugger;\n  return 1;\n}\n' },
  'src/b.ts': { before: B_BEFORE, after: 'export const b = 1;\ndebugger;\n' },
};
/** The first stands two lines further down, the second is gone. */
const SECOND: Readonly<Record<string, FileChange>> = {
  'src/a.ts': {
    before: A_BEFORE,
    after: '// one\n// two\nexport function a() {\n  debugger;\n  return 1;\n}\n',
  },
  'src/b.ts': { before: B_BEFORE, after: 'export const b = 2;\n' },
};

let reviewer: OfflineReviewer;
beforeEach(async () => {
  reviewer = await startOfflineReviewer({ apiKey: 'key' });
});
afterEach(async () => {
  await reviewer.stop();
});

/** The author pushes while the model thinks. */
function pushingModel(push: () => void): ModelClient {
  const client = createAnthropicClient({
    apiKey: new Secret('key'),
    baseUrl: new URL(reviewer.url),
    log: silentLog,
  });
  return {
    create(request, signal) {
      push();
      return client.create(request, signal);
    },
  };
}

async function pushedDuringReview(isProtected: boolean) {
  const world: World = await createWorld(FIRST);
  const next = await createWorld(SECOND);
  const push = (): void => {
    world.pullRequest = { ...next.pullRequest, headSha: NEW_HEAD };
    world.changedFiles.splice(0, world.changedFiles.length, ...next.changedFiles);
    for (const [sha, blob] of next.source.blobs) world.source.blobs.set(sha, blob);
    for (const [path, entry] of next.source.tree) world.source.tree.set(path, entry);
    world.source.archives = next.source.archives;
  };
  await using run = await createRun(world, pushingModel(push));
  const result = await run.run('review.full', { isProtected }).catch((error: unknown) => error);
  return { world, result };
}

describe('an author who pushes faster than a review still gets one', () => {
  it('posts a protected run on the newest head, only what still stands in it', async () => {
    const { world, result } = await pushedDuringReview(true);
    const { report } = settledOf(result as Parameters<typeof settledOf>[0]);
    expect(placesOf(world)).toEqual(['src/a.ts:4']);
    expect(world.reviews.map(({ commit }) => commit)).toEqual([NEW_HEAD]);
    expect(world.reviews[0]?.body).toContain('New commits came during the review');
    expect(report).toMatchObject({
      outcome: 'posted',
      headSha: OLD_HEAD,
      counts: { verified: 2, posted: 1, heldBack: 1, duplicates: 0, unanchored: 0, refused: 0 },
    });
  });

  it('posts nothing of any other run once the head has moved', async () => {
    const { world, result } = await pushedDuringReview(false);
    expect(result).toMatchObject({ kind: 'stale' });
    expect(world.reviews).toEqual([]);
  });
});
