import type { Finding } from '../domain/finding.ts';
import type { Thread } from '../domain/thread.ts';
import { bySeverity } from './decode-answer.ts';
import { comparable, jaccard } from './text-similarity.ts';
import type { ComparableText } from './text-similarity.ts';

export interface DuplicateFinding {
  readonly finding: Finding;
  /** `same_place` within the batch, `existing_thread` for something people can already read. */
  readonly reason: 'same_place' | 'existing_thread';
  /** Title of the surviving finding, or the id of the thread. */
  readonly matched: string;
}

export interface DedupedFindings {
  readonly kept: readonly Finding[];
  readonly duplicates: readonly DuplicateFinding[];
}

/** Strict thresholds against existing comments. */
const NEAR_LINES = 3;
const TITLE_ALIKE = 0.4;
const BODY_ALIKE = 0.6;
const TITLE_ALIKE_WITHOUT_FILE = 0.5;

/** Characters of a comment that are compared; strangers choose its length. */
const MAX_COMPARED = 4_000;

/** The opening comment of a thread. */
interface Spoken {
  readonly threadId: string;
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly title: ComparableText;
  readonly body: ComparableText;
}

/**
 * Leaves one finding of each problem, the most severe one. In the batch equal titles on one line fold; the same
 * code on two lines is two findings. Against threads, ours and others', similar words within three lines of the
 * same file count as said; a thread without a file is compared by its title; a missing line matches any line.
 */
export function dedupe(findings: readonly Finding[], threads: readonly Thread[]): DedupedFindings {
  const kept: Finding[] = [];
  const duplicates: DuplicateFinding[] = [];
  const places = new Map<string, Finding>();
  const spoken = groupByPath(threads);
  for (const finding of findings.toSorted(bySeverity)) {
    const place = JSON.stringify([finding.path, finding.side, finding.line, finding.title.toLowerCase()]);
    const survivor = places.get(place);
    if (survivor !== undefined) {
      duplicates.push({ finding, reason: 'same_place', matched: survivor.title });
      continue;
    }
    places.set(place, finding);
    const said = findSaid(finding, [...(spoken.get(finding.path) ?? []), ...(spoken.get(undefined) ?? [])]);
    if (said === undefined) kept.push(finding);
    else duplicates.push({ finding, reason: 'existing_thread', matched: said.threadId });
  }
  return { kept, duplicates };
}

function findSaid(finding: Finding, candidates: readonly Spoken[]): Spoken | undefined {
  if (candidates.length === 0) return undefined;
  const title = comparable(finding.title);
  const body = comparable(finding.body);
  return candidates.find((comment) => {
    const titles = jaccard(title, comment.title);
    if (comment.path === undefined) return titles >= TITLE_ALIKE_WITHOUT_FILE;
    const isNear =
      finding.line === null ||
      comment.line === undefined ||
      Math.abs(finding.line - comment.line) <= NEAR_LINES;
    return isNear && (titles >= TITLE_ALIKE || jaccard(body, comment.body) >= BODY_ALIKE);
  });
}

function groupByPath(threads: readonly Thread[]): ReadonlyMap<string | undefined, readonly Spoken[]> {
  const groups = new Map<string | undefined, Spoken[]>();
  for (const { id, path, line, comments } of threads) {
    const opening = comments[0];
    if (opening === undefined) continue;
    const group = groups.get(path) ?? [];
    group.push({ threadId: id, path, line, ...splitComment(opening.body) });
    groups.set(path, group);
  }
  return groups;
}

/** Title and body of a comment as people and tools write them: the first line that says something, then the rest. */
function splitComment(text: string): { readonly title: ComparableText; readonly body: ComparableText } {
  const lines = withoutComments(text.slice(0, MAX_COMPARED))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return { title: comparable(lines[0] ?? ''), body: comparable(lines.slice(1).join('\n')) };
}

/** Linear, unlike a regular expression over openings that never close. */
function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  return rest.reduce((kept, part) => {
    const end = part.indexOf('-->');
    return end === -1 ? kept : kept + part.slice(end + 3);
  }, first);
}
