import { z } from 'zod';

/** The parts of vitest's JSON report (Jest's format) that are counted. */
const Report = z.looseObject({
  testResults: z.array(
    z.looseObject({
      status: z.string(),
      assertionResults: z.array(z.looseObject({ status: z.string() })),
    }),
  ),
});

export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts tests of a report. A file that could not be loaded counts as one failed test, and so does a run that
 * ended badly without a failed test to show for it (an error outside tests, no readable report).
 * A run that found no test at all is 0 and 0.
 */
export function countTests(reportJson: string, exitCode: number): TestTotals {
  const files = parseReport(reportJson);
  if (files === undefined) return { passed: 0, failed: 1 };
  if (files.length === 0) return { passed: 0, failed: 0 };
  const statuses = files.flatMap((file) => file.assertionResults.map((test) => test.status));
  const passed = statuses.filter((status) => status === 'passed').length;
  const failedTests = statuses.filter((status) => status === 'failed').length;
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = failedTests + brokenFiles;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** The line that ends a test run; nothing else prints one like it. */
export function totalsLine({ passed, failed }: TestTotals): string {
  return `${passed} passed, ${failed} failed`;
}

function parseReport(text: string): z.infer<typeof Report>['testResults'] | undefined {
  try {
    return Report.parse(JSON.parse(text)).testResults;
  } catch {
    return undefined;
  }
}
