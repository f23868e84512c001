import { z } from 'zod';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { IdentityReader } from '../ports.ts';
import type { PostedStatus, StatusState, StatusWriter } from '../write-ports.ts';
import { User } from './accounts.ts';
import type { GitLabClient, ProjectSession } from './gitlab-client.ts';
import { isRefused } from './gitlab-errors.ts';
import { readPull } from './pull-request-reader.ts';

const Status = z.object({
  id: z.int(),
  status: z.string(),
  name: z.string(),
  target_url: z.string().nullish(),
  author: User,
});
type Status = z.output<typeof Status>;

/** `skipped` is the only state that is neither passed nor failed and final. */
const STATES: Readonly<Record<StatusState, string>> = {
  running: 'running',
  passed: 'success',
  failed: 'failed',
  neutral: 'skipped',
};

const MAX_DESCRIPTION = 255;

/** Statuses of commits: those of a fork's merge request stand in the fork, whose pipelines it shows. */
export function createStatusWriter(client: GitLabClient, identity: IdentityReader): StatusWriter {
  async function find(session: ProjectSession, sha: string, name: string): Promise<Status | undefined> {
    const { id } = await identity.whoAmI();
    const path = `/repository/commits/${encodeURIComponent(sha)}/statuses`;
    const statuses = await session.list(path, { name }, Status);
    return statuses
      .filter((status) => status.name === name && String(status.author?.id) === id)
      .toSorted((one, other) => one.id - other.id)
      .at(-1);
  }
  return {
    kind: 'commit-status',
    async setStatus(ref, report, signal) {
      const session = await sourceOf(client, ref);
      const body = {
        state: STATES[report.state],
        name: report.name,
        description: report.title.slice(0, MAX_DESCRIPTION),
        ...(report.url === undefined ? {} : { target_url: report.url }),
      };
      const path = `/statuses/${encodeURIComponent(report.headSha)}`;
      try {
        return toPosted(await session.write('POST', path, body, Status, signal));
      } catch (error) {
        // GitLab refuses to move a status to where it is ("Cannot transition status").
        if (!isRefused(error, 400)) throw error;
        const found = await find(session, report.headSha, report.name);
        if (found === undefined || toState(found.status) !== report.state) throw error;
        return toPosted(found);
      }
    },
    async findStatus(ref, headSha, name) {
      const found = await find(await sourceOf(client, ref), headSha, name);
      return found === undefined ? undefined : toPosted(found);
    },
  };
}

async function sourceOf(client: GitLabClient, ref: PullRequestRef): Promise<ProjectSession> {
  const target = await client.forProject(ref.repositoryId);
  const { source_project_id: source } = await readPull(target, ref);
  return source === null || source === undefined || String(source) === ref.repositoryId
    ? target
    : client.forProject(String(source));
}

function toPosted(status: Status): PostedStatus {
  return { id: String(status.id), url: status.target_url ?? '', state: toState(status.status) };
}

function toState(state: string): StatusState {
  switch (state) {
    case 'success':
      return 'passed';
    case 'failed':
    case 'canceled':
      return 'failed';
    case 'skipped':
      return 'neutral';
    default:
      return 'running';
  }
}
