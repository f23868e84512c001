import type { BuiltRepository, PlannedCommit } from './import-repository.ts';
import { importRepository } from './import-repository.ts';
import { randomDefect, randomLookalike } from './random-defects.ts';
import type { Picker } from './random-source-lines.ts';
import { createPicker, harmlessLine } from './random-source-lines.ts';
import type { RuleId } from './rule-examples.ts';
import { languageOf } from './rule-examples.ts';
import type { PlantedDefect } from './sample-repository.ts';
import { sortDefects } from './sample-repository.ts';

export interface PlantedRepositoryOptions {
  /** Numbers in [0, 1); seed them (`createSeededRandom`) to get the same repository again. */
  readonly random: () => number;
  /** Files that the change touches; default 3 to 12. */
  readonly files?: number;
  /** Defects planted; default 1 to 10. */
  readonly defects?: number;
}

export interface PlantedRepository extends BuiltRepository {
  readonly base: string;
  /** The change with the defects. */
  readonly head: string;
  /** The same change without them. */
  readonly cleanHead: string;
  /** Exactly what a reviewer of added lines reports on `head`, sorted by path and line; nothing on `cleanHead`. */
  readonly planted: readonly PlantedDefect[];
}

/** A line of a changed file; `defect` only in the version with defects. */
interface ChangedLine {
  readonly text: string;
  readonly rule?: RuleId;
}

interface ChangedPath {
  readonly path: string;
  readonly before: string | undefined;
  /** Path before a rename. */
  readonly previousPath?: string;
  /** Undefined: the change deletes the file. */
  readonly lines: ChangedLine[] | undefined;
  readonly endsWithNewline: boolean;
  /** Lines at the top that the change leaves alone. */
  readonly fixedLines: number;
}

/** git never calls a line of the common beginning of two files changed; old defects stand there. */
const FIXED_LINES = 4;

const FOLDERS: readonly [string, ...string[]] = [
  'src',
  'lib/core',
  'app/überblick',
  'tests',
  'tools/my scripts',
];
const EXTENSIONS: readonly [string, ...string[]] = ['ts', 'js', 'py', 'cs', 'ts', 'py', 'md', 'yml'];

function linesOf(picker: Picker, path: string, count: number): string[] {
  return Array.from({ length: count }, () => harmlessLine(picker, languageOf(path)));
}

/** Old lines with some removed, some replaced and some new ones in between. */
function edit(picker: Picker, path: string, before: readonly string[], fixedLines: number): ChangedLine[] {
  const language = languageOf(path);
  const changed: ChangedLine[] = before.slice(0, fixedLines).map((text) => ({ text }));
  for (const text of before.slice(fixedLines)) {
    if (picker.chance(0.08)) {
      const lookalike = picker.chance(0.2) ? randomLookalike(picker, language) : undefined;
      changed.push({ text: lookalike ?? harmlessLine(picker, language) });
    }
    if (!picker.chance(0.06)) changed.push({ text });
  }
  changed.push({ text: harmlessLine(picker, language) });
  return changed;
}

/** Old files hold defects too: nobody may report a line that the change did not add. */
function oldLines(picker: Picker, path: string): string[] {
  const lines = linesOf(picker, path, picker.between(5, 60));
  if (picker.chance(0.3)) {
    lines.splice(picker.between(0, FIXED_LINES - 1), 0, randomDefect(picker, languageOf(path)).line);
  }
  return lines;
}

function changePath(picker: Picker, index: number): ChangedPath {
  const extension = picker.pick(EXTENSIONS);
  const path = `${picker.pick(FOLDERS)}/file-${index}.${extension}`;
  const endsWithNewline = !picker.chance(0.15);
  const kinds = ['modified', 'modified', 'modified', 'added', 'renamed', 'deleted'] as const;
  const kind = index === 0 ? 'modified' : picker.pick(kinds);
  if (kind === 'added') {
    const lines = linesOf(picker, path, picker.between(3, 40)).map((text) => ({ text }));
    return { path, before: undefined, lines, endsWithNewline, fixedLines: 0 };
  }
  if (kind === 'renamed') {
    // No old defects here: should git not see the rename, every line of the file counts as added.
    const before = linesOf(picker, path, picker.between(30, 60));
    const previousPath = `${picker.pick(FOLDERS)}/old-${index}.${extension}`;
    return {
      path,
      previousPath,
      before: `${before.join('\n')}\n`,
      lines: edit(picker, path, before, 0),
      endsWithNewline,
      fixedLines: 0,
    };
  }
  const before = oldLines(picker, path);
  return {
    path,
    before: `${before.join('\n')}\n`,
    lines: kind === 'deleted' ? undefined : edit(picker, path, before, FIXED_LINES),
    endsWithNewline,
    fixedLines: FIXED_LINES,
  };
}

