import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../shared/tools/registry.ts';
import { inputJsonSchema, outputJsonSchema } from '../../../shared/tools/tool-schema.ts';
import { CAPABILITIES, type ToolContext } from '../../../shared/tools/tool.ts';
import { createFakeProvider, createWorld } from './fake-provider.ts';
import { createFakeSnapshot, FULL_GRANT, setUp } from './fixture.ts';

/** An input that each tool takes, so that nothing but the gate can refuse it. */
const INPUTS: Readonly<Record<string, unknown>> = {
  get_pull_request: {},
  get_diff: {},
  list_threads: {},
  get_review_context: {},
  list_draft_review: {},
  read_file: { path: 'src/app.ts' },
  search_code: { query: 'x' },
  list_files: {},
  add_draft_comments: { comments: [{ path: 'src/app.ts', line: 2, body: 'B' }] },
  update_draft_comment: { id: 'e0b107f9-1', body: 'B' },
  delete_draft_comment: { id: 'e0b107f9-1' },
  delete_draft_review: {},
  submit_review: { action: 'comment', summary: 'S' },
  create_inline_thread: { path: 'src/app.ts', line: 2, body: 'B' },
  reply_to_thread: { threadId: 't1', body: 'B' },
  resolve_thread: { threadId: 't1' },
};

const TABLE = TOOLS.map((tool) => [tool.name, tool] as const);
const READING = TABLE.filter(([, tool]) => tool.access === 'read');
const WRITING = TABLE.filter(([, tool]) => tool.access === 'write');

describe('every tool', () => {
  it('is one of the 16 of the design, each once', () => {
    expect(TOOLS.map((tool) => tool.name).toSorted()).toEqual(Object.keys(INPUTS).toSorted());
  });

  it.each(TABLE)('%s says what it is, for a model', (name, tool) => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+){1,3}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(tool.title).toMatch(/^[A-Z][a-z ]{4,40}$/);
    expect(tool.description.length).toBeGreaterThan(100);
    expect(tool.description.length).toBeLessThan(700);
    expect(tool.description).toMatch(/\.$/);
  });

  it.each(READING)('%s reads, needs nothing for it, costs nothing and destroys nothing', (_name, tool) => {
    expect(tool).toMatchObject({ access: 'read', needs: 'read' });
    expect([tool.spends, tool.destructive]).toEqual([undefined, undefined]);
  });

  it.each(WRITING)(
    '%s writes, needs one capability, and is paid for when people can see it at once',
    (_name, tool) => {
      expect(CAPABILITIES).toContain(tool.needs);
      expect(tool.spends === true).toBe(tool.needs !== 'draft');
    },
  );

  it.each(TABLE)('%s takes and gives one strict object, without combinators at the top', (_name, tool) => {
    for (const schema of [inputJsonSchema(tool), outputJsonSchema(tool)]) {
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      for (const word of ['anyOf', 'oneOf', 'allOf', 'not', '$schema', '$ref'])
        expect(schema).not.toHaveProperty(word);
    }
  });

  it.each(TABLE)('%s describes every input that is not plain from its name', (_name, tool) => {
    const { properties } = inputJsonSchema(tool) as {
      properties: Record<string, { description?: string; type?: string }>;
    };
    for (const [field, schema] of Object.entries(properties)) {
      if (schema.type === 'array') continue;
      expect(schema.description, field).toMatch(/\.$/);
    }
  });

  it.each(TABLE)('%s takes no argument that could name another pull request', (_name, tool) => {
    const { properties } = inputJsonSchema(tool) as { properties: object };
    expect(
      Object.keys(properties).filter((field) => /repo|number|owner|project|instance|url|pull/i.test(field)),
    ).toEqual([]);
  });

  it.each(TABLE)('%s refuses fields it does not know, without repeating them', async (name) => {
    const { call, world } = setUp({ snapshot: createFakeSnapshot({}) });
    const args = { ...(INPUTS[name] as object), ghp_secretSecretSecretSecret: 1 };
    const result = await call(name, args);
    expect(result).toMatchObject({ ok: false, code: 'invalid_input' });
    expect(JSON.stringify(result)).not.toContain('ghp_');
    expect(world.writes).toEqual([]);
  });

  it.each(TABLE)('%s is refused for an expired grant and out of scope', async (name) => {
    const { call, world } = setUp({ snapshot: createFakeSnapshot({}) });
    const args = INPUTS[name];
    const expired = { ...FULL_GRANT, expiresAt: 1 };
    expect(await call(name, args, { grant: expired })).toMatchObject({ ok: false, code: 'not_allowed' });
    const elsewhere = { ...FULL_GRANT, repositories: ['other/*'] };
    expect(await call(name, args, { grant: elsewhere })).toMatchObject({ ok: false, code: 'out_of_scope' });
    expect(world.writes).toEqual([]);
  });
});

describe('every writing tool', () => {
  const refusals: [string, Partial<ToolContext>, string][] = [
    ['while writes are stopped', { writesStopped: true }, 'writes_stopped'],
    ['without its capability', { grant: { ...FULL_GRANT, capabilities: [] } }, 'not_allowed'],
  ];
  for (const [when, changes, code] of refusals)
    it.each(WRITING)(`%s is refused ${when}, and stores nothing`, async (name) => {
      const { call, world, table, context } = setUp();
      expect(await call(name, INPUTS[name], changes)).toMatchObject({ ok: false, code });
      expect(world.writes).toEqual([]);
      expect(await table.range(context.partitionKey, 'a', 'z')).toEqual([]);
    });

  it.each(WRITING.filter(([, tool]) => tool.spends === true))(
    '%s is refused where the provider lacks what it needs',
    async (name) => {
      const world = createWorld();
      const { call } = setUp({ world, provider: createFakeProvider(world, []) });
      expect(await call(name, INPUTS[name])).toMatchObject({ ok: false, code: 'unavailable_here' });
    },
  );
});

describe('every tool for files', () => {
  it.each(['read_file', 'search_code', 'list_files'])('%s is refused outside runs', async (name) => {
    expect(await setUp().call(name, INPUTS[name])).toEqual({
      ok: false,
      code: 'unavailable_here',
      message: 'Files can only be read inside a review run; use get_diff instead.',
    });
  });
});
