import type { AppError } from '../../domain/app-error.ts';

/**
 * True when GitHub refused because our account already has a pending review on the pull request. There is no code
 * for it, only this sentence, in REST (422) and GraphQL (UNPROCESSABLE) alike.
 */
export function isPendingReviewConflict(error: AppError): boolean {
  const errors: unknown = error.details?.['errors'];
  const said: unknown = error.details?.['said'];
  const texts = [...(Array.isArray(errors) ? errors : []), said];
  return texts.some((text) => typeof text === 'string' && /one pending review per pull request/i.test(text));
}
