import type { Language } from './rule-examples.ts';

/** Picks from seeded numbers; every choice of a random repository goes through one of these. */
export interface Picker {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** Characters out of `alphabet`. */
  text(length: number, alphabet: string): string;
}

export function createPicker(random: () => number): Picker {
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  return {
    between,
    chance: (probability) => random() < probability,
    pick(items) {
      return items[between(0, items.length - 1)] ?? items[0];
    },
    text: (length, alphabet) =>
      Array.from({ length }, () => alphabet.charAt(between(0, alphabet.length - 1))).join(''),
  };
}

const NAMES: readonly [string, ...string[]] = [
  'amount',
  'buffer',
  'cursor',
  'digest',
  'entry',
  'filter',
  'handle',
  'index',
  'journal',
  'ledger',
  'margin',
  'offset',
  'parcel',
  'quota',
  'record',
  'signal',
];

type Template = (name: string, number: number) => string;

/** Harmless code. No template matches a rule, whatever the name and number. */
const TEMPLATES: Readonly<Record<Language, readonly [Template, ...Template[]]>> = {
  typescript: [
    (name, number) => `const ${name}${number}: number = ${number};`,
    (name, number) => `export function ${name}${number}(input: string): string {`,
    (name, number) => `  return input.slice(${number}).concat('${name}');`,
    () => '}',
    () => '',
    (name) => `  // Keeps the ${name} in order.`,
    (name, number) => `  if (${name}.length > ${number}) {`,
    (name) => `    ${name}.sort((left, right) => left - right);`,
    () => '  }',
  ],
  javascript: [
    (name, number) => `const ${name}${number} = ${number};`,
    (name, number) => `function ${name}${number}(input) {`,
    (name, number) => `  return input.slice(${number}) + '${name}';`,
    () => '}',
    () => '',
    (name) => `  // The ${name} may be empty.`,
    (name, number) => `  module.exports.${name}${number} = ${number};`,
  ],
  python: [
    (name, number) => `${name}_${number} = ${number}`,
    (name, number) => `def ${name}_${number}(value):`,
    (name, number) => `    return value[${number}:] + "${name}"`,
    () => '',
    (name) => `    # The ${name} is counted from zero.`,
    (name, number) => `    if len(${name}) > ${number}:`,
    (name) => `        ${name}.sort()`,
  ],
  csharp: [
    (name, number) => `    private readonly int ${name}${number} = ${number};`,
    (name, number) => `    public string Get${number}(string ${name})`,
    () => '    {',
    (name, number) => `        return ${name}.Substring(${number});`,
    () => '    }',
    () => '',
    (name) => `        // The ${name} never shrinks.`,
  ],
};

const PROSE: readonly [Template, ...Template[]] = [
  (name, number) => `The ${name} holds ${number} entries.`,
  (name) => `- see the ${name}`,
  () => '',
  (name, number) => `${name}-${number}: on`,
];

/** One harmless line of a language; undefined stands for prose and settings. */
export function harmlessLine(picker: Picker, language: Language | undefined): string {
  const template = picker.pick(language === undefined ? PROSE : TEMPLATES[language]);
  return template(picker.pick(NAMES), picker.between(1, 9_999));
}
