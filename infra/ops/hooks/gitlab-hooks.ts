import { z } from 'zod';
import type { HookPlace } from './hook-place.ts';
import type { GitLabHookSecrets } from './hook-secrets.ts';
import type { HookRequest } from './instance-client.ts';

/**
 * The webhook of one GitLab project or group, and the requests that list and create it.
 * Source: GitLab API documentation, "Project webhooks" and "Group webhooks".
 */

export const HOOKS_PER_PAGE = 100;

/** The two `..._present` members since GitLab 19.0. */
export const GitLabHook = z.object({
  id: z.number(),
  url: z.string(),
  merge_requests_events: z.boolean().nullish(),
  note_events: z.boolean().nullish(),
  confidential_note_events: z.boolean().nullish(),
  enable_ssl_verification: z.boolean().nullish(),
  alert_status: z.string().nullish(),
  token_present: z.boolean().nullish(),
  signing_token_present: z.boolean().nullish(),
});
export type GitLabHook = z.infer<typeof GitLabHook>;
export const GitLabHooks = z.array(GitLabHook);

export function listGitLabHooks(place: HookPlace, page: number): HookRequest {
  return { method: 'GET', path: `${hooksOf(place)}?per_page=${HOOKS_PER_PAGE}&page=${page}` };
}

export function createGitLabHook(place: HookPlace, url: URL, secrets: GitLabHookSecrets): HookRequest {
  const { signingToken, token } = secrets;
  return {
    method: 'POST',
    path: hooksOf(place),
    body: {
      url: url.href,
      merge_requests_events: true,
      note_events: true,
      // Internal notes are none of ours; pushes would be on by default.
      confidential_note_events: false,
      push_events: false,
      enable_ssl_verification: true,
      ...(signingToken === undefined ? {} : { signing_token: signingToken }),
      ...(token === undefined ? {} : { token }),
    },
  };
}

export function findGitLabHook(existing: readonly GitLabHook[], url: URL): GitLabHook | undefined {
  return existing.find((candidate) => URL.parse(candidate.url)?.href === url.href);
}

/** What is wrong with a webhook, as far as it can be seen: its secrets never can. */
export function adviseOnGitLabHook(hook: GitLabHook, secrets: GitLabHookSecrets): string | undefined {
  if (hook.alert_status === 'disabled' || hook.alert_status === 'temporarily_disabled')
    return 'It is disabled after failures: send a test event from its settings once the app answers.';
  if (hook.merge_requests_events !== true || hook.note_events !== true)
    return 'Turn on its triggers "Merge request events" and "Comments".';
  if (hook.confidential_note_events === true) return 'Turn off its trigger "Confidential comments".';
  if (hook.enable_ssl_verification === false) return 'Turn on its SSL verification.';
  // Deliveries without signature are still taken by their token.
  if (hook.signing_token_present === true || secrets.token !== undefined) return undefined;
  return hook.signing_token_present === false
    ? 'Give it a value of GITLAB_SIGNING_TOKENS as its signing token.'
    : 'This GitLab may ignore signing tokens (before 19.0): set GITLAB_WEBHOOK_TOKENS and give it a value as its secret token.';
}

function hooksOf({ kind, name }: HookPlace): string {
  return `/${kind === 'repository' ? 'projects' : 'groups'}/${encodeURIComponent(name)}/hooks`;
}
