import type { Config, InstanceConfig } from '../../../shared/config/config.ts';
import { AppError, isAppError } from '../../../shared/domain/app-error.ts';
import { createAzureDevOpsHooks } from './create-azure-devops-hooks.ts';
import { createGitLabHooks } from './create-gitlab-hooks.ts';
import { HOOKS_HELP, parseHookArguments, type HookArguments } from './hook-arguments.ts';
import { choosePlaces } from './hook-place.ts';
import type { HookResult, OnHookResult } from './hook-result.ts';
import { hookUrl } from './hook-url.ts';

export interface HooksCommandDeps {
  readonly loadConfig: () => Config;
  readonly transport: typeof fetch;
  /** Lines of the result, without line break. */
  readonly print: (line: string) => void;
  /** Lines about what went wrong. */
  readonly warn: (line: string) => void;
}

const EXIT = { good: 0, refused: 1, couldNotRun: 2 } as const;

const GITHUB_LINE =
  'GitHub needs no command: infra/ops/github-app-manifest.json creates the App with its webhook, see docs/setup-github.md.';

const LABELS: Readonly<Record<HookResult['state'], string>> = {
  exists: 'exists',
  created: 'created',
  missing: 'would create',
  needs_a_hand: 'needs a hand',
};

/** Answers the exit code. Never prints a secret. */
export async function runHooksCommand(argv: readonly string[], deps: HooksCommandDeps): Promise<number> {
  const hooks: HookResult[] = [];
  let options: HookArguments | undefined;
  let error: AppError | undefined;
  try {
    options = parseHookArguments(argv);
    if (options === undefined) {
      deps.print(HOOKS_HELP);
      return EXIT.good;
    }
    const isQuiet = options.json;
    await create(options, deps, (result) => {
      hooks.push(result);
      if (!isQuiet) deps.print(lineOf(result));
    });
  } catch (caught) {
    // Anything else is a bug, whose text could hold what was being sent.
    error = isAppError(caught)
      ? caught
      : new AppError({ kind: 'rejected', code: 'bug', message: 'An unexpected error ended the command.' });
    deps.warn(`hooks:create: ${error.message}`);
  }
  if (options?.json === true) {
    const failure = error === undefined ? {} : { error: { code: error.code, message: error.message } };
    deps.print(JSON.stringify({ instance: options.instance, dryRun: options.dryRun, hooks, ...failure }));
  }
  if (error !== undefined) return error.kind === 'permanent' ? EXIT.refused : EXIT.couldNotRun;
  return hooks.some(({ state }) => state === 'needs_a_hand') ? EXIT.refused : EXIT.good;
}

async function create(options: HookArguments, deps: HooksCommandDeps, onResult: OnHookResult): Promise<void> {
  const config = deps.loadConfig();
  const instance = findInstance(config, options.instance);
  if (instance.provider === 'github') {
    if (!options.json) deps.print(GITHUB_LINE);
    return;
  }
  const url = hookUrl(instance.id, options.url, config.publicUrl);
  const places = choosePlaces(instance, options.place);
  const { secrets } = config;
  const more = { secrets, transport: deps.transport, url, dryRun: options.dryRun };
  if (instance.provider === 'gitlab') await createGitLabHooks(instance, places, more, onResult);
  else await createAzureDevOpsHooks(instance, places, more, onResult);
}

function findInstance(config: Config, id: string): InstanceConfig {
  const found = config.instances.find((instance) => instance.id === id);
  if (found !== undefined) return found;
  const ids = config.instances.map((instance) => instance.id).join(', ');
  const problem = config.problems.find(({ setting }) => setting === 'GATEHOUSE_INSTANCES');
  throw new AppError({
    kind: 'rejected',
    code: 'unknown_instance',
    message:
      `GATEHOUSE_INSTANCES has no usable instance ${id} (it has: ${ids || 'none'}). ${problem?.advice ?? ''}`.trim(),
  });
}

function lineOf({ place, hook, state, id, advice }: HookResult): string {
  const facts = [`${LABELS[state].padEnd(12)}  ${place}: ${hook}`, id === undefined ? '' : ` (${id})`];
  return `${facts.join('')}${advice === undefined ? '' : `. ${advice}`}`;
}
