import { z } from 'zod';
import type { Reaction, ReactionWriter } from '../write-ports.ts';
import type { GitHubClient } from './github-client.ts';

/** REST names of the reactions (REST documentation, "Reactions"). */
const CONTENT: Readonly<Record<Reaction, string>> = {
  thumbs_up: '+1',
  thumbs_down: '-1',
  eyes: 'eyes',
  rocket: 'rocket',
  heart: 'heart',
  confused: 'confused',
};

const SUPPORTED: readonly Reaction[] = ['thumbs_up', 'thumbs_down', 'eyes', 'rocket', 'heart', 'confused'];

/** GitHub keeps one reaction of a kind per account: adding it again answers 200 and changes nothing. */
export function createReactionWriter(client: GitHubClient): ReactionWriter {
  return {
    supported: SUPPORTED,
    async addReaction(ref, target, reaction, signal) {
      const session = await client.forRepository(ref);
      const place =
        target === 'pull-request'
          ? { path: '/issues/{id}', id: String(ref.number) }
          : { path: `/${target.kind === 'review' ? 'pulls' : 'issues'}/comments/{id}`, id: target.id };
      await session.write(
        `POST /repos/{owner}/{repo}${place.path}/reactions`,
        { id: place.id, content: CONTENT[reaction] },
        z.unknown(),
        signal,
      );
    },
  };
}
