import { z } from 'zod';
import type { IdentityReader } from '../ports.ts';
import type { PostedStatus, StatusState, StatusWriter } from '../write-ports.ts';
import type { GitHubClient } from './github-client.ts';
import { User } from './schemas.ts';

const Status = z.object({
  id: z.number(),
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string(),
  target_url: z.string().nullish(),
  creator: User.optional(),
});

const STATES: Readonly<Record<StatusState, string>> = {
  running: 'pending',
  passed: 'success',
  failed: 'failure',
  // There is no neutral commit status; one that is not red is the nearest.
  neutral: 'success',
};

/** GitHub refuses longer descriptions. */
const MAX_DESCRIPTION = 140;

/**
 * Commit statuses, for tokens, which cannot write check runs. GitHub keeps every status and shows the newest of
 * each context, so setting one again replaces it; a context takes 1,000 of them for one commit.
 */
export function createCommitStatusWriter(client: GitHubClient, identity: IdentityReader): StatusWriter {
  return {
    kind: 'commit-status',
    async setStatus(ref, report, signal) {
      const session = await client.forRepository(ref);
      const posted = await session.write(
        'POST /repos/{owner}/{repo}/statuses/{sha}',
        {
          sha: report.headSha,
          state: STATES[report.state],
          context: report.name,
          description: report.title.slice(0, MAX_DESCRIPTION),
          ...(report.url === undefined ? {} : { target_url: report.url }),
        },
        Status,
        signal,
      );
      return toPosted(posted);
    },
    async findStatus(ref, headSha, name) {
      const session = await client.forRepository(ref);
      const { id } = await identity.whoAmI();
      const statuses = await session.list(
        '/repos/{owner}/{repo}/commits/{headSha}/statuses',
        { headSha },
        Status,
      );
      const found = statuses.find((status) => status.context === name && String(status.creator?.id) === id);
      return found === undefined ? undefined : toPosted(found);
    },
  };
}

function toPosted(status: z.output<typeof Status>): PostedStatus {
  return { id: String(status.id), url: status.target_url ?? '', state: toState(status.state) };
}

function toState(state: z.output<typeof Status>['state']): StatusState {
  if (state === 'pending') return 'running';
  return state === 'success' ? 'passed' : 'failed';
}
