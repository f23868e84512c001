import { describe, expect, it } from 'vitest';
import { decide, type GateTarget, type GateUsage } from '../../../shared/tools/gate.ts';
import type { BudgetUse } from '../../../shared/tools/outbox-ports.ts';
import { TOOLS } from '../../../shared/tools/registry.ts';
import { CAPABILITIES, REQUIREMENTS, type Grant, type TargetFacts } from '../../../shared/tools/tool.ts';
import { REF } from './fake-provider.ts';

const NOW = 1_800_000_000_000;
const LIMIT = 5;

const GRANT: Grant = {
  id: 'g',
  instances: ['main'],
  repositories: ['acme/*'],
  pullRequest: { repositoryId: '4711', number: 12 },
  capabilities: CAPABILITIES,
  submitActions: ['comment'],
  budgets: { writesPerRun: LIMIT, writesPerHour: LIMIT, writesPerHourOverall: LIMIT },
  expiresAt: NOW + 1,
};
const OWN: TargetFacts = { submitAction: 'comment', thread: 'own', draft: 'own', isForeignReview: false };
const SPENT: BudgetUse = {
  run: LIMIT - 1,
  hour: LIMIT - 1,
  hourOverall: LIMIT - 1,
  hourEndsAt: NOW + 60_000,
};
const USAGE: GateUsage = {
  now: NOW,
  writesStopped: false,
  available: new Set(REQUIREMENTS),
  spent: SPENT,
};

interface Case {
  readonly grant?: Partial<Grant>;
  readonly pullRequest?: Partial<typeof REF>;
  readonly facts?: TargetFacts;
  readonly usage?: Partial<GateUsage>;
}
type Needs = (typeof TOOLS)[number]['needs'];

/** One changed condition (or two, to pin which refusal comes first) against a call where everything is right. */
const CASES: Readonly<Record<string, (needs: Needs) => Case>> = {
  base: () => ({}),
  // Only what the tool needs, nothing else.
  least: (needs) => ({ grant: { capabilities: needs === 'read' ? [] : [needs] } }),
  none: () => ({ grant: { capabilities: [] } }),
  // Everything but what the tool needs.
  others: (needs) => ({ grant: { capabilities: CAPABILITIES.filter((capability) => capability !== needs) } }),
  expired: () => ({ usage: { now: NOW + 1 } }),
  repo: () => ({ pullRequest: { repository: 'other/widgets' } }),
  instance: () => ({ pullRequest: { instance: 'second' } }),
  number: () => ({ pullRequest: { number: 13 } }),
  repoId: () => ({ pullRequest: { repositoryId: '4712' } }),
  place: () => ({ usage: { available: new Set() } }),
  stopped: () => ({ usage: { writesStopped: true } }),
  foreign: () => ({ facts: { ...OWN, thread: 'foreign' } }),
  lost: () => ({ facts: { ...OWN, thread: 'missing' } }),
  theirs: () => ({ facts: { ...OWN, draft: 'foreign' } }),
  gone: () => ({ facts: { ...OWN, draft: 'missing' } }),
  pending: () => ({ facts: { ...OWN, isForeignReview: true } }),
  run: () => ({ usage: { spent: { ...SPENT, run: LIMIT } } }),
  hour: () => ({ usage: { spent: { ...SPENT, hour: LIMIT } } }),
  overall: () => ({ usage: { spent: { ...SPENT, hourOverall: LIMIT } } }),
  // A call that was begun before is finished although the budget is spent since.
  repeat: () => ({ facts: { ...OWN, isRepeat: true }, usage: { spent: { ...SPENT, run: LIMIT } } }),
  action: () => ({ facts: { ...OWN, submitAction: 'approve' } }),
  noAction: () => ({ grant: { submitActions: [] } }),
  noFacts: () => ({ facts: {} }),
  // Which refusal is given when two conditions fail.
  'repo+none': () => ({ pullRequest: { repository: 'other/widgets' }, grant: { capabilities: [] } }),
  'none+place': () => ({ grant: { capabilities: [] }, usage: { available: new Set() } }),
  'place+stopped': () => ({ usage: { available: new Set(), writesStopped: true } }),
  'stopped+foreign': () => ({ facts: { ...OWN, thread: 'foreign' }, usage: { writesStopped: true } }),
  'foreign+run': () => ({
    facts: { ...OWN, thread: 'foreign' },
    usage: { spent: { ...SPENT, run: LIMIT } },
  }),
};

const CODES: Readonly<Record<string, string>> = {
  ok: 'allow',
  NA: 'not_allowed',
  OS: 'out_of_scope',
  UH: 'unavailable_here',
  WS: 'writes_stopped',
  NT: 'not_own_thread',
  NF: 'not_found',
  ND: 'not_own_draft',
  FD: 'foreign_draft',
  BE: 'budget_exhausted',
};

