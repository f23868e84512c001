import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHubStack, type GitHubStack } from '../../infra/local/stack/github-stack.ts';
import { startLocalStack, type LocalStack } from '../../infra/local/stack/start-local-stack.ts';
import { createRepository, type TestRepository } from '../support/git.ts';
import { QUICK_HOST } from './support/quick-host.ts';
import { reviewRange } from './support/review-range.ts';

const KEY_LINE = "export const key = 'AKIAIOSFODNN7EXAMPLE';\n";
const NAME = 'acme/ranges';

let repository: TestRepository;
let stack: LocalStack<GitHubStack>;
let base: string;

/** Commits a change on a branch of its own, measured from the common base. */
function change(edit: () => void): string {
  repository.git('checkout', '--quiet', '--detach', base);
  edit();
  return repository.commit('change');
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `export const n${index} = ${index};\n`).join('');

beforeAll(async () => {
  repository = createRepository();
  repository.write('src/old-name.ts', numbered(40));
  repository.write('src/doomed.ts', `${KEY_LINE}${numbered(3)}`);
  repository.write('logo.bin', new Uint8Array([0, 1, 2, 3, 255, 0, 9]));
  repository.write('.gitattributes', 'internal/** export-ignore\n');
  repository.write('internal/tool.ts', numbered(5));
  repository.write('tail.ts', 'export const tail = 1;');
  base = repository.commit('base');
  stack = await startLocalStack({
    startProvider: startGitHubStack,
    repositories: [{ dir: repository.directory, fullName: NAME }],
    model: { kind: 'offline' },
    hostJsonFile: QUICK_HOST,
  });
});

afterAll(async () => {
  await stack.stop();
  repository.dispose();
});

describe('a change of every kind ends with the outcome that its content calls for', () => {
  const review = (head: string) => reviewRange(stack, { repository: NAME, base, head });

  it('comments on the new path of a renamed file', async () => {
    const head = change(() => {
      repository.git('mv', 'src/old-name.ts', 'src/new-name.ts');
      repository.write('src/new-name.ts', `${numbered(40)}${KEY_LINE}`);
    });
    expect(await review(head)).toMatchObject({ outcome: 'posted', places: ['src/new-name.ts:41'] });
  });

  it('says nothing about what a deletion removes', async () => {
    const head = change(() => repository.remove('src/doomed.ts'));
    const { outcome, places } = await review(head);
    expect({ outcome, places }).toEqual({ outcome: 'skipped', places: [] });
  });

  it('skips a change that is only a binary file', async () => {
    const head = change(() => repository.write('logo.bin', new Uint8Array([0, 9, 9, 9, 0])));
    expect(await review(head)).toMatchObject({
      outcome: 'skipped',
      reason: 'nothing_reviewable',
      places: [],
    });
  });

  it('finds the line in a file that ends without a newline', async () => {
    const head = change(() => repository.write('tail.ts', `export const tail = 1;\n${KEY_LINE.trimEnd()}`));
    expect(await review(head)).toMatchObject({ outcome: 'posted', places: ['tail.ts:2'] });
  });

  it('comments on a path outside ASCII', async () => {
    const head = change(() => repository.write('Größe/größe – ja.ts', `\n${KEY_LINE}`));
    expect(await review(head)).toMatchObject({ outcome: 'posted', places: ['Größe/größe – ja.ts:2'] });
  });

  it('reviews a file that the archive leaves out', async () => {
    const head = change(() => repository.write('internal/tool.ts', `${numbered(5)}${KEY_LINE}`));
    expect(await review(head)).toMatchObject({ outcome: 'posted', places: ['internal/tool.ts:6'] });
  });

  it('reviews 300 files and posts every finding on its line', async () => {
    const head = change(() => {
      for (let index = 0; index < 300; index += 1) {
        const isPlanted = index % 100 === 50;
        repository.write(`many/file-${index}.ts`, `${numbered(3)}${isPlanted ? KEY_LINE : ''}`);
      }
    });
    expect(await review(head)).toMatchObject({
      outcome: 'posted',
      places: ['many/file-150.ts:4', 'many/file-250.ts:4', 'many/file-50.ts:4'],
    });
  });

  it('ends clean and says so without a comment when there is nothing to say', async () => {
    const head = change(() => repository.write('src/fresh.ts', numbered(10)));
    const { outcome, places, summaries } = await review(head);
    expect({ outcome, places, summaries: summaries.length }).toEqual({
      outcome: 'clean',
      places: [],
      summaries: 1,
    });
    expect(summaries[0]).toContain('**No findings**');
  });

  it('leaves a draft alone', async () => {
    const head = change(() => repository.write('src/fresh.ts', KEY_LINE));
    const seen = stack.records().length;
    const { simulator } = stack.provider;
    const { number } = await simulator.createPullRequest({
      repository: NAME,
      base,
      head,
      title: 'A draft',
      author: 'dana',
      draft: true,
    });
    const delivery = await simulator.deliverWebhook({
      event: 'pull_request',
      action: 'opened',
      repository: NAME,
      number,
    });
    expect(delivery.statusCode).toBe(200);
    expect(JSON.parse(delivery.responseBody)).toEqual({ accepted: false, reason: 'draft' });
    expect(
      stack
        .records()
        .slice(seen)
        .map(({ event }) => event),
    ).not.toContain('job.started');
  });

  it('posts one review whose first line is the marker and whose first words are the disclaimer', async () => {
    const head = change(() => repository.write('src/fresh.ts', `${KEY_LINE}debugger;\n`));
    const { summaries, comments } = await review(head);
    expect(summaries).toHaveLength(1);
    expect(summaries[0]).toMatch(
      /^<!-- gatehouse:[0-9a-f]{24} -->\nThis review was written by an automated reviewer\./,
    );
    expect(new Set(comments.map(({ reviewId }) => reviewId)).size).toBe(1);
    expect(comments.map(({ author }) => author)).toEqual(['gatehouse-local[bot]', 'gatehouse-local[bot]']);
  });

  it('never repeats a secret in what it posts', async () => {
    const head = change(() => repository.write('src/fresh.ts', KEY_LINE));
    const { comments, summaries } = await review(head);
    expect(comments).toHaveLength(1);
    expect(JSON.stringify([comments, summaries])).not.toContain('AKIAIOSFODNN7EXAMPLE');
  });
});
