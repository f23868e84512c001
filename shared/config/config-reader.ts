import type { ConfigProblem } from './config.ts';
import { Secret } from './secret.ts';
import { settingNamed } from './settings-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings by name and collects what is wrong with them: names and advice, never values. */
export interface ConfigReader {
  readonly problems: ConfigProblem[];
  readonly secrets: Secret[];
  /** True inside Azure Functions, where no service may be reached without TLS. */
  readonly isInAzure: boolean;
  /** Every name that is set, also to a blank text. */
  readonly names: readonly string[];
  /** Trimmed text; undefined when absent or blank. */
  text(name: string): string | undefined;
  /** As `text`, falling back to the table's default. */
  textOrDefault(name: string): string;
  secret(name: string): Secret | undefined;
  /** Wraps a value that was read as part of a larger text. */
  keep(value: string): Secret;
  report(setting: string, governs: string, advice: string): void;
  isReported(setting: string): boolean;
}

export function createConfigReader(env: Environment): ConfigReader {
  const problems: ConfigProblem[] = [];
  const secrets: Secret[] = [];
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  const keep = (value: string): Secret => {
    const secret = new Secret(value);
    secrets.push(secret);
    return secret;
  };
  return {
    problems,
    secrets,
    names: Object.keys(env).filter((name) => env[name] !== undefined),
    isInAzure: text('WEBSITE_INSTANCE_ID') !== undefined,
    text,
    textOrDefault: (name) => text(name) ?? settingNamed(name)?.default ?? '',
    secret: (name) => {
      const value = text(name);
      return value === undefined ? undefined : keep(value);
    },
    keep,
    report: (setting, governs, advice) => problems.push(Object.freeze({ setting, governs, advice })),
    isReported: (setting) => problems.some((problem) => problem.setting === setting),
  };
}
