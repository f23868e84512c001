import type { InstanceConfig } from '../../../shared/config/config.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { wrongArguments, type HookArguments } from './hook-arguments.ts';

/** Where hooks are made: one repository, or all repositories below a project (Azure DevOps) or group (GitLab). */
export interface HookPlace {
  readonly kind: 'repository' | 'container';
  /** Full name of the repository, or name of the project or group. */
  readonly name: string;
}

/** @throws AppError `rejected` when neither the arguments nor the settings say it. */
export function choosePlaces(instance: InstanceConfig, given: HookArguments['place']): readonly HookPlace[] {
  if (given === undefined) return placesOfSettings(instance);
  const isAzure = instance.provider === 'azure-devops';
  if (given.option === 'group' && isAzure) throw wrongArguments('--group is for GitLab');
  const kind =
    given.option === 'group' || (given.option === 'project' && isAzure) ? 'container' : 'repository';
  const parts = given.name.split('/').length;
  if (kind === 'repository' && isAzure && parts !== 2)
    throw wrongArguments('--repository takes project/repository');
  if (kind === 'repository' && !isAzure && parts < 2)
    throw wrongArguments(`--${given.option} takes the path of a project: group/project`);
  if (kind === 'container' && isAzure && parts !== 1) throw wrongArguments('--project takes one name');
  return [{ kind, name: given.name }];
}

function placesOfSettings(instance: InstanceConfig): readonly HookPlace[] {
  return instance.repositories.map((glob) => {
    const container = glob.replace(/(?:\/\*{1,2})+$/, '');
    const kind = container === glob ? 'repository' : 'container';
    if (container !== '' && !/[*?]/.test(container)) return { kind, name: container };
    throw new AppError({
      kind: 'rejected',
      code: 'place_unknown',
      message:
        `The repositories of instance ${instance.id} are no list of places (${glob}). ` +
        'Say it with --project or --repository.',
    });
  });
}

/** Names that stand for all events of a place, to see whether a secret that is limited to some globs covers it. */
export function namesWithin(provider: InstanceConfig['provider'], place: HookPlace): readonly string[] {
  if (place.kind === 'repository') return [place.name];
  const below = `${place.name}/any repository`;
  return provider === 'gitlab' ? [below, `${place.name}/any group/any repository`] : [below];
}
