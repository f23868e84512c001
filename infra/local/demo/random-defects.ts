import type { Language, RuleId } from './rule-examples.ts';
import { RULE_EXAMPLES } from './rule-examples.ts';
import type { Picker } from './random-source-lines.ts';

export interface DefectLine {
  readonly rule: RuleId;
  readonly line: string;
}

const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Lines that break a rule in files without a known language: only rules for every text apply there. */
const TEXT_DEFECTS: readonly DefectLine[] = [
  { rule: 'committed-secret', line: 'access-key: AKIAIOSFODNN7EXAMPLE' },
  { rule: 'conflict-marker', line: '<<<<<<< HEAD' },
];

function candidates(language: Language | undefined): readonly DefectLine[] {
  if (language === undefined) return TEXT_DEFECTS;
  return RULE_EXAMPLES.flatMap(({ rule, examples }) =>
    examples
      .filter((example) => example.language === language || rule === 'conflict-marker')
      .map((example) => ({ rule, line: example.line })),
  );
}

/** A random line that breaks exactly one rule in this language, with a key of its own where it holds one. */
export function randomDefect(picker: Picker, language: Language | undefined): DefectLine {
  const [first, ...others] = candidates(language);
  if (first === undefined) throw new Error(`no rule applies to ${language ?? 'text'}`);
  const { rule, line } = picker.pick([first, ...others]);
  return {
    rule,
    line: line.replace('IOSFODNN7EXAMPLE', () => picker.text(16, KEY_ALPHABET)),
  };
}

/** A line that looks like a defect and is none; undefined when there is no such line for the language. */
export function randomLookalike(picker: Picker, language: Language | undefined): string | undefined {
  const lines = RULE_EXAMPLES.flatMap((example) => example.lookalikes)
    .filter((lookalike) => lookalike.language === language)
    .map((lookalike) => lookalike.line);
  const [first, ...others] = lines;
  return first === undefined ? undefined : picker.pick([first, ...others]);
}
