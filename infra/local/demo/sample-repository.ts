import { importRepository } from './import-repository.ts';
import type { BuiltRepository } from './import-repository.ts';
import type { RuleId } from './rule-examples.ts';
import { RULE_IDS } from './rule-examples.ts';
import { SAMPLE_BASE_FILES } from './sample-base-files.ts';
import { canonicalLine, sampleHeadFiles } from './sample-head-files.ts';

/** A line that a reviewer should report, numbered in the new file from 1. */
export interface PlantedDefect {
  readonly path: string;
  readonly line: number;
  readonly rule: RuleId;
}

export interface SampleRepository extends BuiltRepository {
  /** Branch that the pull request goes into. */
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  /** Sorted by path and line. */
  readonly planted: readonly PlantedDefect[];
}

/** Sorts defects the way they are listed everywhere: by path in code units, then by line. */
export function sortDefects(defects: readonly PlantedDefect[]): PlantedDefect[] {
  return defects.toSorted((left, right) =>
    left.path === right.path ? left.line - right.line : left.path < right.path ? -1 : 1,
  );
}

function findPlanted(files: ReadonlyMap<string, string | null>): PlantedDefect[] {
  const found = RULE_IDS.flatMap((rule) =>
    [...files].flatMap(([path, text]) => {
      const index = text?.split('\n').indexOf(canonicalLine(rule)) ?? -1;
      return index < 0 ? [] : [{ path, line: index + 1, rule }];
    }),
  );
  return sortDefects(found);
}

/**
 * A small order service in TypeScript with a pull request of 13 files that adds discount codes and plants one
 * defect of each rule. The caller disposes of it.
 */
export async function createSampleRepository(): Promise<SampleRepository> {
  const changes = sampleHeadFiles();
  const head = 'feature/discount-codes';
  const repository = await importRepository(
    [
      { branch: 'main', message: 'Keep orders and charge them', changes: SAMPLE_BASE_FILES },
      { branch: head, onto: 'main', message: 'Add discount codes', changes },
    ],
    head,
  );
  return {
    ...repository,
    base: 'main',
    head,
    title: 'Add discount codes',
    body: 'Shops can send a discount rule with an order. Codes and percentages are in docs/discounts.md.\n',
    planted: findPlanted(changes),
  };
}
