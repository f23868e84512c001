/** The parts of an identity that name it and tell what it is. */
export interface NamedIdentity {
  readonly id: string;
  readonly displayName?: string | null | undefined;
  readonly uniqueName?: string | null | undefined;
  /** Of the Graph API; only its kind is looked at, since other answers name the same identity by its id. */
  readonly descriptor?: string | null | undefined;
}

/** Service principals may have an empty `uniqueName`. */
export function loginOf({ id, displayName, uniqueName }: NamedIdentity): string {
  return [uniqueName, displayName].find((name) => typeof name === 'string' && name !== '') ?? id;
}

/** Service accounts (`svc`), applications (`aadsp`) and the service itself (`s2s`). */
export function isApplication(identity: NamedIdentity): boolean {
  return /^(?:svc|aadsp|s2s)\./i.test(identity.descriptor ?? '');
}
