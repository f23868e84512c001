import type { SimulatorReply } from '../../http/exchange.ts';
import { ReplyError } from '../../http/exchange.ts';
import { Refusal } from '../state/refusal.ts';
import type { RefusalReason } from '../state/refusal.ts';
import { githubError } from './errors.ts';

/** What the reviews endpoint says about one bad comment: never which one. */
const BATCH_MESSAGES: Readonly<Record<RefusalReason, string>> = {
  path_not_in_diff: 'Path could not be resolved',
  line_missing: 'Line could not be resolved',
  line_not_in_diff: 'Line could not be resolved',
  start_line_not_before_line: 'Pull request review thread start line must precede the end line.',
  start_line_in_other_hunk:
    'Pull request review thread start line must be part of the same hunk as the line.',
  body_blank: "Body can't be blank",
  body_too_long: 'Body is too long (maximum is 65536 characters)',
  review_body_blank: "Review body can't be blank",
  one_pending_review: 'User can only have one pending review per pull request',
  own_approval: 'Can not approve your own pull request',
  own_change_request: 'Can not request changes on your own pull request',
  commit_not_in_pull: 'Commit is not part of the pull request',
  review_not_pending: 'Can not change a review that is not pending',
  not_permitted: 'Not permitted',
};

const THREAD = 'pull_request_review_thread';

/** The field that the single-comment endpoint blames. */
const FIELDS: Partial<Readonly<Record<RefusalReason, readonly [field: string, text: string]>>> = {
  path_not_in_diff: [`${THREAD}.path`, `${THREAD}.path is invalid`],
  line_missing: [`${THREAD}.line`, `${THREAD}.line must be part of the diff`],
  line_not_in_diff: [`${THREAD}.line`, `${THREAD}.line must be part of the diff`],
  start_line_not_before_line: [`${THREAD}.start_line`, `${THREAD}.start_line must precede the end line.`],
  start_line_in_other_hunk: [
    `${THREAD}.start_line`,
    `${THREAD}.start_line must be part of the same hunk as the line.`,
  ],
  commit_not_in_pull: ['commit_id', 'commit_id is not part of the pull request'],
  body_too_long: ['body', 'body is too long (maximum is 65536 characters)'],
  body_blank: ['body', "body can't be blank"],
};

/** The refusal in the words of `POST /pulls/{n}/reviews` and its neighbours. */
export function batchRefusal({ reason }: Refusal): SimulatorReply {
  return reason === 'not_permitted'
    ? githubError(403, 'Resource not accessible by integration')
    : githubError(422, 'Unprocessable Entity', [BATCH_MESSAGES[reason]]);
}

/** The refusal in the words of the endpoints for one comment. */
export function commentRefusal(resource: string) {
  return (refusal: Refusal): SimulatorReply => {
    const field = FIELDS[refusal.reason];
    if (field === undefined) return batchRefusal(refusal);
    return githubError(422, 'Validation Failed', [
      { resource, code: 'custom', field: field[0], message: field[1] },
    ]);
  };
}

/** Runs a handler and says its refusal in the endpoint's words. */
export async function withRefusals(
  words: (refusal: Refusal) => SimulatorReply,
  run: () => SimulatorReply | Promise<SimulatorReply>,
): Promise<SimulatorReply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) throw new ReplyError(words(error));
    throw error;
  }
}
