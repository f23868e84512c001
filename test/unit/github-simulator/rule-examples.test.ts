import { describe, expect, it } from 'vitest';
import type { Language } from '../../../infra/local/demo/rule-examples.ts';
import {
  RULE_EXAMPLES,
  RULE_IDS,
  languageOf,
  matchingRules,
} from '../../../infra/local/demo/rule-examples.ts';
import { createPicker, harmlessLine } from '../../../infra/local/demo/random-source-lines.ts';
import { randomDefect } from '../../../infra/local/demo/random-defects.ts';
import { createSeededRandom } from '../../../infra/local/demo/seeded-random.ts';

const PATHS: Readonly<Record<Language, string>> = {
  typescript: 'src/a.ts',
  javascript: 'src/a.mjs',
  python: 'a.py',
  csharp: 'A.cs',
};
const rulesOf = (path: string, line: string): string[] => matchingRules(path, line).map(({ rule }) => rule);

describe('the catalogue of deterministic rules', () => {
  it('has every rule once', () => {
    expect(RULE_EXAMPLES.map(({ rule }) => rule)).toEqual([...RULE_IDS]);
  });

  const examples = RULE_EXAMPLES.flatMap(({ rule, examples: lines }) =>
    lines.map(({ language, line }) => ({ rule, language, line })),
  );
  it.each(examples)(
    '$rule matches $line in $language, and no other rule does',
    ({ rule, language, line }) => {
      expect(rulesOf(PATHS[language], line)).toEqual([rule]);
    },
  );

  const lookalikes = RULE_EXAMPLES.flatMap(({ lookalikes: lines }) => lines);
  it.each(lookalikes)('nothing matches $line in $language', ({ language, line }) => {
    expect(rulesOf(PATHS[language], line)).toEqual([]);
  });

  it('looks at code in code files alone, at secrets and conflicts everywhere', () => {
    expect(rulesOf('notes.md', '  debugger;')).toEqual([]);
    expect(rulesOf('notes.md', 'key: AKIAIOSFODNN7EXAMPLE')).toEqual(['committed-secret']);
    expect(rulesOf('data.yml', '<<<<<<< HEAD')).toEqual(['conflict-marker']);
    expect(rulesOf('Dockerfile', 'RUN eval(input)')).toEqual([]);
  });

  it.each([
    ['src/a.ts', 'typescript'],
    ['a.test.tsx', 'typescript'],
    ['x/y.JS', 'javascript'],
    ['m.py', 'python'],
    ['A.cs', 'csharp'],
    ['README.md', undefined],
    ['Makefile', undefined],
  ])('knows the language of %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  it('never takes a harmless random line for a defect, and every random defect for its own rule', () => {
    const picker = createPicker(createSeededRandom(7));
    for (const path of [...Object.values(PATHS), 'notes.md']) {
      for (let index = 0; index < 500; index += 1) {
        expect(rulesOf(path, harmlessLine(picker, languageOf(path)))).toEqual([]);
        const { rule, line } = randomDefect(picker, languageOf(path));
        expect(rulesOf(path, line)).toEqual([rule]);
      }
    }
  });
});
