import { htmlAnswer } from '../http/read-answer.ts';
import type { AppError } from '../../domain/app-error.ts';
import { credentialsRefused } from './azure-errors.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SIGN_IN_ADDRESS = /\/_signin\b|^https:\/\/(?:login\.microsoftonline\.|login\.live\.|[^/]*\.vssps\.)/i;
const SIGN_IN_PAGE = /sign[\s-]?in|_signin|login\.microsoftonline/i;
const MAX_PAGE_BYTES = 64 * 1024;

/**
 * A bad credential is answered with 401, with 203 and a sign-in page, or by leading to one on another host. The last
 * is turned into the second here, before the plumbing refuses the other host for what it is: not ours.
 */
export function withoutSignInRedirects(transport: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await transport(input, init);
    if (!REDIRECTS.has(response.status) || !SIGN_IN_ADDRESS.test(response.headers.get('location') ?? ''))
      return response;
    await response.body?.cancel();
    return new Response(null, { status: 203 });
  };
}

/** No call of ours is answered 203 in any other case. */
export function isSignedOut(response: Response): boolean {
  return response.status === 401 || response.status === 203;
}

/** What a web page in the place of data means. Reads no more of it than its beginning. */
export async function translatePage(response: Response, instance: string): Promise<AppError> {
  let text = '';
  if (response.body !== null) {
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_PAGE_BYTES) break;
    }
  }
  return SIGN_IN_PAGE.test(text) ? credentialsRefused(instance, response.status) : htmlAnswer(instance);
}
