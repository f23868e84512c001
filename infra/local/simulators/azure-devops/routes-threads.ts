import type { Route } from '../http/router.ts';
import type { AzureDevOpsContext, PullCall } from './context.ts';
import { pullRoute } from './context.ts';
import { BODIES } from './request-bodies.ts';
import { invalidArgument, refuse } from './errors.ts';
import { renderComment, renderThread } from './render.ts';
import { iterationOf } from './routes-reading.ts';
import type { SimComment, SimThread } from './state.ts';

/** Threads, their comments and likes. */
export function threadRoutes(context: AzureDevOpsContext): Route[] {
  const { state, writes, bodies } = context;
  const record = (call: PullCall, kind: string, details: Record<string, unknown>): void =>
    writes.add({
      at: state.now(),
      kind,
      requestId: call.request.id,
      actor: call.viewer.displayName,
      details: { number: call.pull.number, repository: call.repository.id, ...details },
    });
  const newComment = (call: PullCall, id: number, content: string, parentCommentId: number): SimComment => {
    checkContent(content, state.limits.maxCommentLength);
    return {
      id,
      parentCommentId,
      author: call.viewer,
      content,
      commentType: 'text',
      publishedAt: state.now(),
      editedAt: state.now(),
      isDeleted: false,
      likes: [],
    };
  };
  const atIteration = ({ request, pull }: PullCall) => {
    const id = request.query.get('$iteration');
    return id === null ? undefined : iterationOf(pull, id);
  };
  return [
    pullRoute(context, 'GET', '/threads', async (call) => {
      const iteration = atIteration(call);
      const value = await Promise.all(
        call.pull.threads.map((thread) => renderThread(call.pull, thread, iteration)),
      );
      return { status: 200, json: { value, count: value.length } };
    }),
    pullRoute(context, 'GET', '/threads/:thread', async (call) => ({
      status: 200,
      json: await renderThread(call.pull, threadOf(call), atIteration(call)),
    })),
    pullRoute(context, 'POST', '/threads', async (call) => {
      const body = bodies.read(
        call.request,
        'GitPullRequestCommentThread',
        BODIES.GitPullRequestCommentThread,
      );
      const [first] = body.comments ?? [];
      if (first === undefined) return invalidArgument('A thread needs at least one comment.');
      const tracking = body.pullRequestThreadContext;
      const { changeTrackingId, iterationContext } = tracking ?? {};
      if ((changeTrackingId === undefined) !== (iterationContext === undefined))
        return invalidArgument('changeTrackingId and iterationContext must be set together.');
      if (iterationContext !== undefined)
        iterationOf(call.pull, String(iterationContext.secondComparingIteration));
      const thread: SimThread = {
        id: state.nextId(),
        status: body.status ?? 'active',
        context: body.threadContext,
        tracking:
          changeTrackingId === undefined || iterationContext === undefined
            ? undefined
            : { changeTrackingId, iterationContext },
        properties: body.properties ?? {},
        comments: [newComment(call, 1, first.content, 0)],
        publishedAt: state.now(),
      };
      call.pull.threads.push(thread);
      record(call, 'thread.created', { threadId: thread.id, commentId: 1 });
      return { status: 200, json: await renderThread(call.pull, thread, undefined) };
    }),
    pullRoute(context, 'PATCH', '/threads/:thread', async (call) => {
      const thread = threadOf(call);
      const { status } = bodies.read(
        call.request,
        'GitPullRequestCommentThread',
        BODIES.GitPullRequestCommentThread,
      );
      if (status !== undefined) thread.status = status;
      record(call, 'thread.updated', { threadId: thread.id, status });
      return { status: 200, json: await renderThread(call.pull, thread, undefined) };
    }),
    pullRoute(context, 'POST', '/threads/:thread/comments', (call) => {
      const thread = threadOf(call);
      const body = bodies.read(call.request, 'Comment', BODIES.Comment);
      const parent = body.parentCommentId ?? 0;
      if (parent !== 0 && !thread.comments.some((comment) => comment.id === parent))
        return invalidArgument(`The parent comment ${parent} does not exist.`);
      if (thread.comments.length >= state.limits.maxThreadComments)
        return invalidArgument(
          `The thread has reached its limit of ${state.limits.maxThreadComments} comments.`,
        );
      const comment = newComment(call, thread.comments.length + 1, body.content, parent);
      thread.comments.push(comment);
      record(call, 'comment.created', { threadId: thread.id, commentId: comment.id });
      return { status: 200, json: renderComment(comment) };
    }),
    pullRoute(context, 'GET', '/threads/:thread/comments/:comment', (call) => ({
      status: 200,
      json: renderComment(commentOf(call)),
    })),
    pullRoute(context, 'PATCH', '/threads/:thread/comments/:comment', (call) => {
      const comment = ownCommentOf(call);
      const { content } = bodies.read(call.request, 'Comment', BODIES.Comment);
      checkContent(content, state.limits.maxCommentLength);
      comment.content = content;
      comment.editedAt = state.now();
      record(call, 'comment.edited', { threadId: threadOf(call).id, commentId: comment.id });
      return { status: 200, json: renderComment(comment) };
    }),
    pullRoute(context, 'DELETE', '/threads/:thread/comments/:comment', (call) => {
      const comment = ownCommentOf(call);
      comment.isDeleted = true;
      record(call, 'comment.deleted', { threadId: threadOf(call).id, commentId: comment.id });
      return { status: 200 };
    }),
    pullRoute(context, 'POST', '/threads/:thread/comments/:comment/likes', (call) => {
      const comment = commentOf(call);
      if (!comment.likes.includes(call.viewer)) comment.likes.push(call.viewer);
      record(call, 'comment.liked', { threadId: threadOf(call).id, commentId: comment.id });
      return { status: 200 };
    }),
  ];
}

function checkContent(content: string, maxLength: number): void {
  if (content.trim() === '') invalidArgument('The comment content must not be empty.');
  if (content.length > maxLength)
    invalidArgument(`The comment exceeds the maximum length of ${maxLength} characters.`);
}

function threadOf({ pull, request }: PullCall): SimThread {
  const id = request.params['thread'] ?? '';
  return (
    pull.threads.find((thread) => String(thread.id) === id) ??
    refuse(404, 'CommentThreadNotFoundException', `The comment thread ${id} was not found.`)
  );
}

function commentOf(call: PullCall): SimComment {
  const id = call.request.params['comment'] ?? '';
  const found = threadOf(call).comments.find((comment) => String(comment.id) === id);
  if (found === undefined || (found.isDeleted && call.request.method !== 'GET'))
    return refuse(404, 'CommentNotFoundException', `The comment ${id} was not found.`);
  return found;
}

function ownCommentOf(call: PullCall): SimComment {
  const comment = commentOf(call);
  if (comment.author?.id === call.viewer.id) return comment;
  return refuse(
    403,
    'CommentNoPermissionException',
    'You do not have permission to change the comment of somebody else.',
  );
}
