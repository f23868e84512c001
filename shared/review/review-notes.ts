import { describeRemovals } from '../text-safety/strip-hidden-text.ts';
import type { HiddenTextRemoval } from '../text-safety/strip-hidden-text.ts';
import type { OpenedSnapshot } from './snapshot/open-snapshot.ts';
import type { EndedPass } from './run-passes.ts';

/** What readers of the review must know besides its findings, one plain sentence each. */
export function notesOf(
  snapshot: Pick<OpenedSnapshot, 'refusal'>,
  passes: readonly Pick<EndedPass, 'removed' | 'result'>[],
): string[] {
  const notes: string[] = [];
  if (snapshot.refusal !== undefined) {
    const why = snapshot.refusal.replaceAll('_', ' ');
    notes.push(`Code outside the change was read on demand only (${why}).`);
  }
  const removed = addUp(passes.flatMap((pass) => pass.removed));
  if (removed.length > 0) {
    notes.push(`Hidden text was found and not shown to the model: ${describeRemovals(removed)}.`);
  }
  if (passes.some(({ result }) => result.kind === 'answered' && result.injectionSuspected)) {
    notes.push('Text in this change or in the repository tries to give instructions to the reviewer.');
  }
  return notes;
}

function addUp(removals: readonly HiddenTextRemoval[]): HiddenTextRemoval[] {
  const counts = new Map<HiddenTextRemoval['kind'], number>();
  for (const { kind, count } of removals) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}
