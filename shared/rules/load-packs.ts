import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { z } from 'zod';
import { AppError } from '../domain/app-error.ts';
import { PackManifest, SkillFrontMatter } from './rule-pack.ts';
import type { RulePack, RuleSkill } from './rule-pack.ts';

const MAX_FILE_CHARACTERS = 100_000;

/**
 * Reads every pack below `directory` (`<pack>/pack.yaml` and its Markdown files), sorted by id.
 * @throws AppError `permanent` rules_invalid whose details name every problem with its file, not only the first.
 */
export async function loadPacks(directory: string): Promise<RulePack[]> {
  const problems: string[] = [];
  const packs: RulePack[] = [];
  for (const folder of await listSorted(directory, problems)) {
    const pack = await loadPack(directory, folder, problems);
    if (pack !== undefined) packs.push(pack);
  }
  if (problems.length === 0 && packs.length === 0) problems.push('there is no pack');
  if (problems.length > 0) {
    throw new AppError({
      kind: 'permanent',
      code: 'rules_invalid',
      message: `The rule packs cannot be used: ${problems.join('; ')}.`,
      details: { problems },
    });
  }
  return packs;
}

async function loadPack(
  directory: string,
  folder: string,
  problems: string[],
): Promise<RulePack | undefined> {
  const files = await listSorted(join(directory, folder), problems);
  const manifest = readYaml(
    PackManifest,
    await readText(join(directory, folder, 'pack.yaml')),
    `${folder}/pack.yaml`,
    problems,
  );
  const skills: RuleSkill[] = [];
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const skill = readSkill(await readText(join(directory, folder, file)), `${folder}/${file}`, problems);
    if (skill !== undefined) skills.push(skill);
  }
  if (files.length > 0 && !files.some((name) => name.endsWith('.md'))) {
    problems.push(`${folder}: no Markdown file`);
  }
  if (manifest !== undefined && manifest.id !== folder) {
    problems.push(`${folder}/pack.yaml: id must be the folder's name`);
  }
  return manifest === undefined ? undefined : { ...manifest, skills };
}

function readSkill(source: string | undefined, file: string, problems: string[]): RuleSkill | undefined {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec((source ?? '').replaceAll('\r\n', '\n'));
  if (parts === null) {
    problems.push(`${file}: no front matter between two lines of ---`);
    return undefined;
  }
  const front = readYaml(SkillFrontMatter, parts[1], file, problems, foldSynonyms);
  const text = (parts[2] ?? '').trim();
  if (text === '') problems.push(`${file}: no text`);
  if (text.length > MAX_FILE_CHARACTERS)
    problems.push(`${file}: longer than ${MAX_FILE_CHARACTERS} characters`);
  if (front === undefined) return undefined;
  return { name: front.name, description: front.description, appliesTo: front.applies_to, text };
}

/** Other tools write the same list as `applyTo` or `paths`, and one glob without a list. */
function foldSynonyms(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const {
    applyTo,
    paths,
    applies_to: appliesTo = applyTo ?? paths,
    ...rest
  } = Object.fromEntries(Object.entries(value));
  return { ...rest, applies_to: typeof appliesTo === 'string' ? [appliesTo] : appliesTo };
}

function readYaml<Shape extends z.ZodType>(
  shape: Shape,
  source: string | undefined,
  file: string,
  problems: string[],
  prepare: (value: unknown) => unknown = (value) => value,
): z.infer<Shape> | undefined {
  if (source === undefined) {
    problems.push(`${file}: cannot be read`);
    return undefined;
  }
  let value: unknown;
  try {
    // Aliases can make a small file expand without bound.
    value = parse(source, { maxAliasCount: 10, logLevel: 'error' });
  } catch (error) {
    problems.push(`${file}: ${firstLine(error)}`);
    return undefined;
  }
  const checked = shape.safeParse(prepare(value));
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues) {
    problems.push(`${file}: ${issue.path.length === 0 ? '' : `${issue.path.join('.')}: `}${issue.message}`);
  }
  return undefined;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : 'not valid YAML';
  return (message.split('\n')[0] ?? message).replace(/:$/, '');
}

async function listSorted(directory: string, problems: string[]): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.toSorted();
  } catch {
    problems.push(`${directory}: cannot be listed`);
    return [];
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
