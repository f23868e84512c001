import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { NewThread } from '../../providers/write-ports.ts';
import { defineTool } from '../define-tool.ts';
import { ANCHOR_FIELDS, anchorOf } from '../drafts/comment-anchor.ts';
import { checkAnchor } from '../drafts/check-anchor.ts';
import type { ToolContext } from '../tool.ts';
import { postableText } from '../write-text.ts';
import { newThread, type WriteName } from './write-operations.ts';
import { IDEMPOTENCY_KEY, MAX_COMMENT, writeName } from './write-key.ts';

const Input = z.strictObject({
  ...ANCHOR_FIELDS,
  body: z.string().min(1).max(MAX_COMMENT).describe('Markdown. Secrets are masked.'),
  idempotencyKey: IDEMPOTENCY_KEY,
});
type Input = z.infer<typeof Input>;

export const createInlineThread = defineTool({
  name: 'create_inline_thread',
  title: 'Comment at once',
  description:
    'Opens one discussion thread on a line of the diff or on a changed file, visible to everybody at once. For several ' +
    'comments use add_draft_comments and submit_review. A refusal names the valid lines. Calling it again with the same ' +
    'arguments within 24 hours gives the same thread.',
  access: 'write',
  needs: 'comment',
  requires: ['create_thread'],
  spends: true,
  idempotent: true,
  input: Input,
  output: z.strictObject({ threadId: z.string(), url: z.string() }),
  facts: async (context, input) => ({
    isRepeat: await context.outbox.knows(context.partitionKey, nameOf(context, input).key),
  }),
  async handler(context, input) {
    if (input.body.trim() === '')
      throw new AppError({ kind: 'rejected', code: 'invalid_comment', message: 'The body is empty.' });
    const anchor = anchorOf(input);
    if (typeof anchor === 'string') throw invalidAnchor(anchor);
    const check = checkAnchor(context.changedFiles, anchor);
    if (!check.ok) throw invalidAnchor(check.message);
    const commit = context.pullRequest.headSha;
    const body = postableText(context, input.body);
    const { line, ...place } = anchor;
    const thread: NewThread =
      line === undefined
        ? { kind: 'file', commit, path: anchor.path, body }
        : { kind: 'line', commit, comment: { ...place, line, body } };
    const written = await context.outbox.run(
      context.partitionKey,
      newThread(context, nameOf(context, input), thread),
    );
    return { threadId: written.id, url: written.url };
  },
  resultIds: ({ threadId }) => [threadId],
});

function nameOf(context: ToolContext, input: Input): WriteName {
  const { path, subject, line, side, startLine, body, idempotencyKey } = input;
  return writeName(
    context,
    'create_inline_thread',
    [path, subject, line, side, startLine, body],
    idempotencyKey,
  );
}

function invalidAnchor(message: string): AppError {
  return new AppError({ kind: 'rejected', code: 'invalid_anchor', message });
}
