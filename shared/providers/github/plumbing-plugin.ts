import type { Octokit } from '@octokit/core';
import { isAppError } from '../../domain/app-error.ts';
import type { ProviderHosts } from '../http/provider-hosts.ts';
import { readJson } from '../http/read-answer.ts';
import type { RequestFailure } from './github-errors.ts';
import { isRequestError, toHeaders } from './github-errors.ts';

/** Gives the token to send; `refresh` asks for a new one and answers undefined when there is no other. */
export type Authorize = (refresh: boolean) => Promise<string | undefined>;

export interface PlumbingOptions {
  readonly hosts: ProviderHosts;
  readonly authorize: Authorize;
  /** What an error becomes that must not be repeated by the client. */
  readonly translate: (error: unknown) => unknown;
}

/** Set in `request` of a call whose body is not JSON: the answer's data is then the unread stream. */
export const RAW_BODY = 'rawBody';

/**
 * The innermost hook of every client: keeps paging links on the API's origin, signs the request, renews an expired
 * installation token once, and reads JSON strictly (Octokit itself turns a broken answer into text or nothing).
 * A 401 says that the request was not carried out, so sending it again with a new token repeats nothing.
 */
export function createPlumbing({ hosts, authorize, translate }: PlumbingOptions): (octokit: Octokit) => void {
  return (octokit) => {
    octokit.hook.wrap('request', async (request, options) => {
      hosts.assertApi(new URL(options.url, `${options.baseUrl}/`));
      const isRaw = options.request[RAW_BODY] === true;
      const send = async (token: string | undefined): Promise<Awaited<ReturnType<typeof request>>> =>
        request({
          ...options,
          headers: {
            ...options.headers,
            'x-github-api-version': '2022-11-28',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          request: { ...options.request, parseSuccessResponseBody: false },
        });
      const response = await sendSigned(send, authorize, translate);
      if (isRaw || response.status === 204 || response.status === 205) return response;
      const contentType = toHeaders(response.headers).get('content-type') ?? undefined;
      const body: unknown = response.data;
      response.data = await readJson(
        { body: body instanceof ReadableStream ? body : null, contentType },
        hosts.instance,
      );
      return response;
    });
  };
}

async function sendSigned<Answer>(
  send: (token: string | undefined) => Promise<Answer>,
  authorize: Authorize,
  translate: (error: unknown) => unknown,
): Promise<Answer> {
  try {
    return await send(await authorize(false));
  } catch (error) {
    if (!isRequestError(error)) throw error;
    if (isFinal(error)) throw translate(error);
    if (error.status !== 401) throw error;
    const token = await authorize(true);
    if (token === undefined) throw error;
    return send(token);
  }
}

/**
 * Of what we refused ourselves, only a connection that broke is worth a repeat at once; and where the provider says
 * how long to wait, the client, which would not, must not repeat.
 */
function isFinal(error: RequestFailure): boolean {
  if (isAppError(error.cause)) return error.cause.code !== 'provider_unreachable';
  return toHeaders(error.response?.headers).has('retry-after');
}
