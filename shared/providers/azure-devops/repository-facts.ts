import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { AncestryReader, Commit, CommitReader } from '../ports.ts';
import type { AzureDevOpsClient } from './azure-devops-client.ts';
import { isNotFound } from './azure-errors.ts';

const Commits = z.object({
  value: z.array(
    z.object({
      commitId: z.string(),
      comment: z.string().nullish(),
      author: z.object({ date: z.string().nullish() }).nullish(),
    }),
  ),
});

const MergeBases = z.object({ value: z.array(z.object({ commitId: z.string() })) });

const PAGE_SIZE = 100;
const MAX_PAGES = 1000;

/** Authors of commits are names and addresses, which are no accounts. */
export function createCommitReader(client: AzureDevOpsClient): CommitReader {
  return {
    async listCommits(ref) {
      const session = await client.forRepository(ref);
      const commits: Commit[] = [];
      const followed = new Set<string>();
      let continuationToken: string | undefined;
      do {
        const { data, header } = await session.getWithHeader(
          `/pullRequests/${ref.number}/commits`,
          { $top: PAGE_SIZE, continuationToken },
          Commits,
          'x-ms-continuationtoken',
        );
        for (const { commitId, comment, author } of data.value)
          commits.push({
            sha: commitId,
            message: comment ?? '',
            authoredAt: Date.parse(author?.date ?? '') || 0,
          });
        continuationToken = header;
        if (header !== undefined && (followed.has(header) || followed.size >= MAX_PAGES))
          throw pageRepeated(client.instance);
        if (header !== undefined) followed.add(header);
      } while (continuationToken !== undefined);
      return commits.toReversed();
    },
  };
}

/** By merge bases, which also tell of commits that no iteration names any more. */
export function createAncestryReader(client: AzureDevOpsClient): AncestryReader {
  return {
    async compareCommits(ref, older, newer) {
      const session = await client.forRepository(ref);
      try {
        const { value } = await session.get(
          `/commits/${encodeURIComponent(older)}/mergebases`,
          { otherCommitId: newer },
          MergeBases,
        );
        const mergeBaseSha = value[0]?.commitId;
        if (older === newer) return { relation: 'identical', mergeBaseSha: older };
        if (mergeBaseSha === undefined) return { relation: 'diverged' };
        const relation = mergeBaseSha === older ? 'ahead' : mergeBaseSha === newer ? 'behind' : 'diverged';
        return { relation, mergeBaseSha };
      } catch (error) {
        if (isNotFound(error)) return { relation: 'unknown' };
        throw error;
      }
    },
  };
}

function pageRepeated(instance: string): AppError {
  return new AppError({
    kind: 'transient',
    code: 'page_repeated',
    message: `Instance ${instance} answered the same page twice; the listing will be read again.`,
    details: { instance },
  });
}
