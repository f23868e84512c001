import type { NotReviewed, Outcome } from '../domain/run-outcome.ts';
import type { PlacedFinding } from './anchor-findings.ts';
import { titleOf } from './render-comment.ts';

/** What the text of a review is made of. */
export interface SummaryFacts {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly headSha: string;
  readonly filesReviewed: number;
  /** Comments that go out with this text. */
  readonly comments: number;
  readonly belowMinimum: number;
  readonly overCap: number;
  readonly duplicates: number;
  readonly notReviewed: readonly NotReviewed[];
  /** Findings that can be said only here, worst first. */
  readonly unanchored: readonly PlacedFinding[];
  /** Plain sentences: degraded coverage, hidden text, suspected instructions. */
  readonly notes: readonly string[];
}

export interface RenderedSummary {
  readonly text: string;
  /** How many of `unanchored`, from the first on, are in the text. */
  readonly unanchoredShown: number;
}

/** The tool takes 4,000 characters; masking may lengthen a little. */
const MAX_CHARACTERS = 3_800;
const MAX_NAMES = 8;
const MAX_NAME_CHARACTERS = 120;

/** The text of a review: how it ended, what was left out and why, and findings that have no line. */
export function renderSummary(facts: SummaryFacts): RenderedSummary {
  const points = [coverage(facts), ...heldBack(facts), ...facts.notes];
  if (facts.notReviewed.length > 0) points.push(`Not reviewed: ${listNames(facts.notReviewed)}.`);
  const list = points.map((point) => `- ${point}`).join('\n');
  let text = `**${headline(facts)}**\n\n${list}`.slice(0, MAX_CHARACTERS);
  let shown = 0;
  for (const placed of facts.unanchored) {
    const entry = `\n\n${describe(placed)}`;
    if (text.length + entry.length > MAX_CHARACTERS) break;
    text += entry;
    shown += 1;
  }
  return { text, unanchoredShown: shown };
}

/** The text of a review that could not be made. */
export function renderFailure(reason: string): string {
  return [
    '**The review failed**',
    '',
    `Gatehouse could not review this change (${reason.replaceAll('_', ' ')}). This says nothing about the change itself.`,
  ].join('\n');
}

function headline({ outcome, comments, unanchored }: SummaryFacts): string {
  const total = comments + unanchored.length;
  const found = total === 0 ? 'no new findings' : `${total} ${total === 1 ? 'finding' : 'findings'}`;
  switch (outcome) {
    case 'partial':
      return `Partial review: ${found}`;
    case 'failed':
      return 'The review failed';
    case 'clean':
      return 'No findings';
    default:
      return `${found.slice(0, 1).toUpperCase()}${found.slice(1)}`;
  }
}

function coverage({ outcome, reason, filesReviewed, headSha }: SummaryFacts): string {
  const commit = headSha.slice(0, 10);
  if (outcome === 'failed') {
    return `No part of ${commit} was reviewed (${reason.replaceAll('_', ' ')}). This says nothing about the change itself.`;
  }
  return `${filesReviewed} ${filesReviewed === 1 ? 'file' : 'files'} reviewed at ${commit}.`;
}

function heldBack({ belowMinimum, overCap, duplicates }: SummaryFacts): string[] {
  const parts: string[] = [];
  if (belowMinimum > 0) parts.push(`${belowMinimum} below the minimum severity`);
  if (overCap > 0) parts.push(`${overCap} over the limit of comments`);
  if (duplicates > 0) parts.push(`${duplicates} said before`);
  return parts.length === 0 ? [] : [`Held back: ${parts.join(', ')}.`];
}

function listNames(items: readonly NotReviewed[]): string {
  const shown = items
    .slice(0, MAX_NAMES)
    .map(({ what, reason }) => `${code(what)} (${reason.replaceAll('_', ' ')})`);
  const rest = items.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describe({ finding, isEvidenceFound }: PlacedFinding): string {
  const doubt = isEvidenceFound ? '' : ' (the quoted code was not found)';
  return `**${titleOf(finding)}** in ${code(finding.path)}${doubt}\n${finding.body.trim()}`;
}

/** A name as code: backticks and line ends in it would end the span. */
function code(name: string): string {
  const plain = name.replace(/[`\s]+/g, ' ').trim();
  return `\`${plain.length > MAX_NAME_CHARACTERS ? `${plain.slice(0, MAX_NAME_CHARACTERS)}...` : plain}\``;
}
