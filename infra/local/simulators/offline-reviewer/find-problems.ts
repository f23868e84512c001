import type { Finding } from '../../../../shared/domain/finding.ts';
import { matchingRules } from '../../demo/rule-examples.ts';
import type { ShownLine } from './shown-diff.ts';

/** What the deterministic rules say of the added lines, each rule and line once, in the order of the lines. */
export function findProblems(added: readonly ShownLine[]): Finding[] {
  const findings = new Map<string, Finding>();
  for (const { path, line, text } of added) {
    for (const rule of matchingRules(path, text)) {
      const key = JSON.stringify([path, line, rule.rule]);
      if (findings.has(key)) continue;
      findings.set(key, {
        path,
        line,
        side: 'new',
        severity: rule.severity,
        category: rule.rule,
        title: rule.title,
        body: rule.advice,
        evidence: text,
        suggestion: null,
      });
    }
  }
  return [...findings.values()];
}
