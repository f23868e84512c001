import type { ThreadPlace } from '../state/places.ts';
import { REACTIONS } from '../state/comments.ts';
import type {
  SimIssueComment,
  SimPull,
  SimReaction,
  SimReview,
  SimReviewComment,
  SimUser,
} from '../state/model.ts';
import type { GitHubState } from '../state/state.ts';
import { authorAssociation, renderApp, renderUser } from './render-accounts.ts';
import type { Urls } from './urls.ts';
import { isoTime } from './urls.ts';

function association(user: SimUser | null, pull: SimPull, state: GitHubState): string {
  const level = user === null ? 'none' : state.permissionOf(pull.repository, user);
  return authorAssociation(user, pull.repository, level);
}

function renderReactionCounts(reactions: readonly SimReaction[], url: string): Record<string, unknown> {
  const counts = Object.fromEntries(
    REACTIONS.map((content) => [
      content,
      reactions.filter((reaction) => reaction.content === content).length,
    ]),
  );
  return { url: `${url}/reactions`, total_count: reactions.length, ...counts };
}

export function renderReaction(reaction: SimReaction, urls: Urls): Record<string, unknown> {
  return {
    id: reaction.id,
    node_id: reaction.nodeId,
    user: renderUser(reaction.user, urls),
    content: reaction.content,
    created_at: isoTime(reaction.createdAt),
  };
}

export function renderReview(review: SimReview, state: GitHubState, urls: Urls): Record<string, unknown> {
  const html = `${urls.webPull(review.pull)}#pullrequestreview-${review.id}`;
  const pull = urls.pull(review.pull);
  return {
    id: review.id,
    node_id: review.nodeId,
    user: renderUser(review.author, urls),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    author_association: association(review.author, review.pull, state),
    _links: { html: { href: html }, pull_request: { href: pull } },
    // A pending review has no time of submission at all.
    ...(review.submittedAt === undefined ? {} : { submitted_at: isoTime(review.submittedAt) }),
    commit_id: review.commitId,
  };
}

export function renderReviewComment(
  comment: SimReviewComment,
  place: ThreadPlace,
  state: GitHubState,
  urls: Urls,
): Record<string, unknown> {
  const { thread } = comment;
  const { anchor, pull } = thread;
  const url = `${urls.repository(pull.repository)}/pulls/comments/${comment.id}`;
  const html = `${urls.webPull(pull)}#discussion_r${comment.id}`;
  return {
    url,
    pull_request_review_id: comment.review.id,
    id: comment.id,
    node_id: comment.nodeId,
    diff_hunk: anchor.diffHunk,
    path: anchor.path,
    commit_id: place.isOutdated ? anchor.commitId : pull.headSha,
    original_commit_id: anchor.commitId,
    user: renderUser(comment.author, urls),
    body: comment.body,
    created_at: isoTime(comment.createdAt),
    updated_at: isoTime(comment.updatedAt),
    html_url: html,
    pull_request_url: urls.pull(pull),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: urls.pull(pull) } },
    author_association: association(comment.author, pull, state),
    reactions: renderReactionCounts(comment.reactions, url),
    start_line: place.startLine ?? null,
    original_start_line: anchor.startLine ?? null,
    start_side: anchor.startSide ?? null,
    line: place.line ?? null,
    original_line: anchor.line ?? null,
    side: anchor.side,
    position: anchor.subjectType === 'file' ? 1 : (place.position ?? null),
    original_position: anchor.position ?? 1,
    subject_type: anchor.subjectType,
    ...(comment.inReplyTo === undefined ? {} : { in_reply_to_id: comment.inReplyTo.id }),
  };
}

export function renderIssueComment(
  comment: SimIssueComment,
  state: GitHubState,
  urls: Urls,
): Record<string, unknown> {
  const { pull } = comment;
  const url = `${urls.repository(pull.repository)}/issues/comments/${comment.id}`;
  const byApp = state.app !== undefined && comment.author === state.app.bot;
  return {
    url,
    html_url: `${urls.webPull(pull)}#issuecomment-${comment.id}`,
    issue_url: `${urls.repository(pull.repository)}/issues/${pull.number}`,
    id: comment.id,
    node_id: comment.nodeId,
    user: renderUser(comment.author, urls),
    created_at: isoTime(comment.createdAt),
    updated_at: isoTime(comment.updatedAt),
    body: comment.body,
    author_association: association(comment.author, pull, state),
    reactions: renderReactionCounts(comment.reactions, url),
    performed_via_github_app: byApp && state.app !== undefined ? renderApp(state.app, urls) : null,
  };
}
