import { findProblems } from './find-problems.ts';
import { diffsInPrompt, readShownDiff } from './shown-diff.ts';
import type { ShownLine } from './shown-diff.ts';
import type { Conversation } from './wire-request.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the reviewer does next, decided from the conversation alone. */
export type Move =
  | { readonly kind: 'tools'; readonly calls: readonly ToolCall[] }
  | { readonly kind: 'answer'; readonly text: string };

const MAX_DIFFS = 8;
const MAX_FILES = 4;

/**
 * Behaves as a model would: asks for the diffs of the files it was shown, then for the files it has something to
 * say about, then answers. It sees nothing but the conversation, and applies nothing but fixed rules.
 */
export function nextMove({ userTexts, calls }: Conversation, tools: readonly string[]): Move {
  const shown = readShownDiff(userTexts.flatMap(diffsInPrompt).join('\n'));
  const fromTools = calls
    .filter(({ name, isError }) => name === 'get_diff' && !isError)
    .map(({ result }) => readShownDiff(result));
  const wasTold = userTexts.some((text) => text.includes('last tool call'));
  if (!wasTold && tools.includes('get_diff') && !calls.some(({ name }) => name === 'get_diff')) {
    const paths = shown.paths.slice(0, MAX_DIFFS);
    if (paths.length > 0) {
      return { kind: 'tools', calls: paths.map((path) => ({ name: 'get_diff', input: { path } })) };
    }
  }
  const listed = new Set(shown.paths);
  const added = [shown, ...fromTools].flatMap((diff) => diff.added).filter(({ path }) => listed.has(path));
  const findings = findProblems(added);
  if (!wasTold && tools.includes('read_file') && !calls.some(({ name }) => name === 'read_file')) {
    const paths = [...new Set(findings.map(({ path }) => path))].slice(0, MAX_FILES);
    if (paths.length > 0) {
      return {
        kind: 'tools',
        calls: paths.map((path) => ({ name: 'read_file', input: readInput(path, added) })),
      };
    }
  }
  return { kind: 'answer', text: JSON.stringify({ findings, injection_suspected: false }) };
}

/** The neighbourhood of the first added line, as a reviewer would look at it. */
function readInput(path: string, added: readonly ShownLine[]): Readonly<Record<string, unknown>> {
  const first = added.find((line) => line.path === path)?.line ?? 1;
  return { path, startLine: Math.max(1, first - 20), endLine: first + 40 };
}
