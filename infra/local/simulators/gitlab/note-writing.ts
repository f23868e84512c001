import type { GitLabContext, PullCall } from './context.ts';
import { badNote, forbidden, notFound, refuse } from './errors.ts';
import type { SentPosition } from './request-bodies.ts';
import type { GitLabState, SimDiscussion, SimNote, SimPull, SimUser } from './state.ts';
import { levelOf } from './state.ts';

/** Commands that the real service carries out with the rights of a note's author. */
const QUICK_ACTION =
  /^\/(?:close|reopen|merge|approve|unapprove|assign|assign_reviewer|label|title|draft|ready|lock|rebase|target_branch)\b.*$/gm;

export interface NewNote {
  readonly author: SimUser | null;
  readonly body: string;
  readonly type: SimNote['type'];
  readonly position?: SentPosition;
  readonly system?: boolean;
  readonly internal?: boolean;
}

export function makeNote(state: GitLabState, note: NewNote): SimNote {
  return {
    id: state.nextId(),
    type: note.type,
    author: note.author,
    body: note.body,
    system: note.system ?? false,
    internal: note.internal ?? false,
    posted: note.position,
    position: note.position,
    resolvable: note.type !== null && note.system !== true,
    resolved: false,
    resolvedBy: null,
    createdAt: state.now(),
    updatedAt: state.now(),
    awards: [],
  };
}

/** The text of a note without its quick actions, which are recorded as carried out. */
export function acceptBody(context: GitLabContext, call: PullCall, body: string): string {
  const { maxNoteLength } = context.state.limits;
  if (body.length > maxNoteLength)
    return badNote(`:note=>["is too long (maximum is ${maxNoteLength} characters)"]`);
  const commands = body.replace(/^```[^]*?^```/gm, '').match(QUICK_ACTION) ?? [];
  for (const command of commands) record(context, call, 'quick_action.executed', { command });
  const text = commands.reduce((rest, command) => rest.replace(command, ''), body);
  return text.trim() === '' ? badNote(`:note=>["can't be blank"]`) : text;
}

export function record(
  { writes, state }: GitLabContext,
  { request, viewer, pull, project }: PullCall,
  kind: string,
  details: Record<string, unknown>,
): void {
  writes.add({
    at: state.now(),
    kind,
    requestId: request.id,
    actor: viewer.username,
    details: { number: pull.iid, repository: project.id, ...details },
  });
}

export function discussionOf({ pull, request, viewer }: PullCall): SimDiscussion {
  const found = pull.discussions.find(({ id }) => id === request.params['discussion']);
  return found === undefined || !isVisible(pull, found, viewer) ? notFound('Discussion') : found;
}

/** Internal notes are for reporters and up. */
export function isVisible(pull: SimPull, { notes }: SimDiscussion, viewer: SimUser): boolean {
  return notes[0]?.internal !== true || levelOf(pull.project, viewer) >= 20;
}

export function findNote(
  pull: SimPull,
  id: number,
): { readonly discussion: SimDiscussion; readonly note: SimNote } | undefined {
  for (const discussion of pull.discussions) {
    const note = discussion.notes.find((candidate) => candidate.id === id);
    if (note !== undefined) return { discussion, note };
  }
  return undefined;
}

export function noteOf({ pull, request }: PullCall): {
  readonly discussion: SimDiscussion;
  readonly note: SimNote;
} {
  return findNote(pull, Number(request.params['note'])) ?? notFound('Note');
}

/** Authors change their notes; maintainers those of all. */
export function requireOwnNote(call: PullCall): { discussion: SimDiscussion; note: SimNote } {
  const found = noteOf(call);
  if (found.note.author?.id !== call.viewer.id && levelOf(call.project, call.viewer) < 40) return forbidden();
  return found;
}

export function changeNote(
  context: GitLabContext,
  call: PullCall,
  note: SimNote,
  change: { readonly body?: string | undefined; readonly resolved?: boolean | undefined },
): void {
  if ((change.body === undefined) === (change.resolved === undefined))
    return refuse(
      400,
      change.body === undefined
        ? 'body, resolved are missing, exactly one parameter must be provided'
        : 'body, resolved are mutually exclusive',
    );
  if (change.body !== undefined) {
    note.body = acceptBody(context, call, change.body);
    note.updatedAt = context.state.now();
    record(context, call, 'note.edited', { noteId: note.id });
  } else if (change.resolved !== undefined) {
    resolve(context, call, note, change.resolved);
  }
}

export function resolve(context: GitLabContext, call: PullCall, note: SimNote, resolved: boolean): void {
  if (!note.resolvable) refuse(400, '400 Bad request - Discussion cannot be resolved');
  note.resolved = resolved;
  note.resolvedBy = resolved ? call.viewer : null;
  record(context, call, resolved ? 'note.resolved' : 'note.unresolved', { noteId: note.id });
}
