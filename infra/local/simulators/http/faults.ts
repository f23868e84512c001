import { z } from 'zod';

/** Which requests a fault hits. Every given part must hold. */
const FaultMatch = z.strictObject({
  method: z.string().optional(),
  /** Substring of the path without the API prefix. */
  path: z.string().optional(),
  /** Regular expression over path and query. */
  pattern: z.string().optional(),
  /** Substring of the request body, e.g. the name of a GraphQL mutation. */
  body: z.string().optional(),
});
export type FaultMatch = z.infer<typeof FaultMatch>;

const FaultAction = z.discriminatedUnion('kind', [
  /** Answers this instead of doing the work: limits, server errors, anything. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(100).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    /** A string is sent as it is, anything else as JSON. */
    body: z.unknown().optional(),
    /** Raw bytes instead, e.g. of an archive. */
    bodyBase64: z.string().optional(),
  }),
  /** Does the work, then closes the connection without an answer. */
  z.strictObject({ kind: z.literal('lose-response') }),
  /** Closes the connection before doing the work. */
  z.strictObject({ kind: z.literal('lose-request') }),
  /** Waits, then does the work and answers. */
  z.strictObject({ kind: z.literal('delay'), ms: z.number().min(0).max(600_000) }),
  /** Answers a sign-in page instead of doing the work. */
  z.strictObject({ kind: z.literal('html'), status: z.int().optional() }),
  /** Does the work and cuts the JSON answer in half. */
  z.strictObject({ kind: z.literal('truncated-json') }),
  /** Answers the page without its items, although it still promises a next one. */
  z.strictObject({ kind: z.literal('empty-page') }),
  /** Answers the items of the previous page of the same listing again. */
  z.strictObject({ kind: z.literal('repeat-page') }),
  z.strictObject({
    kind: z.literal('redirect'),
    location: z.string(),
    status: z.int().min(300).max(399).optional(),
  }),
  /** Someone pushes right before the request is handled. `revision` is what the head becomes. */
  z.strictObject({
    kind: z.literal('head-moves-now'),
    number: z.int().min(1),
    revision: z.string(),
    repository: z.string().optional(),
  }),
  /** The token of this request has just expired. */
  z.strictObject({ kind: z.literal('token-expired') }),
]);
export type FaultAction = z.infer<typeof FaultAction>;

export const FaultSpec = z.strictObject({
  match: FaultMatch.optional(),
  action: FaultAction,
  /** Requests it hits; default 1. */
  times: z.int().min(1).optional(),
  /** Matching requests it lets through first; default 0. */
  skip: z.int().min(0).optional(),
});
export type FaultSpec = z.infer<typeof FaultSpec>;

export interface FaultHandle {
  readonly id: number;
  /** Requests hit so far. */
  hits(): number;
  cancel(): void;
}

export interface FaultSubject {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

export interface FaultInjector {
  /** Arms a fault for the next matching request(s). Faults are tried in the order they were armed; one hits a request. */
  next(spec: FaultSpec): FaultHandle;
  /** What happens to this request; counts it. */
  take(subject: FaultSubject): FaultAction | undefined;
  pending(): readonly (FaultSpec & { readonly id: number; readonly hits: number })[];
  clear(): void;
}

interface Armed {
  readonly id: number;
  readonly spec: FaultSpec;
  readonly pattern: RegExp | undefined;
  seen: number;
  hits: number;
}

function matches(armed: Armed, subject: FaultSubject): boolean {
  const match = armed.spec.match ?? {};
  return (
    (match.method === undefined || match.method.toUpperCase() === subject.method) &&
    (match.path === undefined || subject.path.includes(match.path)) &&
    (armed.pattern === undefined || armed.pattern.test(`${subject.path}${subject.query}`)) &&
    (match.body === undefined || subject.body.includes(match.body))
  );
}

export function createFaultInjector(): FaultInjector {
  let armed: Armed[] = [];
  let lastId = 0;
  return {
    next(spec) {
      const pattern = spec.match?.pattern;
      lastId += 1;
      const entry: Armed = {
        id: lastId,
        spec,
        pattern: pattern === undefined ? undefined : new RegExp(pattern),
        seen: 0,
        hits: 0,
      };
      armed.push(entry);
      return {
        id: entry.id,
        hits: () => entry.hits,
        cancel: () => {
          armed = armed.filter((other) => other !== entry);
        },
      };
    },
    take(subject) {
      for (const entry of armed) {
        if (!matches(entry, subject)) continue;
        entry.seen += 1;
        if (entry.seen <= (entry.spec.skip ?? 0)) continue;
        entry.hits += 1;
        if (entry.hits >= (entry.spec.times ?? 1)) armed = armed.filter((other) => other !== entry);
        return entry.spec.action;
      }
      return undefined;
    },
    pending: () => armed.map((entry) => ({ ...entry.spec, id: entry.id, hits: entry.hits })),
    clear: () => {
      armed = [];
    },
  };
}
