import type { WriteLog } from '../../http/write-log.ts';
import type { Actor } from '../access/viewer.ts';
import type { SimPull } from './model.ts';
import { Refusal } from './refusal.ts';
import type { GitHubState } from './state.ts';

export interface WriteContext {
  readonly state: GitHubState;
  readonly writes: WriteLog;
}

/** Who writes, and through which request. */
export interface Writer {
  readonly viewer: Actor;
  readonly requestId: number;
}

/** GitHub counts characters, not UTF-16 units. */
export function checkBody(state: GitHubState, body: string): void {
  if (body.trim() === '') throw new Refusal('body_blank');
  checkLength(state, body);
}

export function checkLength(state: GitHubState, body: string): void {
  // A string is never shorter in characters than half its units: the exact count is taken only near the limit.
  if (body.length > state.limits.maxBodyLength && Array.from(body).length > state.limits.maxBodyLength) {
    throw new Refusal('body_too_long');
  }
}

export function record(
  { state, writes }: WriteContext,
  writer: Writer,
  kind: string,
  pull: SimPull,
  details: Record<string, unknown>,
): void {
  writes.add({
    at: state.now(),
    kind,
    requestId: writer.requestId,
    actor: writer.viewer.user.login,
    details: { repository: pull.repository.fullName, number: pull.number, ...details },
  });
  pull.updatedAt = state.now();
}
