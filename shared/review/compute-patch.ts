import { formatPatch, structuredPatch } from 'diff';

const CONTEXT_LINES = 3;
/** Two texts that share nothing can cost the square of their length; such a change is not read line by line. */
const MAX_MILLISECONDS = 5_000;

/**
 * Hunks between two texts in the form providers give them: unified, without file headers. Empty when the texts are
 * equal; undefined when they are too different to compare in time.
 */
export function computePatch(oldText: string, newText: string): string | undefined {
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: MAX_MILLISECONDS,
  });
  if (patch === undefined) return undefined;
  if (patch.hunks.length === 0) return '';
  const text = formatPatch(patch);
  return text.slice(text.indexOf('@@ '));
}
