import type { Provider } from '../providers/ports.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import { REQUIREMENTS, type Requirement } from './tool.ts';

/** What this place offers: the provider's optional capabilities, and files when there is a snapshot. */
export function availableIn(provider: Provider, snapshot: Snapshot | undefined): ReadonlySet<Requirement> {
  const { reviews, threadWriter, generalComments, replies, threadResolver } = provider;
  const offers: Readonly<Record<Requirement, boolean>> = {
    snapshot: snapshot !== undefined,
    // One batch, or comment by comment with the text as a comment of its own.
    submit: reviews !== undefined || (threadWriter !== undefined && generalComments !== undefined),
    create_thread: threadWriter !== undefined,
    reply: replies !== undefined,
    resolve: threadResolver !== undefined,
  };
  return new Set(REQUIREMENTS.filter((requirement) => offers[requirement]));
}
