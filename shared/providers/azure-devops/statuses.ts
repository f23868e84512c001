import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { IdentityReader } from '../ports.ts';
import type { PostedStatus, StatusState, StatusWriter } from '../write-ports.ts';
import type { AzureDevOpsClient, RepositorySession } from './azure-devops-client.ts';
import { Identity } from './identities.ts';
import { listIterations } from './iterations.ts';

const Status = z.object({
  id: z.int(),
  state: z.string(),
  context: z.object({ genre: z.string().nullish(), name: z.string() }),
  targetUrl: z.string().nullish(),
  iterationId: z.int().nullish(),
  createdBy: Identity,
});
type Status = z.output<typeof Status>;

const Statuses = z.object({ value: z.array(Status) });

const STATES: Readonly<Record<StatusState, string>> = {
  running: 'pending',
  passed: 'succeeded',
  failed: 'failed',
  neutral: 'notApplicable',
};

/** Together with the name it is what a status policy asks for. */
const GENRE = 'gatehouse';
const MAX_DESCRIPTION = 300;

/** Statuses of an iteration, which a later push resets. The newest of each context counts; a key has no place in it. */
export function createStatusWriter(client: AzureDevOpsClient, identity: IdentityReader): StatusWriter {
  return {
    kind: 'commit-status',
    async setStatus(ref, report, signal) {
      const session = await client.forRepository(ref);
      const iterationId = await iterationOf(session, ref.number, report.headSha);
      if (iterationId === undefined) throw headMoved();
      const posted = await session.write(
        'POST',
        `/pullRequests/${ref.number}/statuses`,
        {
          state: STATES[report.state],
          description: report.title.slice(0, MAX_DESCRIPTION),
          context: { genre: GENRE, name: report.name },
          iterationId,
          ...(report.url === undefined ? {} : { targetUrl: report.url }),
        },
        Status,
        signal,
      );
      return toPosted(posted);
    },
    async findStatus(ref, headSha, name) {
      const session = await client.forRepository(ref);
      const iterationId = await iterationOf(session, ref.number, headSha);
      if (iterationId === undefined) return undefined;
      const { id } = await identity.whoAmI();
      const { value } = await session.get(`/pullRequests/${ref.number}/statuses`, {}, Statuses);
      const found = value
        .filter(
          (status) =>
            status.iterationId === iterationId &&
            status.context.genre === GENRE &&
            status.context.name === name &&
            status.createdBy?.id === id,
        )
        .toSorted((one, other) => one.id - other.id)
        .at(-1);
      return found === undefined ? undefined : toPosted(found);
    },
  };
}

async function iterationOf(
  session: RepositorySession,
  number: number,
  headSha: string,
): Promise<number | undefined> {
  const iterations = await listIterations(session, number);
  return iterations.findLast((iteration) => iteration.sourceRefCommit.commitId === headSha)?.id;
}

function toPosted(status: Status): PostedStatus {
  return { id: String(status.id), url: status.targetUrl ?? '', state: toState(status.state) };
}

function toState(state: string): StatusState {
  switch (state) {
    case 'succeeded':
      return 'passed';
    case 'failed':
    case 'error':
      return 'failed';
    case 'notApplicable':
      return 'neutral';
    default:
      return 'running';
  }
}

function headMoved(): AppError {
  return new AppError({
    kind: 'stale',
    code: 'head_moved',
    message: 'No iteration of the pull request has the head that the status is about; read it again.',
  });
}
