import { describe, expect, it } from 'vitest';
import { countTests, totalsLine } from '../../run/count-tests.ts';

const file = (status: string, ...tests: string[]): unknown => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});
const report = (...testResults: unknown[]): string => JSON.stringify({ testResults, success: true });

describe('countTests', () => {
  it('counts tests over all files', () => {
    const text = report(file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'));
    expect(countTests(text, 1)).toEqual({ passed: 3, failed: 1 });
  });

  it('counts a file that could not be loaded as one failed test', () => {
    expect(countTests(report(file('passed', 'passed'), file('failed')), 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts an error outside tests as one failed test', () => {
    expect(countTests(report(file('passed', 'passed')), 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('does not count tests that did not run', () => {
    expect(countTests(report(file('passed', 'passed', 'pending', 'todo', 'skipped')), 0)).toEqual({
      passed: 1,
      failed: 0,
    });
  });

  it('is 0 and 0 when no file matched', () => {
    expect(countTests(report(), 1)).toEqual({ passed: 0, failed: 0 });
  });

  it.each(['', 'no json', '{}', '[]', '{"testResults": [{}]}'])(
    'fails without a readable report: %j',
    (text) => {
      expect(countTests(text, 0)).toEqual({ passed: 0, failed: 1 });
    },
  );
});

describe('totalsLine', () => {
  it('is one line of fixed form', () => {
    expect(totalsLine({ passed: 1204, failed: 0 })).toBe('1204 passed, 0 failed');
  });
});
