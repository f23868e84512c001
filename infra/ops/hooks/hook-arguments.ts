import { parseArgs } from 'node:util';
import { AppError } from '../../../shared/domain/app-error.ts';

export const HOOKS_HELP = `npm run hooks:create -- --instance ID [options]

Creates at the provider what is missing of the hooks that tell Gatehouse about pull requests. What exists already is
left as it is and checked. Reads the settings that the app reads; the secrets of new hooks are the first of each list
that cover the place, those limited to it before those without limits.

  --instance ID    an id of GATEHOUSE_INSTANCES
  --project P      Azure DevOps: a project with all its repositories; GitLab: one project
  --repository R   one repository by its full name: project/repository, or the path of a GitLab project
  --group G        GitLab: a group with all its projects (Premium)
  --url URL        https address of the app (default: GATEHOUSE_PUBLIC_URL)
  --dry-run        only list what is there and what would be created
  --json           print one JSON object
  --help           this text

Without a place, the repositories of the instance say it: "p/*" is a project or group, "p/r" a repository.
The token needs more than for reviews: Azure DevOps: "Edit subscriptions", which project administrators have; GitLab:
Maintainer of the project, Owner of the group. AZURE_DEVOPS_TOKEN may also be an Entra access token.
Exit codes: 0 all hooks are there; 1 the provider refused, or a hook needs a hand; 2 could not run.`;

export interface HookArguments {
  readonly instance: string;
  readonly place: { readonly option: 'project' | 'repository' | 'group'; readonly name: string } | undefined;
  /** Address of the app as it was written. */
  readonly url: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Undefined = help was asked for. @throws AppError `rejected` whose message says what to write instead. */
export function parseHookArguments(args: readonly string[]): HookArguments | undefined {
  const values = parseOptions(args);
  if (values.help) return undefined;
  const { instance, url, json } = values;
  if (instance === undefined) throw wrongArguments('--instance names an instance of GATEHOUSE_INSTANCES');
  const places = (['project', 'repository', 'group'] as const).flatMap((option) => {
    const name = values[option]?.replace(/^\/+|\/+$/g, '');
    return name === undefined ? [] : [{ option, name }];
  });
  if (places.length > 1) throw wrongArguments('--project, --repository and --group exclude each other');
  if (places[0]?.name === '') throw wrongArguments(`--${places[0].option} takes a name`);
  return { instance, place: places[0], url, dryRun: values['dry-run'], json };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        instance: { type: 'string' },
        project: { type: 'string' },
        repository: { type: 'string' },
        group: { type: 'string' },
        url: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw wrongArguments(error instanceof Error ? error.message : String(error));
  }
}

export function wrongArguments(message: string): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'arguments',
    message: `${message}; npm run hooks:create -- --help lists the options`,
  });
}
