import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { Refusal } from '../state/refusal.ts';
import type { RefusalReason } from '../state/refusal.ts';

export type GraphqlErrorType =
  'NOT_FOUND' | 'FORBIDDEN' | 'UNPROCESSABLE' | 'EXCESSIVE_PAGINATION' | 'MISSING_PAGINATION_BOUNDARIES';

/** An error that GitHub reports with a `type` next to its message. */
export class TypedGraphqlError extends Error {
  readonly type: GraphqlErrorType;

  constructor(type: GraphqlErrorType, message: string) {
    super(message);
    this.name = 'TypedGraphqlError';
    this.type = type;
  }
}

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  path_not_in_diff: 'pull_request_review_thread.path is invalid',
  line_missing: 'pull_request_review_thread.line must be part of the diff',
  line_not_in_diff: 'pull_request_review_thread.line must be part of the diff',
  start_line_not_before_line: 'pull_request_review_thread.start_line must precede the end line.',
  start_line_in_other_hunk:
    'pull_request_review_thread.start_line must be part of the same hunk as the line.',
  body_blank: "Body can't be blank",
  body_too_long: 'Body is too long (maximum is 65536 characters)',
  review_body_blank: "Review body can't be blank",
  one_pending_review: 'User can only have one pending review per pull request',
  own_approval: 'Review Can not approve your own pull request',
  own_change_request: 'Review Can not request changes on your own pull request',
  commit_not_in_pull: 'Commit is not part of the pull request',
  review_not_pending: 'Could not change a review that is not pending',
  not_permitted: 'Resource not accessible by integration',
};

/** One entry of `errors`, in GitHub's shape: the type stands beside the message, not in extensions. */
export function formatGraphqlError(error: GraphQLError): GraphQLFormattedError & { type?: string } {
  const formatted = error.toJSON();
  const original = error.originalError;
  if (original instanceof TypedGraphqlError) return { type: original.type, ...formatted };
  if (original instanceof Refusal) {
    const type = original.reason === 'not_permitted' ? 'FORBIDDEN' : 'UNPROCESSABLE';
    return { type, ...formatted, message: MESSAGES[original.reason] };
  }
  return formatted;
}
