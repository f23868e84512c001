import { CONTROL_ACTIONS, type ControlAction, type Job } from '../domain/job.ts';
import { COMMENT_ID, CONTROL_ACTION_ID, type ControlContext, type ControlDecision } from './ports.ts';

/**
 * What a control job does once its claim was found to hold (really closed; the actor may say so):
 * `stop` drops everything asked for so far, `pause` the reviews of pushes (the worker skips those to come until
 * `resume`); `closed`, `merged` and
 * `draft` end the run in progress, and the jobs that wait find out by themselves; `comment-deleted` drops what
 * the comment asked for.
 */
export function decideControl(control: Job, context: ControlContext): ControlDecision {
  const { state, earlier, running } = context;
  const action = readAction(control);
  const drop = (isDropped: (job: Job) => boolean, next = state): ControlDecision => {
    const removed = earlier.filter(isDropped).map(({ ticket }) => ticket);
    const stopsRun = running !== undefined && removed.includes(running.ticket);
    return { kind: 'applied', state: next, removed, stopsRun };
  };
  switch (action) {
    case 'stop':
      return drop(() => true);
    case 'pause':
      return drop(({ class: jobClass }) => jobClass === 'push', { ...state, paused: true });
    case 'resume':
      return { kind: 'applied', state: { ...state, paused: false }, removed: [], stopsRun: false };
    case 'closed':
    case 'merged':
      return {
        kind: 'applied',
        state: { ...state, closedTicket: control.ticket },
        removed: [],
        stopsRun: running !== undefined,
      };
    case 'draft':
      return { kind: 'applied', state, removed: [], stopsRun: running !== undefined };
    case 'comment-deleted': {
      const comment = control.ids[COMMENT_ID];
      return drop(({ class: jobClass, ids }) => jobClass === 'command' && ids[COMMENT_ID] === comment);
    }
    default:
      return { kind: 'ignored', reason: 'unknown_action' };
  }
}

function readAction(control: Job): ControlAction | undefined {
  const action = control.ids[CONTROL_ACTION_ID];
  return CONTROL_ACTIONS.find((known) => known === action);
}
