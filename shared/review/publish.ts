import { AppError, isAppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/clock.ts';
import { SEVERITIES } from '../domain/finding.ts';
import type { Severity } from '../domain/finding.ts';
import type { PlacedFinding } from './anchor-findings.ts';
import { bySeverity } from './decode-answer.ts';
import { renderComment } from './render-comment.ts';
import { renderSummary } from './render-summary.ts';
import type { SummaryFacts } from './render-summary.ts';
import { isStaleCode } from './review-tools.ts';
import type { DraftItem, ReviewTools, SubmitAnswer } from './review-tools.ts';

export interface PublishPolicy {
  /** Findings below it are held back. */
  readonly minSeverity: Severity;
  /** Comments of one review, at most 100; the least severe ones beyond are held back. */
  readonly maxComments: number;
}

export const PUBLISH_POLICY: PublishPolicy = { minSeverity: 'low', maxComments: 40 };

/** What became of the findings that were handed to publish; the five numbers add up to them. */
export interface Published {
  readonly posted: number;
  readonly heldBack: number;
  readonly duplicates: number;
  readonly unanchored: number;
  readonly refused: number;
  /** Code of the refusal when everything was refused. */
  readonly refusedBy: string | undefined;
  readonly url: string | undefined;
}

export interface PublishInput {
  readonly findings: readonly PlacedFinding[];
  readonly policy: PublishPolicy;
  /** All but what only publishing knows. */
  readonly facts: Omit<SummaryFacts, 'comments' | 'belowMinimum' | 'overCap' | 'unanchored'>;
  /** Names the submission: the same in every attempt of a run. */
  readonly key: string;
}

const MAX_SUBMITS = 8;

/**
 * Posts one review through the gated tools: drafts first, then the submission with its text. A comment whose line
 * is refused is said in the text instead; a refusal of the whole leaves nothing behind and is counted.
 * @throws AppError `stale` when the head moved, `transient` when it must be tried again.
 */
export async function publish(
  tools: ReviewTools,
  clock: Clock,
  input: PublishInput,
  signal: AbortSignal,
): Promise<Published> {
  const { policy, facts } = input;
  const ordered = input.findings.toSorted(inReadingOrder);
  const wanted = ordered.filter(({ finding }) => isAtLeast(finding.severity, policy.minSeverity));
  const belowMinimum = ordered.length - wanted.length;
  const placeable = wanted.filter(({ anchor }) => anchor.kind !== 'summary');
  const chosen = placeable.slice(0, policy.maxComments);
  const overCap = placeable.length - chosen.length;
  try {
    const items = chosen.length === 0 ? [] : await tools.addComments(chosen.map(renderComment));
    const sorted = sortItems(chosen, items);
    const unanchored = [...wanted.filter(({ anchor }) => anchor.kind === 'summary'), ...sorted.withoutPlace];
    const { text, unanchoredShown } = renderSummary({
      ...facts,
      duplicates: facts.duplicates + sorted.duplicates,
      comments: sorted.accepted,
      belowMinimum,
      overCap,
      unanchored,
    });
    const answer = await submit(tools, clock, text, input.key, signal);
    return {
      posted: sorted.accepted - answer.refused.length,
      heldBack: belowMinimum + overCap + unanchored.length - unanchoredShown,
      duplicates: sorted.duplicates,
      unanchored: unanchoredShown,
      refused: sorted.refused + answer.refused.length,
      refusedBy: undefined,
      url: answer.url,
    };
  } catch (error) {
    if (!isAppError(error, 'denied')) throw error;
    const heldBack = belowMinimum + overCap;
    const refused = ordered.length - heldBack;
    return {
      posted: 0,
      heldBack,
      duplicates: 0,
      unanchored: 0,
      refused,
      refusedBy: error.code,
      url: undefined,
    };
  }
}

/** Calls until everything is out: a submission that was cut off goes on where it ended. */
async function submit(
  tools: ReviewTools,
  clock: Clock,
  summary: string,
  key: string,
  signal: AbortSignal,
): Promise<SubmitAnswer> {
  let answer = await tools.submit(summary, key);
  for (let calls = 1; !answer.done && calls < MAX_SUBMITS; calls += 1) {
    await clock.sleep(Math.min(answer.retryAfterMs ?? 1_000, 5_000), signal);
    answer = await tools.submit(summary, key);
  }
  if (answer.done) return answer;
  const code = answer.stoppedBy ?? 'review_unfinished';
  throw new AppError({
    kind: isStaleCode(code) ? 'stale' : 'transient',
    code,
    message: 'Part of the review is not published yet; it goes on later.',
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
  });
}

interface SortedItems {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  /** Comments that cannot stand where they wanted to. */
  readonly withoutPlace: readonly PlacedFinding[];
}

function sortItems(chosen: readonly PlacedFinding[], items: readonly DraftItem[]): SortedItems {
  const answered = new Map(items.map((item) => [item.index, item]));
  const withoutPlace: PlacedFinding[] = [];
  let accepted = 0;
  let duplicates = 0;
  let refused = 0;
  for (const [index, placed] of chosen.entries()) {
    const item = answered.get(index);
    if (item?.ok === true) accepted += 1;
    else if (item?.code === 'invalid_anchor') withoutPlace.push(placed);
    else if (item?.code === 'duplicate_comment') duplicates += 1;
    else refused += 1;
  }
  return { accepted, duplicates, refused, withoutPlace };
}

function isAtLeast(severity: Severity, minimum: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(minimum);
}

/** Worst first, then as a reader meets them; the same findings always in the same order. */
function inReadingOrder(left: PlacedFinding, right: PlacedFinding): number {
  return (
    bySeverity(left.finding, right.finding) ||
    compare(left.finding.path, right.finding.path) ||
    (left.anchor.line ?? 0) - (right.anchor.line ?? 0) ||
    compare(left.finding.title, right.finding.title)
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
