import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { APP_ROOT } from './support/app-settings.ts';

const Result = z.strictObject({
  outcome: z.string(),
  comments: z.array(
    z.strictObject({
      path: z.string(),
      line: z.number().nullable(),
      side: z.string(),
      severity: z.string(),
      title: z.string(),
    }),
  ),
  ackMs: z.number(),
  firstCommentMs: z.number().nullable(),
  totalMs: z.number(),
  files: z.number(),
});

function demo(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ANTHROPIC_API_KEY: '' };
    const child = spawn(process.execPath, ['infra/local/demo/main.ts', ...args], { cwd: APP_ROOT, env });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

describe('npm run demo', () => {
  it('posts the planted problems of the sample and prints them as one JSON object', async () => {
    const { code, out } = await demo('--json');
    const result = Result.parse(JSON.parse(lastLine(out)));
    expect(code).toBe(0);
    expect(result.outcome).toBe('posted');
    expect(result.comments.length).toBeGreaterThanOrEqual(3);
    expect(result.files).toBe(13);
  });

  it("runs on this repository's own history", async () => {
    const { code, out } = await demo('--json', '--repo', APP_ROOT, '--base', 'HEAD~1', '--head', 'HEAD');
    expect(code).toBe(0);
    expect(Result.parse(JSON.parse(lastLine(out))).outcome).not.toBe('failed');
  });

  it('says in one line what is wrong with a range, and exits 2', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'gatehouse-no-repository-'));
    try {
      const noRepository = await demo('--repo', empty, '--base', 'a', '--head', 'b');
      expect(noRepository.code).toBe(2);
      expect(noRepository.err.trimEnd().split('\n')).toHaveLength(1);
      expect(noRepository.err).toMatch(/^demo: .*not a git repository/);
    } finally {
      rmSync(empty, { recursive: true });
    }
    const noRef = await demo('--repo', APP_ROOT, '--base', 'no-such-ref', '--head', 'HEAD');
    expect(noRef.code).toBe(2);
    expect(noRef.err.trimEnd().split('\n')).toHaveLength(1);
    expect(noRef.err).toContain('no-such-ref');
  });

  it('says how to call it when options are missing or unknown, and exits 2', async () => {
    expect(await demo('--repo', '.')).toMatchObject({ code: 2, out: '' });
    expect(await demo('--nonsense')).toMatchObject({ code: 2, out: '' });
    expect(await demo('--provider', 'bitbucket')).toMatchObject({ code: 2, out: '' });
    expect((await demo('--help')).out).toMatch(/^npm run demo /);
  });
});
