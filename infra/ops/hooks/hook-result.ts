/** What is known of one hook after a run. */
export interface HookResult {
  /** Name of the repository, project or group. */
  readonly place: string;
  /** What it tells of. */
  readonly hook: string;
  /** `missing` is the answer of a dry run; `needs_a_hand` = it is there and would not work, see `advice`. */
  readonly state: 'exists' | 'created' | 'missing' | 'needs_a_hand';
  readonly id?: string;
  readonly advice?: string;
}

export type OnHookResult = (result: HookResult) => void;
