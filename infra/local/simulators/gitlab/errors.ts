import type { SimulatorReply } from '../http/exchange.ts';
import { ReplyError } from '../http/exchange.ts';

/** An error as the REST API words it. */
export function gitlabError(status: number, message: unknown): SimulatorReply {
  return { status, json: { message } };
}

/** Ends the request with an error. */
export function refuse(status: number, message: unknown): never {
  throw new ReplyError(gitlabError(status, message));
}

export function notFound(what: string): never {
  return refuse(404, `404 ${what} Not Found`);
}

export function badNote(errors: string): never {
  return refuse(400, `400 Bad request - Note {${errors}}`);
}

export function badLineCode(): never {
  return badNote(`:line_code=>["can't be blank", "must be a valid line code"]`);
}

export function forbidden(): never {
  return refuse(403, '403 Forbidden');
}
