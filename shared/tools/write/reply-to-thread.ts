import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolContext } from '../tool.ts';
import { postableText } from '../write-text.ts';
import { replyTo, type WriteName } from './write-operations.ts';
import { IDEMPOTENCY_KEY, MAX_COMMENT, writeName } from './write-key.ts';

const Input = z.strictObject({
  threadId: z.string().min(1).max(200).describe('From list_threads.'),
  body: z.string().min(1).max(MAX_COMMENT).describe('Markdown. Secrets are masked.'),
  idempotencyKey: IDEMPOTENCY_KEY,
});
type Input = z.infer<typeof Input>;

export const replyToThread = defineTool({
  name: 'reply_to_thread',
  title: 'Reply in a thread',
  description:
    'Adds a reply to a discussion thread of this pull request, visible to everybody at once. It never resolves or reopens the ' +
    'thread. Calling it again with the same arguments within 24 hours gives the same reply.',
  access: 'write',
  needs: 'comment',
  requires: ['reply'],
  spends: true,
  idempotent: true,
  input: Input,
  output: z.strictObject({ threadId: z.string(), url: z.string() }),
  async facts(context, input) {
    const [threads, isRepeat] = await Promise.all([
      context.provider.threads.listThreads(context.pullRequest.ref),
      context.outbox.knows(context.partitionKey, nameOf(context, input).key),
    ]);
    // Anybody may be answered; a thread of another pull request is not one of this.
    const isHere = threads.some((thread) => thread.id === input.threadId);
    return { thread: isHere ? 'own' : 'missing', isRepeat };
  },
  async handler(context, input) {
    if (input.body.trim() === '')
      throw new AppError({ kind: 'rejected', code: 'invalid_comment', message: 'The body is empty.' });
    const body = postableText(context, input.body);
    const { url } = await context.outbox.run(
      context.partitionKey,
      replyTo(context, nameOf(context, input), input.threadId, body),
    );
    return { threadId: input.threadId, url };
  },
  resultIds: ({ threadId, url }) => [threadId, url],
});

function nameOf(context: ToolContext, { threadId, body, idempotencyKey }: Input): WriteName {
  return writeName(context, 'reply_to_thread', [threadId, body], idempotencyKey);
}
