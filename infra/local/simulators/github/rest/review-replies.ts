import type { GitHubContext, RepositoryRequest } from '../context.ts';
import type { SimReviewComment } from '../state/model.ts';
import type { ThreadPlace } from '../state/places.ts';
import type { Writer } from '../state/write-context.ts';
import { renderReviewComment } from './render-reviews.ts';
import type { Urls } from './urls.ts';

export function writerOf(input: RepositoryRequest): Writer {
  return { viewer: input.viewer, requestId: input.request.id };
}

/** A renderer for these comments that knows where each of them stands now. */
export async function renderComments(
  context: GitHubContext,
  comments: readonly SimReviewComment[],
  urls: Urls,
): Promise<(comment: SimReviewComment) => unknown> {
  const places = new Map<SimReviewComment, ThreadPlace>();
  for (const comment of comments) places.set(comment, await context.places.of(comment.thread));
  return (comment) => {
    const place = places.get(comment);
    return place === undefined ? undefined : renderReviewComment(comment, place, context.state, urls);
  };
}
