import type { NewJob } from '../domain/job.ts';
import { matchesRepository } from './webhooks/repository-globs.ts';

/** Key in `NewJob.ids` of the globs that the signing secret is limited to, as a JSON list. */
const SIGNED_FOR_ID = 'signedFor';

/** The job with the limits of the secret that signed its event; see `WebhookEvent.signedFor`. */
export function withSignedScope(job: NewJob, signedFor: readonly string[] | undefined): NewJob {
  return signedFor === undefined
    ? job
    : { ...job, ids: { ...job.ids, [SIGNED_FOR_ID]: JSON.stringify(signedFor) } };
}

/**
 * True when the job may act on this repository. The worker asks it with the name that the provider returned for
 * the repository's id: whoever holds a secret for some repositories can sign an event that carries a name of
 * theirs and the id of another repository.
 */
export function isInSignedScope(job: Pick<NewJob, 'ids'>, repository: string): boolean {
  const text = job.ids[SIGNED_FOR_ID];
  if (text === undefined) return true;
  const globs: unknown = JSON.parse(text);
  return (
    Array.isArray(globs) &&
    matchesRepository(
      globs.filter((glob) => typeof glob === 'string'),
      repository,
    )
  );
}
