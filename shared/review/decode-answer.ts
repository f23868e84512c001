import { SEVERITIES } from '../domain/finding.ts';
import type { Finding } from '../domain/finding.ts';
import { describeProblems } from '../tools/tool-schema.ts';
import { PassAnswer } from './pass-answer.ts';

/** More findings than a reader could use; a runaway answer is cut, and the cut is said. */
export const MAX_FINDINGS_PER_ANSWER = 200;

/** Places in a text where an object may begin; bounds the work on hostile nesting. */
const MAX_OBJECT_TRIES = 50;

export type DecodedAnswer =
  | {
      readonly kind: 'answer';
      readonly findings: readonly Finding[];
      readonly injectionSuspected: boolean;
      /** Findings beyond the limit that were dropped, the least severe ones. */
      readonly dropped: number;
    }
  /** `problem` goes back to the model for its one repair; it repeats nothing the model wrote. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Reads the final answer. Tolerant of its packaging: a code fence, JSON encoded twice, several objects of which one
 * is the answer; and of texts longer than the schema allows, which are cut, since the service does not enforce
 * lengths. Everything else must fit the schema, and prose is never searched for findings.
 */
export function decodeAnswer(text: string): DecodedAnswer {
  const candidates = findObjects(text).map(asAnswerObject).filter(hasFindings);
  // Several objects: the last one that carries findings is the final word.
  const candidate = candidates.at(-1);
  if (candidate === undefined) {
    return { kind: 'unreadable', problem: 'it is no JSON object with the key findings' };
  }
  const parsed = PassAnswer.safeParse({
    injection_suspected: false,
    ...candidate,
    findings: candidate.findings.map(clampFinding),
  });
  if (!parsed.success) return { kind: 'unreadable', problem: describeProblems(parsed.error) };
  const findings = parsed.data.findings.toSorted(bySeverity);
  return {
    kind: 'answer',
    findings: findings.slice(0, MAX_FINDINGS_PER_ANSWER),
    injectionSuspected: parsed.data.injection_suspected,
    dropped: Math.max(0, findings.length - MAX_FINDINGS_PER_ANSWER),
  };
}

/** Worst first; equal ones keep their order. */
export function bySeverity(left: Pick<Finding, 'severity'>, right: Pick<Finding, 'severity'>): number {
  return SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity);
}

interface AnswerObject extends Readonly<Record<string, unknown>> {
  readonly findings: readonly unknown[];
}

function hasFindings(value: Readonly<Record<string, unknown>> | undefined): value is AnswerObject {
  return value !== undefined && Array.isArray(value['findings']);
}

const MAX_LENGTHS: Readonly<Record<string, number>> = {
  category: 60,
  title: 200,
  body: 4000,
  evidence: 2000,
};

function clampFinding(value: unknown): unknown {
  const finding = asAnswerObject(value);
  if (finding === undefined) return value;
  const clamped: Record<string, unknown> = { ...finding };
  for (const [key, length] of Object.entries(MAX_LENGTHS)) {
    const text = clamped[key];
    if (typeof text === 'string' && text.length > length) clamped[key] = text.slice(0, length);
  }
  // Half a replacement is worse than none.
  const { suggestion } = clamped;
  if (typeof suggestion === 'string' && suggestion.length > 4000) clamped['suggestion'] = null;
  return clamped;
}

function asAnswerObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

/** Every top-level JSON object in the text, in order. */
function findObjects(text: string): unknown[] {
  const whole = parseJson(text.trim());
  if (typeof whole === 'string') return findObjects(whole);
  if (whole !== undefined) return [whole];
  const objects: unknown[] = [];
  let at = text.indexOf('{');
  for (let tries = 0; at !== -1 && tries < MAX_OBJECT_TRIES; tries += 1) {
    const end = endOfObject(text, at);
    if (end === undefined) break;
    const value = parseJson(text.slice(at, end));
    if (value !== undefined) objects.push(value);
    at = text.indexOf('{', value === undefined ? at + 1 : end);
  }
  return objects;
}

/** Index after the bracket that closes the one at `start`; undefined when the text ends first. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
