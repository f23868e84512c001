import { openRepository } from '../simulators/git/open-repository.ts';
import { createSampleRepository } from './sample-repository.ts';
import type { DemoArguments } from './demo-arguments.ts';
import type { DemoSubject } from './run-demo.ts';

/** The change to review, and what to clean up afterwards. */
export interface OpenedSubject extends DemoSubject {
  dispose(): Promise<void>;
}

/**
 * The sample, or a checked range of a local repository.
 * @throws GitError not_a_repository, ref_not_found, no_merge_base, each with a message of one line.
 */
export async function openSubject(range: DemoArguments['range']): Promise<OpenedSubject> {
  if (range === undefined) {
    const sample = await createSampleRepository();
    return { ...sample, dispose: () => sample.dispose() };
  }
  const repository = await openRepository(range.repo);
  try {
    const base = await repository.resolveCommit(range.base);
    const head = await repository.resolveCommit(range.head);
    await repository.mergeBase(base, head);
    return {
      dir: range.repo,
      base,
      head,
      title: `Review ${range.base}...${range.head}`,
      body: '',
      dispose: async () => {},
    };
  } finally {
    repository.close();
  }
}
