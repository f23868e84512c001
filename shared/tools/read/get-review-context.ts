import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { isOwnDraft, readDrafts } from '../drafts/draft-store.ts';
import { isOwnThread } from '../own-threads.ts';
import { CAPABILITIES, SUBMIT_ACTIONS } from '../tool.ts';

export const getReviewContext = defineTool({
  name: 'get_review_context',
  title: 'Get the review context',
  description:
    'Says what you may do on this pull request and how the review stands: your capabilities and submit actions, whether writes ' +
    'are stopped, how much of the write budget is used, your drafts, and the threads Gatehouse opened. Call it before ' +
    'writing.',
  access: 'read',
  needs: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.strictObject({
    headCommit: z.string(),
    state: z.enum(['open', 'closed', 'merged']),
    capabilities: z.array(z.enum(CAPABILITIES)),
    submitActions: z.array(z.enum(SUBMIT_ACTIONS)),
    writesStopped: z.boolean(),
    budgets: z.array(
      z.strictObject({
        window: z.enum(['run', 'hour', 'hour_overall']),
        limit: z.int(),
        used: z.int(),
        opensAt: z.string().optional(),
      }),
    ),
    expiresAt: z.string().optional(),
    ownDrafts: z.int(),
    ownThreads: z.strictObject({ open: z.int(), resolved: z.int() }),
    otherThreads: z.strictObject({ open: z.int(), resolved: z.int() }),
  }),
  async handler(context) {
    const { grant, pullRequest, provider } = context;
    const [threads, self, drafts, use] = await Promise.all([
      provider.threads.listThreads(pullRequest.ref),
      provider.identity.whoAmI(),
      readDrafts(context),
      context.outbox.usage(context.partitionKey, context),
    ]);
    const ownThreads = { open: 0, resolved: 0 };
    const otherThreads = { open: 0, resolved: 0 };
    for (const thread of threads) {
      const counts = (await isOwnThread(context, thread, self)) ? ownThreads : otherThreads;
      counts[thread.isResolved ? 'resolved' : 'open'] += 1;
    }
    const { writesPerRun, writesPerHour, writesPerHourOverall } = grant.budgets;
    const opensAt = new Date(use.hourEndsAt).toISOString();
    return {
      headCommit: pullRequest.headSha,
      state: pullRequest.state,
      capabilities: [...grant.capabilities],
      submitActions: [...grant.submitActions],
      writesStopped: context.writesStopped,
      budgets: [
        ...(writesPerRun === undefined
          ? []
          : [{ window: 'run' as const, limit: writesPerRun, used: use.run }]),
        ...(writesPerHour === undefined
          ? []
          : [{ window: 'hour' as const, limit: writesPerHour, used: use.hour, opensAt }]),
        ...(writesPerHourOverall === undefined
          ? []
          : [
              {
                window: 'hour_overall' as const,
                limit: writesPerHourOverall,
                used: use.hourOverall,
                opensAt,
              },
            ]),
      ],
      ...(grant.expiresAt === undefined ? {} : { expiresAt: new Date(grant.expiresAt).toISOString() }),
      ownDrafts: drafts.filter((draft) => draft.state !== 'published' && isOwnDraft(context, draft)).length,
      ownThreads,
      otherThreads,
    };
  },
});
