import type { AnyTool } from './define-tool.ts';
import { addDraftComments } from './drafts/add-draft-comments.ts';
import { deleteDraftComment } from './drafts/delete-draft-comment.ts';
import { deleteDraftReview } from './drafts/delete-draft-review.ts';
import { listDraftReview } from './drafts/list-draft-review.ts';
import { updateDraftComment } from './drafts/update-draft-comment.ts';
import { getDiff } from './read/get-diff.ts';
import { getPullRequest } from './read/get-pull-request.ts';
import { getReviewContext } from './read/get-review-context.ts';
import { listFiles } from './read/list-files.ts';
import { listThreads } from './read/list-threads.ts';
import { readFile } from './read/read-file.ts';
import { searchCode } from './read/search-code.ts';
import { createInlineThread } from './write/create-inline-thread.ts';
import { replyToThread } from './write/reply-to-thread.ts';
import { resolveThread } from './write/resolve-thread.ts';
import { submitReview } from './write/submit-review.ts';

/** Every tool there is, in the order they are listed. */
export const TOOLS: readonly AnyTool[] = [
  getPullRequest,
  getDiff,
  listThreads,
  getReviewContext,
  listDraftReview,
  readFile,
  searchCode,
  listFiles,
  addDraftComments,
  updateDraftComment,
  deleteDraftComment,
  deleteDraftReview,
  submitReview,
  createInlineThread,
  replyToThread,
  resolveThread,
];
