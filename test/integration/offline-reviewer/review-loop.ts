import { Secret } from '../../../shared/config/secret.ts';
import type { ChangedFile } from '../../../shared/domain/pull-request.ts';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';
import { renderDiff } from '../../../shared/diff/render-diff.ts';
import { createAnthropicClient } from '../../../shared/llm/anthropic-client.ts';
import { assemblePrompt } from '../../../shared/review/assemble-prompt.ts';
import { createFenceRandom } from '../../../shared/review/fence-random.ts';
import { runPass } from '../../../shared/review/run-pass.ts';
import type { PassTools } from '../../../shared/review/run-pass.ts';
import { aPullRequest, silentLog } from '../../unit/review/builders.ts';

export const API_KEY = 'offline-test-key';

export function addedFile(path: string, lines: readonly string[]): ChangedFile {
  const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`;
  return { path, change: 'added', additions: lines.length, deletions: 0, patch };
}

function tool(name: string) {
  return { name, description: name, input_schema: { type: 'object' } };
}

/** get_diff and read_file over the files of a test, in the form the real tools have. */
function toolsOver(files: readonly ChangedFile[], calls: string[]): PassTools {
  return {
    list: () => [tool('get_diff'), tool('read_file')],
    async invoke(name, args) {
      const path = typeof args === 'object' && args !== null && 'path' in args ? String(args.path) : '';
      calls.push(`${name} ${path}`);
      const file = files.find((candidate) => candidate.path === path);
      if (file === undefined) return { content: 'No such file.', isError: true };
      const { text } = renderDiff(parseHunks(file.patch ?? ''), { maxChars: 100_000 });
      return { content: `=== ${path} (added, +${file.additions} -0)\n${text}`, isError: false };
    },
  };
}

/** One pass over `files` with the real client against `url`. */
export async function reviewWith(url: string, files: readonly ChangedFile[], description = '') {
  const calls: string[] = [];
  const client = createAnthropicClient({
    apiKey: new Secret(API_KEY),
    baseUrl: new URL(url),
    log: silentLog,
    callTimeoutMs: 1_000,
  });
  const prompt = assemblePrompt({
    pullRequest: aPullRequest({ description }),
    rules: { text: 'Look well.', promptSha: '', packs: [] },
    unit: { id: 'unit-1', parts: files.map((file) => ({ file, hunks: parseHunks(file.patch ?? '') })) },
    notShown: [],
    fenceRandom: (content) => createFenceRandom(new Secret('fence'), content),
  });
  const input = {
    model: 'claude-sonnet-5-5',
    limits: { maxTurns: 6, maxOutputTokens: 4_000, maxTotalTokens: 1_000_000 },
    ...prompt,
  };
  const result = await runPass(
    { client, tools: toolsOver(files, calls) },
    input,
    AbortSignal.timeout(20_000),
  );
  return { result, calls };
}
