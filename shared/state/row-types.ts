import { z } from 'zod';
import { JOB_CLASSES, JOB_KINDS } from '../domain/job.ts';
import { PROVIDER_IDS, type PullRequestRef } from '../domain/pull-request.ts';
import {
  defineRow,
  enumColumn,
  flagColumn,
  int32Column,
  int64Column,
  jsonColumn,
  textColumn,
} from './define-row.ts';

const PullRequestRefSchema: z.ZodType<PullRequestRef> = z.strictObject({
  provider: z.enum(PROVIDER_IDS),
  instance: z.string(),
  repositoryId: z.string(),
  number: z.int(),
  repository: z.string(),
});

const Ids = z.record(z.string(), z.string());

/** Row `h`: one per pull request, never deleted. */
export const headRow = defineRow({
  name: 'head',
  version: 1,
  upgrades: [],
  columns: {
    /** Ticket that the next job gets. */
    next: int64Column,
    /** Ticket of the newest job of class push; 0 when there was none. */
    newestPush: int64Column,
    /** Ticket of the newest job of class control; 0 when there was none. */
    newestControl: int64Column,
    /** The pull request with its latest names, so that a sweep can wake it. */
    pr: jsonColumn(PullRequestRefSchema),
  },
});
export type HeadRow = ReturnType<typeof headRow.decode>;

/** Row `j<ticket>`: one waiting or running job. */
export const jobRow = defineRow({
  name: 'job',
  version: 1,
  upgrades: [],
  columns: {
    kind: enumColumn(JOB_KINDS),
    class: enumColumn(JOB_CLASSES),
    cause: textColumn,
    ids: jsonColumn(Ids),
    /** Crashes, time-outs and bugs, the running attempt included. */
    attempts: int32Column,
    /** Transient failures so far; they set the delay, not the attempts. */
    delays: int32Column,
    notBefore: int64Column,
    firstFailedAt: int64Column,
  },
});
export type JobRow = ReturnType<typeof jobRow.decode>;

/** Row `l`: who works on the pull request. Never deleted, so that fences never restart. */
export const leaseRow = defineRow({
  name: 'lease',
  version: 1,
  upgrades: [],
  columns: {
    /** Grows by one with every holder. */
    fence: int64Column,
    /** Token of one drain; empty when nobody holds it. */
    owner: textColumn,
    until: int64Column,
  },
});
export type LeaseRow = ReturnType<typeof leaseRow.decode>;

/** Row `s`: PullRequestState as JSON, at most 32 KiB. */
export const stateRow = defineRow({
  name: 'state',
  version: 1,
  upgrades: [],
  columns: { state: jsonColumn(z.record(z.string(), z.unknown())) },
});

/** Row `d<hash>`: a delivery that was accepted. */
export const deliveryRow = defineRow({
  name: 'delivery',
  version: 1,
  upgrades: [],
  columns: {
    ticket: int64Column,
    /** Token of the request that appended it: tells a repeated request from a repeated delivery. */
    request: textColumn,
  },
});

/** Row `x<ticket>`: a job that failed for good. */
export const deadLetterRow = defineRow({
  name: 'deadLetter',
  version: 1,
  upgrades: [],
  columns: {
    kind: enumColumn(JOB_KINDS),
    class: enumColumn(JOB_CLASSES),
    cause: textColumn,
    ids: jsonColumn(Ids),
    /** True once the failure was shown on the pull request. */
    reported: flagColumn,
  },
});
export type DeadLetterRow = ReturnType<typeof deadLetterRow.decode>;

/** Row types by the name that keys.ts gives to their prefix. */
export const SESSION_ROWS = {
  head: headRow,
  job: jobRow,
  lease: leaseRow,
  state: stateRow,
  delivery: deliveryRow,
  deadLetter: deadLetterRow,
} as const;
