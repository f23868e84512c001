import { z } from 'zod';
import type { Route } from '../../http/router.ts';
import type { GitHubContext, RepositoryRequest } from '../context.ts';
import { repositoryRoute, requirePermission } from '../context.ts';
import type { SimCheckRun } from '../state/model.ts';
import { forbidden, notFound, unprocessable } from './errors.ts';
import { pageReply } from './paging.ts';
import { renderApp } from './render-accounts.ts';
import { parseBody } from './request-body.ts';
import { isoTime } from './urls.ts';

const Annotation = z.object({
  path: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  start_column: z.int().optional(),
  end_column: z.int().optional(),
  annotation_level: z.enum(['notice', 'warning', 'failure']),
  message: z.string(),
  title: z.string().optional(),
  raw_details: z.string().optional(),
});
const Output = z.object({
  title: z.string().optional(),
  summary: z.string().max(65_535),
  text: z.string().max(65_535).optional(),
  annotations: z.array(Annotation).max(50).optional(),
});
const Fields = {
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  started_at: z.string().optional(),
  completed_at: z.string().optional(),
  conclusion: z
    .enum(['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required'])
    .optional(),
  output: Output.optional(),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .max(3)
    .optional(),
};
const NewCheckRun = z.object({ name: z.string(), head_sha: z.string(), ...Fields });
const CheckRunUpdate = z.object({ name: z.string().optional(), ...Fields });

/** Only Apps write check runs, whatever a token may do otherwise. */
function requireAppToken({ viewer }: RepositoryRequest): void {
  if (viewer.kind !== 'installation') throw forbidden('You must authenticate via a GitHub App.');
  requirePermission(viewer, 'checks', 'write');
}

function requireRun({ request, repository }: RepositoryRequest): SimCheckRun {
  const run = repository.checkRuns.find((candidate) => String(candidate.id) === request.params['run']);
  if (run === undefined) throw notFound();
  return run;
}

/** Check runs. Annotations of later calls are appended to the earlier ones. */
export function checkRoutes(context: GitHubContext): Route[] {
  const { state, writes } = context;
  function render(run: SimCheckRun, { repository, urls }: RepositoryRequest): Record<string, unknown> {
    const url = `${urls.repository(repository)}/check-runs/${run.id}`;
    const { annotations, ...output } = run.output;
    return {
      id: run.id,
      node_id: run.nodeId,
      head_sha: run.headSha,
      name: run.name,
      external_id: run.externalId,
      url,
      html_url: `${urls.web}/${repository.fullName}/runs/${run.id}`,
      details_url: run.detailsUrl ?? null,
      status: run.status,
      conclusion: run.conclusion,
      started_at: isoTime(run.startedAt),
      completed_at: isoTime(run.completedAt),
      output: {
        ...output,
        annotations_count: annotations.length,
        annotations_url: `${url}/annotations`,
      },
      check_suite: { id: run.id + 1 },
      app: state.app === undefined ? null : renderApp(state.app, urls),
      pull_requests: [...repository.pulls.values()]
        .filter((pull) => pull.headSha === run.headSha && pull.fork === undefined)
        .map((pull) => ({ id: pull.id, number: pull.number, url: urls.pull(pull) })),
    };
  }
  function apply(run: SimCheckRun, change: z.infer<typeof CheckRunUpdate>): void {
    const { output } = change;
    const isCompleted = change.status === 'completed' && change.conclusion === undefined;
    if (isCompleted && run.conclusion === null) {
      throw unprocessable('Invalid request.\n\n"conclusion" wasn\'t supplied.');
    }
    run.name = change.name ?? run.name;
    run.externalId = change.external_id ?? run.externalId;
    run.detailsUrl = change.details_url ?? run.detailsUrl;
    run.actions = change.actions ?? run.actions;
    run.conclusion = change.conclusion ?? run.conclusion;
    // A conclusion completes a run by itself.
    run.status = change.conclusion === undefined ? (change.status ?? run.status) : 'completed';
    if (run.status === 'completed') run.completedAt ??= state.now();
    if (output === undefined) return;
    run.output = {
      title: output.title ?? run.output.title,
      summary: output.summary,
      text: output.text ?? run.output.text,
      annotations: [...run.output.annotations, ...(output.annotations ?? [])],
    };
  }
  function record(kind: string, run: SimCheckRun, input: RepositoryRequest): void {
    writes.add({
      at: state.now(),
      kind,
      requestId: input.request.id,
      actor: input.viewer.user.login,
      details: {
        repository: input.repository.fullName,
        checkRunId: run.id,
        name: run.name,
        status: run.status,
        conclusion: run.conclusion,
      },
    });
  }
  return [
    repositoryRoute(context, 'POST', '/check-runs', async (input) => {
      requireAppToken(input);
      const body = parseBody(context, input.request, NewCheckRun);
      const sha = await input.repository.git.findCommit(body.head_sha);
      if (sha === undefined) throw unprocessable(`No commit found for SHA: ${body.head_sha}`);
      const id = state.ids.next();
      const run: SimCheckRun = {
        id,
        nodeId: state.ids.node('CR', id),
        headSha: sha,
        name: body.name,
        externalId: '',
        status: 'queued',
        conclusion: null,
        detailsUrl: undefined,
        output: { title: null, summary: null, text: null, annotations: [] },
        actions: [],
        startedAt: state.now(),
        completedAt: undefined,
      };
      apply(run, body);
      input.repository.checkRuns.push(run);
      record('check_run.created', run, input);
      return { status: 201, json: render(run, input) };
    }),
    repositoryRoute(context, 'PATCH', '/check-runs/:run', (input) => {
      requireAppToken(input);
      const run = requireRun(input);
      apply(run, parseBody(context, input.request, CheckRunUpdate));
      record('check_run.updated', run, input);
      return { status: 200, json: render(run, input) };
    }),
    repositoryRoute(context, 'GET', '/check-runs/:run', (input) => ({
      status: 200,
      json: render(requireRun(input), input),
    })),
    repositoryRoute(context, 'GET', '/check-runs/:run/annotations', (input) =>
      pageReply(input.request, input.repository, requireRun(input).output.annotations, (item) => item),
    ),
    repositoryRoute(context, 'GET', '/commits/:ref/check-runs', async (input) => {
      const { request, repository } = input;
      requirePermission(input.viewer, 'checks', 'read');
      const sha = await repository.git.findCommit(request.params['ref'] ?? '');
      const name = request.query.get('check_name');
      const runs = repository.checkRuns.filter(
        (run) => run.headSha === sha && (name === null || run.name === name),
      );
      const page = pageReply(request, repository, runs, (run) => render(run, input));
      return { ...page, json: { total_count: runs.length, check_runs: page.json } };
    }),
  ];
}
