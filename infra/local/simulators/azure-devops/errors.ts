import type { SimulatorReply } from '../http/exchange.ts';
import { ReplyError } from '../http/exchange.ts';

/** An error as the REST API words it; `typeKey` is the exception's name. */
export function azureError(status: number, typeKey: string, message: string): SimulatorReply {
  return {
    status,
    json: {
      $id: '1',
      innerException: null,
      message,
      typeName: `Microsoft.TeamFoundation.Git.Server.${typeKey}, Microsoft.TeamFoundation.Git.Server`,
      typeKey,
      errorCode: 0,
      eventId: 3000,
    },
  };
}

/** Ends the request with an error. */
export function refuse(status: number, typeKey: string, message: string): never {
  throw new ReplyError(azureError(status, typeKey, message));
}

export function repositoryMissing(name: string): never {
  return refuse(
    404,
    'GitRepositoryNotFoundException',
    `TF401019: The Git repository with name or identifier ${name} does not exist or you do not have permissions for the operation you are attempting.`,
  );
}

export function pullMissing(): never {
  return refuse(
    404,
    'GitPullRequestNotFoundException',
    'TF401180: The requested pull request was not found.',
  );
}

export function invalidArgument(message: string): never {
  return refuse(400, 'InvalidArgumentValueException', message);
}