/** Puts one defect at a random place of the file, unless git could take that very line for an old one. */
function plant(picker: Picker, file: ChangedPath, deletedLines: ReadonlySet<string>): boolean {
  if (file.lines === undefined) return false;
  const { rule, line } = randomDefect(picker, languageOf(file.path));
  // An equal line in the old file, or in a deleted one that looks renamed, may count as the same line.
  if (file.before?.split('\n').includes(line) === true || deletedLines.has(line)) return false;
  file.lines.splice(picker.between(file.fixedLines, file.lines.length), 0, { text: line, rule });
  return true;
}

function textOf(file: ChangedPath, withDefects: boolean): string | null {
  if (file.lines === undefined) return null;
  const lines = file.lines.filter((line) => withDefects || line.rule === undefined);
  return lines.map((line) => line.text).join('\n') + (file.endsWithNewline ? '\n' : '');
}

function findPlanted(files: readonly ChangedPath[]): PlantedDefect[] {
  return sortDefects(
    files.flatMap(({ path, lines }) =>
      (lines ?? []).flatMap(({ rule }, index) =>
        rule === undefined ? [] : [{ path, line: index + 1, rule }],
      ),
    ),
  );
}

function planCommits(files: readonly ChangedPath[], picker: Picker): PlannedCommit[] {
  const bytes = (): Uint8Array => Uint8Array.from({ length: 64 }, () => picker.between(0, 255)).fill(0, 0, 4);
  const before = files.flatMap(({ path, previousPath, before: text }) =>
    text === undefined ? [] : [[previousPath ?? path, text] as const],
  );
  const untouched = ['src/untouched.ts', linesOf(picker, 'a.ts', 20).join('\n')] as const;
  const after = (withDefects: boolean, image: Uint8Array) =>
    new Map<string, string | Uint8Array | null>([
      ...files.flatMap(({ previousPath }) =>
        previousPath === undefined ? [] : [[previousPath, null] as const],
      ),
      ...files.map((file) => [file.path, textOf(file, withDefects)] as const),
      ['assets/picture.bin', image],
    ]);
  const image = bytes();
  return [
    {
      branch: 'main',
      message: 'Before',
      changes: new Map<string, string | Uint8Array>([...before, untouched, ['assets/picture.bin', bytes()]]),
    },
    { branch: 'change', onto: 'main', message: 'Change', changes: after(true, image) },
    { branch: 'change-clean', onto: 'main', message: 'Change', changes: after(false, image) },
  ];
}

/**
 * A random repository in several languages whose change plants defects in random files and lines, between edits,
 * additions, renames, deletions, a binary file, files without a final newline and non-ASCII paths.
 */
export async function createPlantedRepository(options: PlantedRepositoryOptions): Promise<PlantedRepository> {
  const picker = createPicker(options.random);
  const count = options.files ?? picker.between(3, 12);
  const files = Array.from({ length: count }, (_, index) => changePath(picker, index));
  const [first, ...others] = files.filter((file) => file.lines !== undefined);
  if (first === undefined) throw new Error('a change needs a file to plant defects in');
  const defects = options.defects ?? picker.between(1, 10);
  const deletedLines = new Set(
    files.flatMap((file) => (file.lines === undefined ? (file.before?.split('\n') ?? []) : [])),
  );
  let planted = 0;
  // Most lines can be planted; a secret with a key of its own always can.
  for (let attempt = 0; planted < defects && attempt < defects * 50; attempt += 1) {
    if (plant(picker, picker.pick([first, ...others]), deletedLines)) planted += 1;
  }
  const repository = await importRepository(planCommits(files, picker));
  return {
    ...repository,
    base: 'main',
    head: 'change',
    cleanHead: 'change-clean',
    planted: findPlanted(files),
  };
}
