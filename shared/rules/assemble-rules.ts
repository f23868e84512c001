import { createHash } from 'node:crypto';
import { minimatch } from 'minimatch';
import type { RulePack } from './rule-pack.ts';

export interface AssembledRules {
  /** Markdown for the prompt; identical inputs give identical bytes, whatever their order. */
  readonly text: string;
  /** Hex SHA-256 of `text`. */
  readonly promptSha: string;
  /** `id@version` of every pack that gave at least one skill, sorted. */
  readonly packs: readonly string[];
}

/** The rules for a change: every skill of every pack whose globs match a changed path. */
export function assembleRules(packs: readonly RulePack[], changedPaths: readonly string[]): AssembledRules {
  const used: string[] = [];
  const sections: string[] = [];
  for (const pack of packs.toSorted((left, right) => compare(left.id, right.id))) {
    if (!matchesAny(pack.appliesTo, changedPaths)) continue;
    const skills = pack.skills
      .filter((skill) => matchesAny(skill.appliesTo, changedPaths))
      .toSorted((left, right) => compare(left.name, right.name));
    if (skills.length === 0) continue;
    used.push(`${pack.id}@${pack.version}`);
    sections.push(`<rules pack="${pack.id}">`, ...skills.map((skill) => skill.text), '</rules>');
  }
  const text = sections.join('\n\n');
  return { text, promptSha: createHash('sha256').update(text).digest('hex'), packs: used };
}

function matchesAny(globs: readonly string[], paths: readonly string[]): boolean {
  if (globs.includes('**')) return paths.length > 0;
  return paths.some((path) => globs.some((glob) => minimatch(path, glob, { dot: true, nocomment: true })));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
