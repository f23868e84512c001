import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import { REPOSITORY, createSimulatorWorld } from '../../fixtures/github/simulator-world.ts';

function blobHash(content: string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

describe('files of the simulated GitHub', () => {
  let world: SimulatorWorld;
  beforeAll(async () => {
    world = await createSimulatorWorld({ limits: { maxJsonContentBytes: 20, maxTreeEntries: 15 } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const contents = (path: string, accept?: string) =>
    world.call('GET', `${REPOSITORY}/contents/${path}?ref=${world.head}`, {
      headers: accept === undefined ? {} : { accept },
    });

  it('gives a file as Base64 with its blob hash', async () => {
    const { body } = await contents('end.txt');
    expect([body.type, body.encoding, Buffer.from(body.content, 'base64').toString()]).toEqual([
      'file',
      'base64',
      'one\ntwo',
    ]);
    expect(body.sha).toBe(blobHash('one\ntwo'));
  });

  it('gives raw bytes on demand, and no content in JSON above the limit', async () => {
    const large = await contents('src/app.ts');
    expect([large.body.encoding, large.body.content]).toEqual(['none', '']);
    const raw = await contents('src/app.ts', 'application/vnd.github.raw+json');
    expect(raw.body.startsWith('1\n2\n3\n')).toBe(true);
  });

  it('finds paths with spaces, hashes and umlauts', async () => {
    const path = ['docs', 'ein Überblick #1.md'].map(encodeURIComponent).join('/');
    const { body } = await contents(path);
    expect([body.path, Buffer.from(body.content, 'base64').toString()]).toEqual([
      'docs/ein Überblick #1.md',
      'alpha\nbeta\n',
    ]);
  });

  it('lists a directory and calls a submodule a file there', async () => {
    const { body } = await contents('vendor');
    expect(body.map((entry: { path: string; type: string }) => [entry.path, entry.type])).toEqual([
      ['vendor/lib', 'file'],
    ]);
    expect((await contents('vendor/lib')).body.type).toBe('submodule');
  });

  it('follows a link to a file', async () => {
    const { body } = await contents('config-link');
    expect([body.type, body.path]).toEqual(['file', 'end.txt']);
  });

  it('answers 404 for a path or a reference that is not there', async () => {
    expect((await contents('no-such-file')).status).toBe(404);
    const answer = await world.call('GET', `${REPOSITORY}/contents/end.txt?ref=no-such-branch`);
    expect([answer.status, answer.body.message]).toEqual([404, 'No commit found for the ref no-such-branch']);
  });

  it('serves blobs as Base64 and raw', async () => {
    const sha = blobHash('alpha\nbeta\n');
    const json = await world.call('GET', `${REPOSITORY}/git/blobs/${sha}`);
    expect([json.body.size, json.body.encoding, json.body.content]).toEqual([
      11,
      'base64',
      'YWxwaGEKYmV0YQo=',
    ]);
    const raw = await world.call('GET', `${REPOSITORY}/git/blobs/${sha}`, {
      headers: { accept: 'application/vnd.github.raw+json' },
    });
    expect(raw.body).toBe('alpha\nbeta\n');
    expect((await world.call('GET', `${REPOSITORY}/git/blobs/${'0'.repeat(40)}`)).status).toBe(404);
    // A commit is no blob.
    expect((await world.call('GET', `${REPOSITORY}/git/blobs/${world.head}`)).status).toBe(404);
  });

  it('lists trees, recursive for any value, and says when it cut the list', async () => {
    const flat = await world.call('GET', `${REPOSITORY}/git/trees/${world.head}`);
    expect(flat.body.truncated).toBe(false);
    expect(flat.body.tree.find((entry: { path: string }) => entry.path === 'src').type).toBe('tree');
    const deep = await world.call('GET', `${REPOSITORY}/git/trees/${world.head}?recursive=0`);
    expect([deep.body.truncated, deep.body.tree.length]).toEqual([true, 15]);
    const submodule = await world.call('GET', `${REPOSITORY}/git/trees/${world.base}:vendor`);
    expect(submodule.status).toBe(404);
  });

  it('shows a commit with its tree and parents', async () => {
    const { body } = await world.call('GET', `${REPOSITORY}/git/commits/${world.head}`);
    expect([body.message, body.parents[0].sha, body.author.name]).toEqual(['Head', world.base, 'Ada Author']);
    const tree = world.repository.git('rev-parse', `${world.head}^{tree}`).trim();
    expect(body.tree.sha).toBe(tree);
  });
});
