import { describe, expect, it } from 'vitest';
import { createScriptedClient } from '../../../shared/llm/scripted-client.ts';
import { createPassTools } from '../../../shared/review/pass-tools.ts';
import { PUBLISH_POLICY } from '../../../shared/review/publish.ts';
import { publishingContext, readingContext } from '../../../shared/review/tool-contexts.ts';
import type { JobContext } from '../../../shared/sessions/ports.ts';
import { invokeTool } from '../../../shared/tools/invoke-tool.ts';
import { TOOLS } from '../../../shared/tools/registry.ts';
import { createRun, createWorld, providerOf } from './run-fixtures.ts';
import { silentLog } from './snapshot-fixtures.ts';

async function setUp() {
  const world = await createWorld({ 'src/a.ts': { before: 'a();\n', after: 'b();\n' } });
  const run = await createRun(world, createScriptedClient([]));
  const { signal } = new AbortController();
  const job: JobContext = {
    pr: world.pullRequest.ref,
    partitionKey: run.partitionKey,
    fence: 1,
    state: {},
    isProtected: false,
    signal,
    confirmBeforeWrite: async () => undefined,
  };
  const { pullRequest } = world;
  const place = { provider: providerOf(world), pullRequest, runId: 'run', job, log: silentLog, signal };
  const snapshot = {
    commit: pullRequest.headSha,
    listFiles: () => [],
    readText: async () => undefined,
    unreadable: [],
  };
  return {
    world,
    reading: readingContext(run.deps, place, world.changedFiles, snapshot),
    publishing: publishingContext(run.deps, place, world.changedFiles, PUBLISH_POLICY),
    [Symbol.asyncDispose]: () => run[Symbol.asyncDispose](),
  };
}

const INPUTS: Readonly<Record<string, unknown>> = {
  add_draft_comments: { comments: [{ path: 'src/a.ts', body: 'x', line: 1 }] },
  update_draft_comment: { id: 'x', body: 'y' },
  delete_draft_comment: { id: 'x' },
  delete_draft_review: {},
  submit_review: { action: 'comment', summary: 'x' },
  create_inline_thread: { path: 'src/a.ts', body: 'x', line: 1 },
  reply_to_thread: { threadId: 'x', body: 'y' },
  resolve_thread: { threadId: 'x' },
};
const WRITERS = TOOLS.filter(({ access }) => access === 'write').map(({ name }) => name);

describe('what a pass may do', () => {
  it.each(WRITERS)('the gate refuses %s even if the tool could be named', async (name) => {
    await using place = await setUp();
    const result = await invokeTool(place.reading, name, INPUTS[name]);
    expect(result).toMatchObject({ ok: false, code: 'not_allowed' });
    expect(place.world.reviews).toEqual([]);
  });

  it.each([...WRITERS, 'get_pull_request', 'list_threads', 'list_draft_review'])(
    'a pass knows no tool %s',
    async (name) => {
      await using place = await setUp();
      const result = await createPassTools(place.reading).invoke(name, INPUTS[name] ?? {});
      expect([result.isError, result.content.split(':')[0]]).toEqual([true, 'unknown_tool']);
    },
  );
});

describe('what publishing may do', () => {
  it.each(['approve', 'request_changes'])('never submits %s', async (action) => {
    await using place = await setUp();
    const result = await invokeTool(place.publishing, 'submit_review', { action, summary: 'x' });
    expect(result).toMatchObject({ ok: false, code: 'not_allowed' });
    expect(place.world.reviews).toEqual([]);
  });

  it.each(['create_inline_thread', 'reply_to_thread', 'resolve_thread'])(
    'has no right to %s',
    async (name) => {
      await using place = await setUp();
      expect(await invokeTool(place.publishing, name, INPUTS[name])).toMatchObject({ ok: false });
    },
  );
});
