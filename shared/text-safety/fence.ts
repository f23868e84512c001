import type { RandomSource } from '../domain/clock.ts';
import { describeRemovals, stripHiddenText } from './strip-hidden-text.ts';
import type { HiddenTextRemoval, TextForm } from './strip-hidden-text.ts';
import { wellFormedStart } from './well-formed-start.ts';

export interface FenceInput {
  readonly text: string;
  /** What the text is, e.g. `pull request description`. May itself hold untrusted names. */
  readonly label: string;
  readonly form: TextForm;
  /** UTF-16 units of the text that are kept. */
  readonly maxLength: number;
  readonly random: RandomSource;
}

export interface FencedText {
  /** The whole block, ready for a prompt. */
  readonly text: string;
  readonly removed: readonly HiddenTextRemoval[];
  /** UTF-16 units that were cut off the end. */
  readonly cut: number;
}

const LABEL_LENGTH = 200;
const ATTEMPTS = 4;

/**
 * Puts untrusted text between two lines that it cannot forge: they carry 96 random bits drawn after the text was
 * known. Hidden text is stripped and the rest cut first; a note inside the block says what was done. The prompt
 * must tell the model that everything between the lines is data.
 *
 *     <untrusted-4f0c... label="pull request description">
 *     [note: removed 2 zero-width; cut 1200 characters]
 *     text
 *     </untrusted-4f0c...>
 */
export function fenceUntrusted(input: FenceInput): FencedText {
  const { text, removed } = stripHiddenText(input.text, input.form);
  const kept = wellFormedStart(text, input.maxLength);
  const cut = text.length - kept.length;
  const label = cleanLabel(input.label);
  const id = freshId(input.random, kept + label);
  const notes = [
    ...(removed.length > 0 ? [`removed ${describeRemovals(removed)}`] : []),
    ...(cut > 0 ? [`cut ${cut} characters`] : []),
  ];
  const lines = [
    `<untrusted-${id} label="${label.replaceAll(id, ' ')}">`,
    ...(notes.length > 0 ? [`[note: ${notes.join('; ')}]`] : []),
    // Only a source of randomness that repeats itself gets here with a match.
    kept.replaceAll(id, ' '),
    `</untrusted-${id}>`,
  ];
  return { text: lines.join('\n'), removed, cut };
}

/** A file name may hold quotes, line feeds and angle brackets; none may end the opening line. */
function cleanLabel(label: string): string {
  const visible = stripHiddenText(label, 'code').text.replace(/[\s<>"]+/g, ' ');
  return wellFormedStart(visible, LABEL_LENGTH);
}

function freshId(random: RandomSource, content: string): string {
  let value = random.hex(12);
  for (let attempt = 1; attempt < ATTEMPTS && content.includes(value); attempt += 1) value = random.hex(12);
  return value;
}
