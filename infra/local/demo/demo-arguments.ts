import { parseArgs } from 'node:util';
import { DEMO_PROVIDERS, type DemoProviderId } from '../stack/demo-provider.ts';

export const DEMO_HELP = `npm run demo [-- options]

Starts storage, a simulated provider over a real git repository, the model and the app; delivers one signed webhook;
waits for the review and prints its comments as read back from the provider.

  --provider P  ${DEMO_PROVIDERS.join(', ')} (default github)
  --repo PATH   local git repository (default: a small sample with planted problems)
  --base REF    what the change is measured from; needs --repo and --head
  --head REF    the change
  --timeout S   seconds to wait for the review (default 300)
  --json        print one JSON object as the last line
  --help        this text

With ANTHROPIC_API_KEY set (and ANTHROPIC_BASE_URL, if it is not the public one) the real model reviews; otherwise the
offline reviewer does. Exit codes: 0 posted, clean, partial or skipped; 1 failed; 2 could not run.`;

export interface DemoArguments {
  readonly provider: DemoProviderId;
  readonly range: { readonly repo: string; readonly base: string; readonly head: string } | undefined;
  readonly timeoutMs: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws Error whose message says what to write instead. */
export function parseDemoArguments(args: string[]): DemoArguments {
  const { values } = parseArgs({
    args,
    options: {
      provider: { type: 'string', default: 'github' },
      repo: { type: 'string' },
      base: { type: 'string' },
      head: { type: 'string' },
      timeout: { type: 'string', default: '300' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { repo, base, head, json, help } = values;
  const provider = DEMO_PROVIDERS.find((known) => known === values.provider);
  if (provider === undefined) throw new Error(`--provider takes ${DEMO_PROVIDERS.join(', ')}`);
  const seconds = Number(values.timeout);
  if (!Number.isFinite(seconds) || seconds <= 0) throw new Error('--timeout takes a number of seconds');
  const given = [repo, base, head].filter((value) => value !== undefined);
  if (given.length !== 0 && given.length !== 3) throw new Error('--repo, --base and --head go together');
  const range =
    repo !== undefined && base !== undefined && head !== undefined ? { repo, base, head } : undefined;
  return { provider, range, timeoutMs: seconds * 1000, json, help };
}
