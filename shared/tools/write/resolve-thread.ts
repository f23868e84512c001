import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { isOwnThread } from '../own-threads.ts';
import { resolveThread as resolveOperation } from './write-operations.ts';

export const resolveThread = defineTool({
  name: 'resolve_thread',
  title: 'Resolve an own thread',
  description:
    'Marks a discussion thread that Gatehouse opened as resolved. Threads of people and of other tools are refused: reply ' +
    'there instead. A thread that is resolved already is success and nothing is written.',
  access: 'write',
  needs: 'resolve',
  requires: ['resolve'],
  spends: true,
  destructive: true,
  idempotent: true,
  input: z.strictObject({ threadId: z.string().min(1).max(200).describe('From list_threads.') }),
  output: z.strictObject({
    threadId: z.string(),
    wasResolved: z.boolean().describe('True when it was resolved already.'),
  }),
  async facts(context, { threadId }) {
    const [threads, self] = await Promise.all([
      context.provider.threads.listThreads(context.pullRequest.ref),
      context.provider.identity.whoAmI(),
    ]);
    const thread = threads.find((candidate) => candidate.id === threadId);
    if (thread === undefined) return { thread: 'missing' };
    if (!(await isOwnThread(context, thread, self))) return { thread: 'foreign' };
    return { thread: 'own', isRepeat: thread.isResolved };
  },
  async handler(context, { threadId }) {
    const { ref, headSha } = context.pullRequest;
    const threads = await context.provider.threads.listThreads(ref);
    if (threads.some((thread) => thread.id === threadId && thread.isResolved))
      return { threadId, wasResolved: true };
    const name = { key: `resolve|${threadId}|${headSha}|resolved` };
    await context.outbox.run(context.partitionKey, resolveOperation(context, name, threadId));
    return { threadId, wasResolved: false };
  },
  resultIds: ({ threadId }) => [threadId],
});
