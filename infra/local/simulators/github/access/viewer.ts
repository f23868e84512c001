import type { SimRepository, SimUser } from '../state/model.ts';
import type { SimInstallation } from '../state/state.ts';

export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** Who makes a request. */
export type Viewer =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'app' }
  | {
      readonly kind: 'installation';
      readonly user: SimUser;
      readonly installation: SimInstallation;
      /** The repositories this token was narrowed to. */
      readonly repositories: readonly SimRepository[];
      readonly permissions: Permissions;
    }
  | {
      readonly kind: 'user';
      readonly user: SimUser;
      /** Lower-case full names; undefined for all. */
      readonly repositories: ReadonlySet<string> | undefined;
      /** Undefined for a classic token, which may do all that its user may. */
      readonly permissions: Permissions | undefined;
    };

/** A viewer that acts in repositories. */
export type Actor = Extract<Viewer, { kind: 'installation' | 'user' }>;

export function canSee(viewer: Actor, repository: SimRepository): boolean {
  return viewer.kind === 'installation'
    ? viewer.repositories.includes(repository)
    : (viewer.repositories?.has(repository.fullName.toLowerCase()) ?? true);
}

export function isPermitted(viewer: Actor, area: string, level: 'read' | 'write'): boolean {
  if (viewer.permissions === undefined) return true;
  const granted = viewer.permissions[area];
  return granted === 'write' || (granted === 'read' && level === 'read');
}
