import type { Server } from 'node:net';

/** Port of a TCP server that listens; throws when it does not. */
export function listeningPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
}
