import type { AppRecord } from '../stack/app-records.ts';

/** One line for a person who waits; undefined for records that say nothing new to them. */
export function describeProgress(record: AppRecord): string | undefined {
  switch (record.event) {
    case 'webhook.accepted':
      return 'webhook accepted and stored';
    case 'job.started':
      return 'review started';
    case 'review.gathered':
      return `gathered: ${text(record['files'])} files to review, ${text(record['excluded'])} left out`;
    case 'review.planned':
      return `planned: ${text(record['tier'])} tier, ${text(record['passes'])} passes, model ${text(record['model'])}`;
    case 'pass.ended':
      return `pass ended: ${text(record['pass'])}`;
    case 'review.judged':
      return `judged: ${text(record['verified'])} verified findings`;
    case 'job.deferred':
      return `waiting: ${text(record['reason'])}`;
    case 'job.attemptFailed':
      return `attempt failed: ${text(record['code'] ?? record['reason'])}`;
    case 'job.settled':
      return `ended: ${text(record['outcome'])} (${text(record['reason'])})`;
    default:
      return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
