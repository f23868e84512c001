import type { PullRequest } from '../domain/pull-request.ts';
import { CONTROL_ACTIONS, type ControlAction, type Job } from '../domain/job.ts';
import type { Provider } from '../providers/ports.ts';
import { isInSignedScope } from '../providers/signed-scope.ts';
import { decideControl } from '../sessions/control.ts';
import { CONTROL_ACTION_ID, type ApplyControl, type ControlDecision } from '../sessions/ports.ts';

/** Names of the ids by which ingress says who caused a job. */
const ACTOR = { id: 'actorId', login: 'actorLogin' } as const;

/** What a control job's claim is checked with. */
type ControlProvider = Pick<Provider, 'pullRequests' | 'permissions'>;

export interface ApplyControlDeps {
  /** @throws AppError when the instance is not configured. */
  providerFor(instance: string): Promise<ControlProvider>;
}

/**
 * Checks what a control job claims with the provider before it takes effect. Threat: a payload that says "closed",
 * or a stranger's `/review stop`, silences reviews for everybody.
 */
export function createApplyControl(deps: ApplyControlDeps): ApplyControl {
  return async (control, context) => {
    const provider = await deps.providerFor(context.pr.instance);
    const pullRequest = await provider.pullRequests.getPullRequest(context.pr);
    const holds = await doesHold(provider, pullRequest, control);
    return holds ? decideControl(control, context) : ignored('not_confirmed');
  };
}

async function doesHold(provider: ControlProvider, pullRequest: PullRequest, control: Job): Promise<boolean> {
  if (!isInSignedScope(control, pullRequest.ref.repository)) return false;
  const action = readAction(control);
  switch (action) {
    case 'closed':
      return pullRequest.state !== 'open';
    case 'merged':
      return pullRequest.state === 'merged';
    case 'draft':
      return pullRequest.isDraft;
    case 'stop':
    case 'pause':
    case 'resume':
      return mayCommand(provider, pullRequest, control);
    case 'comment-deleted':
      // What it undoes was asked for by that comment; whoever could delete it may take it back.
      return true;
    case undefined:
      return false;
  }
}

/** The author, or somebody with write access as the provider says now. */
async function mayCommand(
  provider: ControlProvider,
  pullRequest: PullRequest,
  control: Job,
): Promise<boolean> {
  const { [ACTOR.id]: id, [ACTOR.login]: login } = control.ids;
  if (id === undefined || login === undefined) return false;
  if (id === pullRequest.author.id) return true;
  const permission = await provider.permissions?.getPermission(pullRequest.ref, { id, login, isBot: false });
  return permission === 'write' || permission === 'admin';
}

function readAction(control: Job): ControlAction | undefined {
  return CONTROL_ACTIONS.find((action) => action === control.ids[CONTROL_ACTION_ID]);
}

function ignored(reason: string): ControlDecision {
  return { kind: 'ignored', reason };
}
