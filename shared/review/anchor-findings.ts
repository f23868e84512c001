import type { AnchoredFinding, Finding } from '../domain/finding.ts';
import { anchorFinding } from '../diff/anchor.ts';
import type { AnchorResult } from '../diff/anchor.ts';
import { prepareFile } from '../diff/anchorable-file.ts';
import type { AnchorableFile } from '../diff/anchorable-file.ts';
import { fingerprintFinding } from '../diff/fingerprint.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import type { ReviewFile } from './review-file.ts';
import { readIfPossible } from './snapshot/read-if-possible.ts';

/** Texts on the anchor's side, without line ends. */
export interface AnchoredLines {
  /** From startLine to line. */
  readonly lines: readonly string[];
  /** The neighbours, where the same hunk shows them. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A finding with the place our own line maps gave it. */
export interface PlacedFinding extends AnchoredFinding {
  readonly reason: AnchorResult['reason'];
  /** False when the quoted code stands nowhere in the file. */
  readonly isEvidenceFound: boolean;
  /** Line of the evidence, also where the anchor is on the file; undefined when it was not found. */
  readonly evidenceLine: number | undefined;
  /** The lines under the anchor and around it; undefined unless the anchor is on lines. */
  readonly anchored: AnchoredLines | undefined;
}

/** Finds for every finding where its evidence stands. Every path must be one of `files`. */
export async function anchorFindings(
  findings: readonly Finding[],
  files: readonly ReviewFile[],
  snapshot: Snapshot,
): Promise<PlacedFinding[]> {
  const byPath = new Map(files.map((review) => [review.file.path, review]));
  const prepared = new Map<string, AnchorableFile>();
  const placed: PlacedFinding[] = [];
  for (const finding of findings) {
    const review = byPath.get(finding.path);
    if (review === undefined) throw new Error('a finding on a file that is not reviewed passed verification');
    const file = prepared.get(finding.path) ?? (await prepare(review, snapshot));
    prepared.set(finding.path, file);
    const { anchor, reason, verified, evidenceAt } = anchorFinding({ finding, file });
    placed.push({
      finding,
      anchor,
      reason,
      fingerprint: fingerprintFinding(finding),
      isEvidenceFound: verified,
      evidenceLine: evidenceAt?.line,
      anchored: linesOf(file, anchor),
    });
  }
  return placed;
}

async function prepare({ file, hunks }: ReviewFile, snapshot: Snapshot): Promise<AnchorableFile> {
  const { path, change } = file;
  if (change === 'deleted') return prepareFile({ path, change, hunks });
  const newText = await readIfPossible(snapshot, path);
  return prepareFile({ path, change, hunks, ...(newText === undefined ? {} : { newText }) });
}

function linesOf(
  { map }: AnchorableFile,
  { line, startLine, side }: AnchoredFinding['anchor'],
): AnchoredLines | undefined {
  if (line === undefined || map === undefined) return undefined;
  const first = startLine ?? line;
  const lines: string[] = [];
  for (let number = first; number <= line; number += 1) lines.push(map.lineAt(side, number)?.text ?? '');
  return { lines, before: map.lineAt(side, first - 1)?.text, after: map.lineAt(side, line + 1)?.text };
}
