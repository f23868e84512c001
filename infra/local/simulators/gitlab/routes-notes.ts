import type { Route } from '../http/router.ts';
import type { GitLabContext, PullCall } from './context.ts';
import { page, pullRoute } from './context.ts';
import { forbidden, notFound } from './errors.ts';
import {
  acceptBody,
  changeNote,
  discussionOf,
  isVisible,
  makeNote,
  noteOf,
  record,
  requireOwnNote,
  resolve,
} from './note-writing.ts';
import { checkPosition } from './positions.ts';
import { renderAward, renderDiscussion, renderNote } from './render.ts';
import { BODIES } from './request-bodies.ts';
import type { SimAward, SimDiscussion } from './state.ts';
import { discussionId, levelOf } from './state.ts';

/** Discussions, notes and award emoji. */
export function noteRoutes(context: GitLabContext): Route[] {
  const { state, bodies } = context;

  function award(call: PullCall, awards: SimAward[], target: Record<string, unknown>) {
    const { name } = bodies.read(call.request, 'award', BODIES.award);
    // Answered 404, not 409, by the real service.
    if (awards.some((one) => one.name === name && one.user.id === call.viewer.id))
      return notFound('Award Emoji Name has already been taken');
    const made = { id: state.nextId(), name, user: call.viewer };
    awards.push(made);
    record(context, call, 'award_emoji.created', { ...target, name });
    return { status: 201, json: renderAward(made) };
  }

  return [
    pullRoute(context, 'GET', '/discussions', ({ pull, request, viewer }) =>
      page(
        request,
        pull.discussions
          .filter((discussion) => isVisible(pull, discussion, viewer))
          .map((discussion) => renderDiscussion(pull, discussion)),
      ),
    ),
    pullRoute(context, 'GET', '/discussions/:discussion', (call) => ({
      status: 200,
      json: renderDiscussion(call.pull, discussionOf(call)),
    })),
    pullRoute(context, 'POST', '/discussions', async (call) => {
      const { body, position } = bodies.read(call.request, 'newDiscussion', BODIES.newDiscussion);
      if (levelOf(call.project, call.viewer) < 20) return forbidden();
      if (position !== undefined) await checkPosition(state, call.pull, position);
      const note = makeNote(state, {
        author: call.viewer,
        body: acceptBody(context, call, body),
        type: position === undefined ? 'DiscussionNote' : 'DiffNote',
        ...(position === undefined ? {} : { position }),
      });
      const discussion: SimDiscussion = { id: discussionId(note.id), individual: false, notes: [note] };
      call.pull.discussions.push(discussion);
      record(context, call, 'discussion.created', { discussionId: discussion.id, noteId: note.id });
      return { status: 201, json: renderDiscussion(call.pull, discussion) };
    }),
    pullRoute(context, 'PUT', '/discussions/:discussion', (call) => {
      const discussion = discussionOf(call);
      const { resolved } = bodies.read(call.request, 'resolved', BODIES.resolved);
      const isOwn = discussion.notes[0]?.author?.id === call.viewer.id;
      if (levelOf(call.project, call.viewer) < 30 && !isOwn) return forbidden();
      for (const note of discussion.notes) resolve(context, call, note, resolved);
      return { status: 200, json: renderDiscussion(call.pull, discussion) };
    }),
    pullRoute(context, 'POST', '/discussions/:discussion/notes', (call) => {
      const discussion = discussionOf(call);
      const { body } = bodies.read(call.request, 'newNote', BODIES.newNote);
      if (levelOf(call.project, call.viewer) < 20) return forbidden();
      const first = discussion.notes[0];
      const note = makeNote(state, {
        author: call.viewer,
        body: acceptBody(context, call, body),
        type: first?.type ?? 'DiscussionNote',
        internal: first?.internal ?? false,
        ...(first?.position === undefined ? {} : { position: first.position }),
      });
      discussion.notes.push(note);
      record(context, call, 'note.created', { discussionId: discussion.id, noteId: note.id });
      return { status: 201, json: renderNote(call.pull, note) };
    }),
    pullRoute(context, 'PUT', '/discussions/:discussion/notes/:note', (call) => {
      discussionOf(call);
      const { note } = requireOwnNote(call);
      changeNote(context, call, note, bodies.read(call.request, 'changedNote', BODIES.changedNote));
      return { status: 200, json: renderNote(call.pull, note) };
    }),
    pullRoute(context, 'POST', '/notes', (call) => {
      const { body, internal = false } = bodies.read(call.request, 'newNote', BODIES.newNote);
      if (levelOf(call.project, call.viewer) < 20) return forbidden();
      const text = acceptBody(context, call, body);
      const note = makeNote(state, { author: call.viewer, body: text, type: null, internal });
      const discussion: SimDiscussion = { id: discussionId(note.id), individual: true, notes: [note] };
      call.pull.discussions.push(discussion);
      record(context, call, 'note.created', { discussionId: discussion.id, noteId: note.id });
      return { status: 201, json: renderNote(call.pull, note) };
    }),
    pullRoute(context, 'GET', '/notes/:note', (call) => ({
      status: 200,
      json: renderNote(call.pull, noteOf(call).note),
    })),
    pullRoute(context, 'PUT', '/notes/:note', (call) => {
      const { note } = requireOwnNote(call);
      const { body } = bodies.read(call.request, 'newNote', BODIES.newNote);
      changeNote(context, call, note, { body });
      return { status: 200, json: renderNote(call.pull, note) };
    }),
    pullRoute(context, 'DELETE', '/notes/:note', (call) => {
      const { discussion, note } = requireOwnNote(call);
      discussion.notes.splice(discussion.notes.indexOf(note), 1);
      if (discussion.notes.length === 0)
        call.pull.discussions.splice(call.pull.discussions.indexOf(discussion), 1);
      record(context, call, 'note.deleted', { noteId: note.id });
      return { status: 204 };
    }),
    pullRoute(context, 'POST', '/notes/:note/award_emoji', (call) => {
      const { note } = noteOf(call);
      return award(call, note.awards, { noteId: note.id });
    }),
    pullRoute(context, 'POST', '/award_emoji', (call) => award(call, call.pull.awards, {})),
  ];
}
