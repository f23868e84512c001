import { createHash } from 'node:crypto';
import type { RandomSource } from '../domain/clock.ts';
import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { NotReviewed } from '../domain/run-outcome.ts';
import { renderDiff } from '../diff/render-diff.ts';
import type { TextBlock } from '../llm/ports.ts';
import type { AssembledRules } from '../rules/assemble-rules.ts';
import { fenceUntrusted } from '../text-safety/fence.ts';
import type { HiddenTextRemoval } from '../text-safety/strip-hidden-text.ts';
import { MAX_LINE_CHARACTERS } from './split-units.ts';
import type { ReviewUnit } from './split-units.ts';
import { SYSTEM_PROMPT, TASK } from './system-prompt.ts';

export interface AssembledPrompt {
  readonly system: readonly TextBlock[];
  readonly opening: readonly TextBlock[];
  /** Hex SHA-256 of what we tell the model: everything but the pull request's own text. */
  readonly promptSha: string;
  /** Hidden text that was taken out of what the model sees. */
  readonly removed: readonly HiddenTextRemoval[];
}

export interface PromptInput {
  readonly pullRequest: PullRequest;
  readonly rules: AssembledRules;
  readonly unit: ReviewUnit;
  /** Changed files, or parts of them, that this request does not show. */
  readonly notShown: readonly NotReviewed[];
  /** Randomness for the fence around `content`. */
  readonly fenceRandom: (content: string) => RandomSource;
}

const MAX_DESCRIPTION = 8_000;
const MAX_NAMES = 20_000;
const CACHE = { cache_control: { type: 'ephemeral' } } as const;

/** The request of one pass up to its first answer: what never changes first, the unit's diff last. */
export function assemblePrompt(input: PromptInput): AssembledPrompt {
  const { rules, unit } = input;
  const removed: HiddenTextRemoval[] = [];
  const fence = (label: string, text: string, form: 'markdown' | 'code', maxLength: number): string => {
    const fenced = fenceUntrusted({ label, text, form, maxLength, random: input.fenceRandom(text) });
    removed.push(...fenced.removed);
    return fenced.text;
  };
  const diff = unit.parts.map(({ file, hunks }) => showFile(file, hunks)).join('\n');
  const opening = [
    fence('pull request', describe(input.pullRequest), 'markdown', MAX_DESCRIPTION),
    ...(input.notShown.length === 0
      ? []
      : [fence('changed but not shown', listNames(input.notShown), 'code', MAX_NAMES)]),
    fence('diff', diff, 'code', diff.length),
  ].join('\n\n');
  const system = [
    { type: 'text', text: SYSTEM_PROMPT },
    { type: 'text', text: `The rules of this review:\n\n${rules.text}`, ...CACHE },
  ] as const;
  return {
    system,
    opening: [
      { type: 'text', text: opening, ...CACHE },
      { type: 'text', text: TASK },
    ],
    promptSha: createHash('sha256')
      .update(JSON.stringify([...system.map(({ text }) => text), TASK]))
      .digest('hex'),
    removed,
  };
}

/** One file as the tool get_diff shows it. */
function showFile(file: ChangedFile, hunks: ReviewUnit['parts'][number]['hunks']): string {
  // The unit was cut to size before; here nothing may go missing.
  const { text } = renderDiff(hunks, {
    maxChars: Number.MAX_SAFE_INTEGER,
    maxLineChars: MAX_LINE_CHARACTERS,
  });
  const from = file.previousPath === undefined ? '' : `, was ${oneLine(file.previousPath)}`;
  return `=== ${oneLine(file.path)} (${file.change}${from}, +${file.additions} -${file.deletions})\n${text}`;
}

function describe({ title, description, author, headRef, baseRef }: PullRequest): string {
  const lines = [`Title: ${oneLine(title)}`, `Author: ${oneLine(author.login)}`];
  lines.push(`Branch: ${oneLine(headRef)} into ${oneLine(baseRef)}`);
  lines.push(description.trim() === '' ? 'No description.' : `Description:\n${description}`);
  return lines.join('\n');
}

function listNames(files: readonly NotReviewed[]): string {
  return files.map(({ what, reason }) => `${oneLine(what)} (${reason})`).join('\n');
}

/** A path may hold line feeds, which would let it write lines of its own. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
