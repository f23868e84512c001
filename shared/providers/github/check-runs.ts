import { z } from 'zod';
import type { PostedStatus, StatusReport, StatusState, StatusWriter } from '../write-ports.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';

const CheckRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  external_id: z.string().nullish(),
  html_url: z.string().nullish(),
  app: z.object({ id: z.number(), client_id: z.string().optional() }).nullish(),
});

type CheckRun = z.output<typeof CheckRun>;

/** "Maximum: 65535 characters" (REST documentation, "Create a check run", output.summary). */
const MAX_SUMMARY = 65_535;
const MAX_TITLE = 255;

const CONCLUSIONS: Readonly<Record<Exclude<StatusState, 'running'>, string>> = {
  passed: 'success',
  failed: 'failure',
  neutral: 'neutral',
};

/** Check runs, which only an App can write. One of a name for each head commit, changed in place. */
export function createCheckRunWriter(client: GitHubClient, appId: string): StatusWriter {
  async function find(
    session: RepositorySession,
    headSha: string,
    name: string,
  ): Promise<CheckRun | undefined> {
    const runs = await session.list(
      '/repos/{owner}/{repo}/commits/{headSha}/check-runs',
      { headSha, check_name: name },
      CheckRun,
      { key: 'check_runs' },
    );
    return runs
      .filter((run) => run.name === name)
      .filter((run) => String(run.app?.id) === appId || run.app?.client_id === appId)
      .toSorted((left, right) => right.id - left.id)[0];
  }
  return {
    kind: 'check-run',
    async setStatus(ref, report, signal) {
      const session = await client.forRepository(ref);
      const known = await find(session, report.headSha, report.name);
      const body = toCheckRun(report);
      const run =
        known === undefined
          ? await session.write(
              'POST /repos/{owner}/{repo}/check-runs',
              { ...body, name: report.name, head_sha: report.headSha },
              CheckRun,
              signal,
            )
          : await session.write(
              'PATCH /repos/{owner}/{repo}/check-runs/{id}',
              { ...body, id: known.id },
              CheckRun,
              signal,
            );
      return toPosted(run);
    },
    async findStatus(ref, headSha, name) {
      const found = await find(await client.forRepository(ref), headSha, name);
      return found === undefined ? undefined : toPosted(found);
    },
  };
}

function toCheckRun(report: StatusReport): Record<string, unknown> {
  return {
    external_id: report.key,
    ...(report.state === 'running'
      ? { status: 'in_progress' }
      : { status: 'completed', conclusion: CONCLUSIONS[report.state] }),
    ...(report.url === undefined ? {} : { details_url: report.url }),
    output: { title: report.title.slice(0, MAX_TITLE), summary: report.summary.slice(0, MAX_SUMMARY) },
  };
}

function toPosted(run: CheckRun): PostedStatus {
  return {
    id: String(run.id),
    url: run.html_url ?? '',
    state: toState(run),
    ...(typeof run.external_id === 'string' && run.external_id !== '' ? { key: run.external_id } : {}),
  };
}

function toState(run: CheckRun): StatusState {
  if (run.status !== 'completed') return 'running';
  if (run.conclusion === 'success') return 'passed';
  return run.conclusion === 'failure' ? 'failed' : 'neutral';
}
