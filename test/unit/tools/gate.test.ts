import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, isPassingRefusal, type GateUsage } from '../../../shared/tools/gate.ts';
import { listTools } from '../../../shared/tools/list-tools.ts';
import type { BudgetUse } from '../../../shared/tools/outbox-ports.ts';
import { TOOLS } from '../../../shared/tools/registry.ts';
import { CAPABILITIES, REQUIREMENTS, SUBMIT_ACTIONS, type Grant } from '../../../shared/tools/tool.ts';
import { REFUSAL_CODES } from '../../../shared/tools/tool-result.ts';
import { REF } from './fake-provider.ts';
import { FULL_GRANT } from './fixture.ts';

const NOW = 1_800_000_000_000;
const SPENT: BudgetUse = { run: 0, hour: 0, hourOverall: 0, hourEndsAt: NOW + 60_000 };
const USAGE: GateUsage = {
  now: NOW,
  writesStopped: false,
  available: new Set(REQUIREMENTS),
  spent: SPENT,
};
const READ_GRANT: Grant = { ...FULL_GRANT, capabilities: [], submitActions: [] };
const TARGET = { pullRequest: REF };
const submit = TOOLS.find((tool) => tool.name === 'submit_review')!;

function names(
  grant: Grant,
  changes: Partial<GateUsage> = {},
  target: { pullRequest: typeof REF | undefined } = TARGET,
): string[] {
  return listTools(grant, target, { ...USAGE, ...changes }).map((tool) => tool.name);
}

const READING = ['get_pull_request', 'get_diff', 'list_threads', 'get_review_context', 'list_draft_review'];
const IN_RUNS = ['read_file', 'search_code', 'list_files'];

describe('listed tools', () => {
  it('are those of the grant, and files only where there is a snapshot', () => {
    expect(names(READ_GRANT)).toEqual([...READING, ...IN_RUNS]);
    expect(names(READ_GRANT, { available: new Set() })).toEqual(READING);
    expect(names({ ...READ_GRANT, capabilities: ['resolve'] })).toEqual([
      ...READING,
      ...IN_RUNS,
      'resolve_thread',
    ]);
    expect(names({ ...READ_GRANT, capabilities: ['submit'], submitActions: ['comment'] })).toContain(
      'submit_review',
    );
    expect(names({ ...READ_GRANT, capabilities: ['submit'] })).not.toContain('submit_review');
    expect(names(FULL_GRANT)).toHaveLength(16);
  });

  it('stay listed while writes are stopped or a budget is spent, since both pass', () => {
    expect(names(FULL_GRANT, { writesStopped: true })).toHaveLength(16);
    const spent = { run: 1, hour: 1, hourOverall: 1, hourEndsAt: NOW };
    expect(names({ ...FULL_GRANT, budgets: { writesPerRun: 1 } }, { spent })).toHaveLength(16);
  });

  it('are none for an expired grant or a pull request out of scope', () => {
    expect(names({ ...FULL_GRANT, expiresAt: NOW })).toEqual([]);
    expect(names({ ...FULL_GRANT, repositories: ['other/*'] })).toEqual([]);
  });

  it('do not depend on scope before a pull request is named', () => {
    expect(names({ ...FULL_GRANT, repositories: ['other/*'] }, {}, { pullRequest: undefined })).toHaveLength(
      16,
    );
  });
});

describe('refusals', () => {
  it('say when a budget opens', () => {
    const grant: Grant = { ...FULL_GRANT, budgets: { writesPerHour: 3 } };
    const spent = { run: 0, hour: 3, hourOverall: 0, hourEndsAt: NOW + 90_000 };
    expect(decide(submit, grant, TARGET, { ...USAGE, spent })).toEqual({
      kind: 'deny',
      code: 'budget_exhausted',
      hint: 'All 3 writes of this hour on this pull request are used. It opens again at 2027-01-15T08:01:30.000Z.',
      retryAfterMs: 90_000,
    });
  });

  it('name the allowed submit actions', () => {
    const grant: Grant = { ...FULL_GRANT, submitActions: ['comment'] };
    expect(decide(submit, grant, { ...TARGET, facts: { submitAction: 'approve' } }, USAGE)).toMatchObject({
      hint: 'This grant does not allow approve; allowed: comment.',
    });
  });

  it('hold no limit that the grant does not set', () => {
    const spent = { run: 1e9, hour: 1e9, hourOverall: 1e9, hourEndsAt: NOW };
    expect(decide(submit, FULL_GRANT, TARGET, { ...USAGE, spent })).toEqual({ kind: 'allow' });
  });

  it('leave budgets to the second asking while what is spent was not looked up', () => {
    const grant: Grant = { ...FULL_GRANT, budgets: { writesPerRun: 0 } };
    expect(decide(submit, grant, TARGET, { ...USAGE, spent: undefined })).toEqual({ kind: 'allow' });
    expect(decide(submit, grant, TARGET, USAGE)).toMatchObject({ code: 'budget_exhausted' });
  });

  it('pass by themselves only for stopped writes and budgets', () => {
    expect(REFUSAL_CODES.filter(isPassingRefusal)).toEqual(['budget_exhausted', 'writes_stopped']);
  });
});

describe('gate', () => {
  const grants = fc.record({
    capabilities: fc.subarray([...CAPABILITIES]),
    submitActions: fc.subarray([...SUBMIT_ACTIONS]),
    budget: fc.integer({ min: 0, max: 3 }),
  });

  it('never allows a write that a smaller grant was not given: taking something away never allows more', () => {
    fc.assert(
      fc.property(
        grants,
        fc.constantFrom(...TOOLS),
        fc.constantFrom(...SUBMIT_ACTIONS),
        fc.integer({ min: 0, max: 4 }),
        fc.subarray([...REQUIREMENTS]),
        fc.boolean(),
        (parts, tool, submitAction, used, available, writesStopped) => {
          const grant: Grant = {
            ...FULL_GRANT,
            capabilities: parts.capabilities,
            submitActions: parts.submitActions,
            budgets: { writesPerRun: parts.budget },
          };
          const usage: GateUsage = {
            ...USAGE,
            writesStopped,
            available: new Set(available),
            spent: { ...SPENT, run: used },
          };
          const isAllowed =
            decide(tool, grant, { ...TARGET, facts: { submitAction } }, usage).kind === 'allow';
          const isCovered =
            tool.needs === 'read' ||
            (parts.capabilities.includes(tool.needs) &&
              !writesStopped &&
              (tool.needs !== 'submit' || parts.submitActions.includes(submitAction)) &&
              (tool.spends !== true || used < parts.budget));
          const isPossible = (tool.requires ?? []).every((requirement) => available.includes(requirement));
          expect(isAllowed).toBe(isCovered && isPossible);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
