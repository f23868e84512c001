import { describe, expect, it } from 'vitest';
import { decodeAnswer } from '../../../shared/review/decode-answer.ts';
import { aFinding } from './builders.ts';

const ANSWER = JSON.stringify({ findings: [aFinding()], injection_suspected: true });
const READ = { kind: 'answer', findings: [aFinding()], injectionSuspected: true, dropped: 0 };

describe('decodeAnswer', () => {
  it('reads a plain answer and an empty one', () => {
    expect(decodeAnswer(ANSWER)).toEqual(READ);
    expect(decodeAnswer('{"findings":[]}')).toEqual({
      kind: 'answer',
      findings: [],
      injectionSuspected: false,
      dropped: 0,
    });
  });

  it('takes the answer out of a code fence, double encoding, prose around it and several objects', () => {
    expect(decodeAnswer(`\`\`\`json\n${ANSWER}\n\`\`\``)).toEqual(READ);
    expect(decodeAnswer(JSON.stringify(ANSWER))).toEqual(READ);
    expect(decodeAnswer(`Here is the review {as asked}:\n${ANSWER}\nDone.`)).toEqual(READ);
    expect(decodeAnswer(`{"thought":"}{"}\n{"findings":[]}\n${ANSWER}`)).toEqual(READ);
  });

  it.each([
    ['nothing', ''],
    ['prose with a finding in words', 'src/a.ts line 10: critical, the total is rounded twice.'],
    ['an HTML page', '<html><body>502</body></html>'],
    ['half a JSON', ANSWER.slice(0, 80)],
    ['a list without the key', JSON.stringify([aFinding()])],
    ['findings that are no list', '{"findings":{"path":"a"}}'],
    ['another object', '{"result":[]}'],
    ['brackets without end', '{'.repeat(100_000)],
  ])('finds no answer in %s', (_, text) => {
    expect(decodeAnswer(text)).toEqual({
      kind: 'unreadable',
      problem: 'it is no JSON object with the key findings',
    });
  });

  it('refuses findings that do not fit the schema and repeats nothing of theirs', () => {
    const wrong = { ...aFinding(), severity: 'hunter2', line: 0 };
    const decoded = decodeAnswer(JSON.stringify({ findings: [aFinding(), wrong] }));
    expect(decoded).toMatchObject({ kind: 'unreadable' });
    const problem = decoded.kind === 'unreadable' ? decoded.problem : '';
    expect(problem).toContain('findings.1.severity');
    expect(problem).toContain('findings.1.line');
    expect(problem).not.toContain('hunter2');
  });

  it('cuts texts that are too long, drops a suggestion that is, and refuses an empty title', () => {
    const long = aFinding({ title: 't'.repeat(300), body: 'b'.repeat(5000), suggestion: 's'.repeat(5000) });
    expect(decodeAnswer(JSON.stringify({ findings: [long] }))).toMatchObject({
      kind: 'answer',
      findings: [{ title: 't'.repeat(200), body: 'b'.repeat(4000), suggestion: null }],
    });
    expect(decodeAnswer(JSON.stringify({ findings: [aFinding({ title: '' })] })).kind).toBe('unreadable');
  });

  it('keeps the 200 most severe of 10,000 findings and counts the rest', () => {
    const findings = Array.from({ length: 10_000 }, (_, index) =>
      aFinding({ line: index + 1, severity: index === 9_999 ? 'critical' : 'low' }),
    );
    const decoded = decodeAnswer(JSON.stringify({ findings }));
    expect(decoded).toMatchObject({ kind: 'answer', dropped: 9_800 });
    const kept = decoded.kind === 'answer' ? decoded.findings : [];
    expect([kept.length, kept[0]?.line, kept[1]?.line, kept[199]?.line]).toEqual([200, 10_000, 1, 199]);
  });

  it('one phrase for pages costs little time', () => {
    expect(decodeAnswer('{"a": '.repeat(50_000)).kind).toBe('unreadable');
    expect(decodeAnswer('{x}'.repeat(50_000)).kind).toBe('unreadable');
    expect(decodeAnswer(`${'{'.repeat(20_000)}${'}'.repeat(20_000)}`).kind).toBe('unreadable');
  }, 2_000);
});
