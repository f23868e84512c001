import type { CodeLine } from './code-lines.ts';
import type { LineRange } from './line-map.ts';

/** Where evidence stands. `whole` is false when its first or last line is only a part of the file's line. */
export interface Occurrence extends LineRange {
  readonly whole: boolean;
  /** Lines between the claimed line and the range; 0 inside it. */
  readonly distance: number;
}

// Shorter fragments (a bracket, `if(`) stand on too many lines to prove anything.
const SHORTEST_FRAGMENT = 4;

/**
 * The best place of `evidence` (see evidenceCode) among consecutive `lines`: one that holds the claimed line, else
 * whole lines before fragments, then the nearest, then the first. Linear in lines plus evidence.
 */
export function findEvidence(
  lines: readonly CodeLine[],
  evidence: readonly string[],
  claimedLine: number,
): Occurrence | undefined {
  if (evidence.length === 0) return undefined;
  const whole = sequencePositions(lines, evidence);
  const best = nearest(lines, evidence.length, whole, true, claimedLine);
  if (best?.distance === 0) return best;
  const fragment = nearest(lines, evidence.length, fragmentPositions(lines, evidence), false, claimedLine);
  return fragment?.distance === 0 ? fragment : (best ?? fragment);
}

/** The better of two places, by the same order as findEvidence. */
export function betterOccurrence<T extends Occurrence>(
  left: T | undefined,
  right: T | undefined,
): T | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return rank(right) < rank(left) || (rank(right) === rank(left) && right.distance < left.distance)
    ? right
    : left;
}

function rank(place: Occurrence): number {
  if (place.distance === 0) return place.whole ? 0 : 1;
  return place.whole ? 2 : 3;
}

function nearest(
  lines: readonly CodeLine[],
  length: number,
  positions: readonly number[],
  whole: boolean,
  claimedLine: number,
): Occurrence | undefined {
  let best: Occurrence | undefined;
  for (const position of positions) {
    const first = lines[position];
    const last = lines[position + length - 1];
    if (first === undefined || last === undefined) continue;
    const distance = Math.max(first.line - claimedLine, claimedLine - last.line, 0);
    if (best === undefined || distance < best.distance) {
      best = { startLine: first.line, line: last.line, whole, distance };
    }
  }
  return best;
}

/** Knuth-Morris-Pratt over lines: a file of equal lines must not cost lines x evidence. */
function sequencePositions(lines: readonly CodeLine[], evidence: readonly string[]): number[] {
  const fallback = fallbackTable(evidence);
  const positions: number[] = [];
  let matched = 0;
  lines.forEach(({ code }, index) => {
    while (matched > 0 && (matched === evidence.length || evidence[matched] !== code)) {
      matched = fallback[matched - 1] ?? 0;
    }
    if (evidence[matched] === code) matched += 1;
    if (matched === evidence.length) positions.push(index - evidence.length + 1);
  });
  return positions;
}

function fallbackTable(evidence: readonly string[]): number[] {
  const table = [0];
  let matched = 0;
  for (let index = 1; index < evidence.length; index += 1) {
    while (matched > 0 && evidence[matched] !== evidence[index]) matched = table[matched - 1] ?? 0;
    if (evidence[matched] === evidence[index]) matched += 1;
    table.push(matched);
  }
  return table;
}

function fragmentPositions(lines: readonly CodeLine[], evidence: readonly string[]): number[] {
  const first = evidence[0] ?? '';
  const last = evidence[evidence.length - 1] ?? '';
  if (first.length < SHORTEST_FRAGMENT || last.length < SHORTEST_FRAGMENT) return [];
  const all = [...lines.keys()];
  if (evidence.length === 1) return all.filter((index) => lines[index]?.code.includes(first));
  const middle = evidence.slice(1, -1);
  const starts = middle.length === 0 ? all : sequencePositions(lines, middle).map((index) => index - 1);
  return starts.filter(
    (index) =>
      lines[index]?.code.endsWith(first) === true &&
      lines[index + evidence.length - 1]?.code.startsWith(last) === true,
  );
}
