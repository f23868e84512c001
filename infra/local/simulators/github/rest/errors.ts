import type { SimulatorReply } from '../../http/exchange.ts';
import { ReplyError } from '../../http/exchange.ts';

const DOCUMENTATION = 'https://docs.github.com/rest';

export type ValidationError =
  | string
  | {
      readonly resource: string;
      readonly field?: string;
      readonly code: string;
      readonly message?: string;
    };

/** GitHub's error shape; `status` is repeated as a string since 2024. */
export function githubError(
  status: number,
  message: string,
  errors?: readonly ValidationError[],
  documentation = DOCUMENTATION,
): SimulatorReply {
  return {
    status,
    json: {
      message,
      ...(errors === undefined ? {} : { errors }),
      documentation_url: documentation,
      status: String(status),
    },
  };
}

export function notFound(): ReplyError {
  return new ReplyError(githubError(404, 'Not Found'));
}

export function forbidden(message: string): ReplyError {
  return new ReplyError(githubError(403, message));
}

/** A 422 in one of its two usual shapes. */
export function unprocessable(message: string, errors?: readonly ValidationError[]): ReplyError {
  return new ReplyError(githubError(422, message, errors));
}
