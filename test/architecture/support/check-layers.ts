import { AREAS, PACKAGES, type Area } from '../layers.ts';
import type { Import, SourceFile } from './scan-source.ts';

/** The area that owns a path; undefined when the table does not know it. */
export function areaOf(path: string): Area | undefined {
  return AREAS.find((area) => area.pattern.test(path));
}

/** One sentence for every import that the table forbids, and for every file that it does not know. */
export function layerViolations(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map((file) => file.path));
  return files.flatMap((file) => {
    const area = areaOf(file.path);
    if (area === undefined) return [`${file.path}: no area of test/architecture/layers.ts owns this file`];
    return file.imports.flatMap((one) => {
      const problem = importProblem(area, one, known);
      return problem === undefined ? [] : [`${file.path}:${one.line}: ${problem}`];
    });
  });
}

function importProblem(area: Area, one: Import, known: ReadonlySet<string>): string | undefined {
  if (one.specifier === undefined) {
    return area.name === 'infra' ? undefined : 'a computed import cannot be checked';
  }
  if (one.packageName !== undefined) {
    return PACKAGES[one.packageName]?.test(one.from) === true
      ? undefined
      : `may not import the package ${one.packageName}`;
  }
  if (one.target === undefined) return undefined;
  if (!known.has(one.target)) return `imports ${one.target}, which is no product source`;
  const target = areaOf(one.target);
  if (target === undefined) return undefined;
  if (target.name === area.name || area.mayImport.includes(target.name)) return undefined;
  if (area.mayImport.includes('*') && one.target.startsWith('shared/')) return undefined;
  return `${area.name} may not import ${target.name} (${one.target})`;
}

/**
 * Import cycles between files, as paths that end where they began. Type imports are erased before anything is
 * loaded and do not count.
 */
export function importCycles(files: readonly SourceFile[]): string[] {
  const targets = new Map(
    files.map((file) => {
      const loaded = file.imports.filter((one) => !one.isTypeOnly);
      return [file.path, loaded.flatMap((one) => (one.target === undefined ? [] : [one.target]))];
    }),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}
