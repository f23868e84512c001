import type { GitHubContext } from '../context.ts';
import { renderRepository, renderUser } from '../rest/render-accounts.ts';
import { renderPull, renderPullSummary } from '../rest/render-pull.ts';
import { renderIssueComment, renderReview, renderReviewComment } from '../rest/render-reviews.ts';
import type { Urls } from '../rest/urls.ts';
import { isoTime } from '../rest/urls.ts';
import { reviewCommentsOf } from '../state/comments.ts';
import type { SimPull, SimRepository, SimUser } from '../state/model.ts';
import { mergeBaseOf } from '../state/pulls.ts';

/** What to tell the App. Everything else in the payload is built from the state. */
export interface WebhookEvent {
  readonly event:
    | 'pull_request'
    | 'issue_comment'
    | 'pull_request_review'
    | 'pull_request_review_comment'
    | 'pull_request_review_thread'
    | 'ping';
  readonly action?: string;
  /** `owner/name`; default the first repository. */
  readonly repository?: string;
  /** Number of the pull request; needed by all but `ping`. */
  readonly number?: number;
  /** Login of who did it; default the author of the thing, then of the pull request. */
  readonly sender?: string;
  /** Head before a `synchronize`. */
  readonly before?: string;
  /** Id of the comment in comment events. */
  readonly commentId?: number;
  readonly reviewId?: number;
  /** Global id of the thread. */
  readonly threadId?: string;
  /** Laid over the top level of the payload, e.g. `changes` of an `edited`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface BuiltPayload {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly repository: SimRepository;
}

function missing(what: string): Error {
  return new Error(`the simulator has no ${what}`);
}

/** A pull request as the issue it also is. */
function renderIssue(pull: SimPull, { state }: GitHubContext, urls: Urls): Record<string, unknown> {
  const { id, node_id, number, title, user } = renderPullSummary(pull, state, urls);
  const url = `${urls.repository(pull.repository)}/issues/${pull.number}`;
  return {
    url,
    repository_url: urls.repository(pull.repository),
    comments_url: `${url}/comments`,
    html_url: urls.webPull(pull),
    id,
    node_id,
    number,
    title,
    user,
    labels: [],
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    state: pull.state,
    comments: pull.issueComments.length,
    created_at: isoTime(pull.createdAt),
    updated_at: isoTime(pull.updatedAt),
    closed_at: isoTime(pull.closedAt),
    author_association: 'CONTRIBUTOR',
    draft: pull.draft,
    // Only pull requests have this: the one way to tell them from issues.
    pull_request: {
      url: urls.pull(pull),
      html_url: urls.webPull(pull),
      diff_url: `${urls.webPull(pull)}.diff`,
      patch_url: `${urls.webPull(pull)}.patch`,
      merged_at: isoTime(pull.mergedAt),
    },
    body: pull.body,
  };
}

interface Subject {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly actor: SimUser | null | undefined;
}

async function describe(
  event: WebhookEvent,
  pull: SimPull,
  context: GitHubContext,
  urls: Urls,
): Promise<Subject> {
  const { state } = context;
  switch (event.event) {
    case 'pull_request': {
      const files = await pull.repository.git.changedFiles(await mergeBaseOf(pull), pull.headSha);
      const { total } = await pull.repository.git.listCommits(pull.baseSha, pull.headSha, 0);
      return {
        actor: pull.author,
        fields: {
          number: pull.number,
          pull_request: renderPull(pull, { mergeable: null, commits: total, files }, state, urls),
          ...(event.action === 'synchronize'
            ? { before: event.before ?? pull.heads.at(-2) ?? pull.headSha, after: pull.headSha }
            : {}),
        },
      };
    }
    case 'issue_comment': {
      const comment = pull.issueComments.find((candidate) => candidate.id === event.commentId);
      if (comment === undefined) throw missing(`issue comment ${event.commentId}`);
      return {
        actor: comment.author,
        fields: {
          issue: renderIssue(pull, context, urls),
          comment: renderIssueComment(comment, state, urls),
        },
      };
    }
    case 'pull_request_review_comment': {
      const comment = reviewCommentsOf(pull).find((candidate) => candidate.id === event.commentId);
      if (comment === undefined) throw missing(`review comment ${event.commentId}`);
      const place = await context.places.of(comment.thread);
      return {
        actor: comment.author,
        fields: {
          comment: renderReviewComment(comment, place, state, urls),
          pull_request: renderPullSummary(pull, state, urls),
        },
      };
    }
    case 'pull_request_review': {
      const review = pull.reviews.find((candidate) => candidate.id === event.reviewId);
      if (review === undefined) throw missing(`review ${event.reviewId}`);
      const rendered = renderReview(review, state, urls);
      return {
        actor: review.author,
        // Webhooks write the state in lower case, unlike the API.
        fields: {
          review: { ...rendered, state: review.state.toLowerCase() },
          pull_request: renderPullSummary(pull, state, urls),
        },
      };
    }
    case 'pull_request_review_thread': {
      const thread = pull.threads.find((candidate) => candidate.nodeId === event.threadId);
      if (thread === undefined) throw missing(`thread ${event.threadId}`);
      const place = await context.places.of(thread);
      return {
        actor: thread.resolvedBy ?? pull.author,
        fields: {
          thread: {
            node_id: thread.nodeId,
            comments: thread.comments.map((comment) => renderReviewComment(comment, place, state, urls)),
          },
          pull_request: renderPullSummary(pull, state, urls),
        },
      };
    }
    case 'ping':
      return { actor: pull.author, fields: {} };
    default:
      return event.event satisfies never;
  }
}

/** The payload of an event, as GitHub would send it now. */
export async function buildPayload(
  event: WebhookEvent,
  context: GitHubContext,
  urls: Urls,
): Promise<BuiltPayload> {
  const { state } = context;
  const repository =
    event.repository === undefined ? state.repositories[0] : state.findRepository(event.repository);
  if (repository === undefined) throw missing(`repository ${event.repository ?? ''}`);
  const pull = repository.pulls.get(event.number ?? 0);
  if (pull === undefined && event.event !== 'ping') throw missing(`pull request ${event.number}`);
  const subject: Subject =
    pull === undefined
      ? { actor: repository.owner, fields: { zen: 'Keep it logically awesome.', hook_id: 1 } }
      : await describe(event, pull, context, urls);
  const sender =
    event.sender === undefined
      ? (subject.actor ?? state.ensureUser('ghost'))
      : state.ensureUser(event.sender);
  return {
    repository,
    payload: {
      ...(event.action === undefined ? {} : { action: event.action }),
      ...subject.fields,
      repository: renderRepository(repository, urls),
      ...(repository.installationId === undefined
        ? {}
        : {
            installation: {
              id: repository.installationId,
              node_id: state.ids.node('MDIzOkludGVncmF0aW9u', repository.installationId),
            },
          }),
      sender: renderUser(sender, urls),
      ...event.extra,
    },
  };
}
