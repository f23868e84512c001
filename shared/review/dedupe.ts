import type { Thread } from '../domain/thread.ts';
import type { PlacedFinding } from './anchor-findings.ts';
import { bySeverity } from './decode-answer.ts';
import { comparable, jaccard } from './text-similarity.ts';
import type { ComparableText } from './text-similarity.ts';

export interface DuplicateFinding {
  readonly placed: PlacedFinding;
  /** `same_place` within the batch, `existing_thread` for something people can already read. */
  readonly reason: 'same_place' | 'existing_thread';
  /** Fingerprint of the surviving finding, or the id of the thread. */
  readonly matched: string;
}

export interface DedupedFindings {
  readonly kept: readonly PlacedFinding[];
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

/** Within the batch, for findings on the same line. */
const BATCH_TITLE_ALIKE = 0.5;
const BATCH_BODY_ALIKE = 0.75;

/** A finding ready to be compared. */
interface Comparable {
  readonly placed: PlacedFinding;
  /** The line its code stands on; the claimed one where the code was not found. */
  readonly line: number | undefined;
  readonly title: ComparableText;
  readonly body: ComparableText;
}

/**
 * Leaves one finding of each problem, the most severe one, judged by the lines where the code really stands. In the
 * batch similar words on one line fold; the same code on two lines is two findings. Against threads, ours and
 * others', similar words within three lines of the same file count as said; a thread without a file is compared by
 * its title; a missing line matches any line.
 */
export function dedupe(findings: readonly PlacedFinding[], threads: readonly Thread[]): DedupedFindings {
  const kept: PlacedFinding[] = [];
  const duplicates: DuplicateFinding[] = [];
  const places = new Map<string, Comparable[]>();
  const spoken = groupByPath(threads);
  const ordered = findings.toSorted((left, right) => bySeverity(left.finding, right.finding));
  for (const candidate of ordered.map(prepare)) {
    const { placed } = candidate;
    const { anchor, finding } = placed;
    const place = JSON.stringify([finding.path, anchor.kind, anchor.side, candidate.line]);
    const others = places.get(place) ?? [];
    const survivor = others.find((other) => isAlike(candidate, other));
    if (survivor !== undefined) {
      duplicates.push({ placed, reason: 'same_place', matched: survivor.placed.fingerprint });
      continue;
    }
    places.set(place, [...others, candidate]);
    const said = [...(spoken.get(finding.path) ?? []), ...(spoken.get(undefined) ?? [])].find((comment) =>
      isSaid(candidate, comment),
    );
    if (said === undefined) kept.push(placed);
    else duplicates.push({ placed, reason: 'existing_thread', matched: said.threadId });
  }
  return { kept, duplicates };
}

function prepare(placed: PlacedFinding): Comparable {
  const { finding, anchor } = placed;
  const line = anchor.line ?? finding.line ?? undefined;
  return { placed, line, title: comparable(finding.title), body: comparable(finding.body) };
}

function isAlike(left: Comparable, right: Comparable): boolean {
  return (
    jaccard(left.title, right.title) >= BATCH_TITLE_ALIKE ||
    jaccard(left.body, right.body) >= BATCH_BODY_ALIKE
  );
}

function isSaid(candidate: Comparable, comment: Spoken): boolean {
  const titles = jaccard(candidate.title, comment.title);
  if (comment.path === undefined) return titles >= TITLE_ALIKE_WITHOUT_FILE;
  const isNear =
    candidate.line === undefined ||
    comment.line === undefined ||
    Math.abs(candidate.line - comment.line) <= NEAR_LINES;
  return isNear && (titles >= TITLE_ALIKE || jaccard(candidate.body, comment.body) >= BODY_ALIKE);
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