/** Written by hand: what each tool answers in each case. */
const MATRIX = `
                      base least none others expired repo instance number repoId place stopped foreign lost theirs gone pending run hour overall repeat action noAction noFacts repo+none none+place place+stopped stopped+foreign foreign+run
get_pull_request      ok   ok    ok   ok     NA      OS   OS       OS     OS     ok    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        ok         ok            ok              ok
get_diff              ok   ok    ok   ok     NA      OS   OS       OS     OS     ok    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        ok         ok            ok              ok
list_threads          ok   ok    ok   ok     NA      OS   OS       OS     OS     ok    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        ok         ok            ok              ok
get_review_context    ok   ok    ok   ok     NA      OS   OS       OS     OS     ok    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        ok         ok            ok              ok
list_draft_review     ok   ok    ok   ok     NA      OS   OS       OS     OS     ok    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        ok         ok            ok              ok
read_file             ok   ok    ok   ok     NA      OS   OS       OS     OS     UH    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        UH         UH            ok              ok
search_code           ok   ok    ok   ok     NA      OS   OS       OS     OS     UH    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        UH         UH            ok              ok
list_files            ok   ok    ok   ok     NA      OS   OS       OS     OS     UH    ok      ok      ok   ok     ok   ok      ok  ok   ok      ok     ok     ok       ok      OS        UH         UH            ok              ok
add_draft_comments    ok   ok    NA   NA     NA      OS   OS       OS     OS     ok    WS      NT      NF   ND     NF   FD      ok  ok   ok      ok     ok     ok       ok      OS        NA         WS            WS              NT
update_draft_comment  ok   ok    NA   NA     NA      OS   OS       OS     OS     ok    WS      NT      NF   ND     NF   FD      ok  ok   ok      ok     ok     ok       ok      OS        NA         WS            WS              NT
delete_draft_comment  ok   ok    NA   NA     NA      OS   OS       OS     OS     ok    WS      NT      NF   ND     NF   FD      ok  ok   ok      ok     ok     ok       ok      OS        NA         WS            WS              NT
delete_draft_review   ok   ok    NA   NA     NA      OS   OS       OS     OS     ok    WS      NT      NF   ND     NF   FD      ok  ok   ok      ok     ok     ok       ok      OS        NA         WS            WS              NT
submit_review         ok   ok    NA   NA     NA      OS   OS       OS     OS     UH    WS      NT      NF   ND     NF   FD      BE  BE   BE      ok     NA     NA       ok      OS        NA         UH            WS              NT
create_inline_thread  ok   ok    NA   NA     NA      OS   OS       OS     OS     UH    WS      NT      NF   ND     NF   FD      BE  BE   BE      ok     ok     ok       ok      OS        NA         UH            WS              NT
reply_to_thread       ok   ok    NA   NA     NA      OS   OS       OS     OS     UH    WS      NT      NF   ND     NF   FD      BE  BE   BE      ok     ok     ok       ok      OS        NA         UH            WS              NT
resolve_thread        ok   ok    NA   NA     NA      OS   OS       OS     OS     UH    WS      NT      NF   ND     NF   FD      BE  BE   BE      ok     ok     ok       ok      OS        NA         UH            WS              NT
`;

const [head = '', ...lines] = MATRIX.trim().split('\n');
const columns = head.trim().split(/\s+/);
const rows = lines.flatMap((line) => {
  const [tool = '', ...answers] = line.trim().split(/\s+/);
  return answers.map((answer, index) => ({
    tool,
    case: columns[index] ?? '?',
    expected: CODES[answer] ?? `unknown ${answer}`,
  }));
});

function ask(name: string, needed: Case): string {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const target: GateTarget = { pullRequest: { ...REF, ...needed.pullRequest }, facts: needed.facts ?? OWN };
  const decision = decide(tool, { ...GRANT, ...needed.grant }, target, { ...USAGE, ...needed.usage });
  return decision.kind === 'allow' ? 'allow' : decision.code;
}

describe('gate matrix', () => {
  it('has a row for every tool and a column for every case: 16 x 28 = 448 decisions', () => {
    expect(lines.map((line) => line.trim().split(/\s+/)[0])).toEqual(TOOLS.map((tool) => tool.name));
    expect(columns).toEqual(Object.keys(CASES));
    expect(rows).toHaveLength(448);
  });

  it.each(rows)('$tool, $case: $expected', ({ tool, case: name, expected }) => {
    const needs = TOOLS.find((candidate) => candidate.name === tool)?.needs ?? 'read';
    expect(ask(tool, CASES[name]?.(needs) ?? {})).toBe(expected);
  });
});
