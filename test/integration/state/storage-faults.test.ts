import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createQueue } from '../../../shared/state/azure-queue.ts';
import { createTable } from '../../../shared/state/azure-table.ts';
import { QUEUES, TABLES } from '../../../shared/state/names.ts';
import { startStorage, storageConfig, type AzuriteStorage } from '../../sessions/azurite-storage.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A storage endpoint of the test's own, in place of Azurite. */
let endpoint: Server | undefined;

async function serve(handler: Handler): Promise<string> {
  endpoint = createServer(handler);
  await new Promise<void>((resolve) => endpoint?.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = endpoint.address();
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
}

afterEach(async () => {
  endpoint?.closeAllConnections();
  await new Promise<void>((resolve) =>
    endpoint === undefined ? resolve() : endpoint.close(() => resolve()),
  );
  endpoint = undefined;
});

function connection(host: string): string {
  const key = Buffer.from('not a real key').toString('base64');
  return `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=${key};TableEndpoint=http://${host}/a;QueueEndpoint=http://${host}/a;`;
}

/** Answers as Table and Queue Storage do, with the code in the body and in the header. */
function refuse(status: number, code: string): Handler {
  return (request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-ms-error-code': code });
      response.end(JSON.stringify({ 'odata.error': { code, message: { lang: 'en', value: 'as told' } } }));
    });
  };
}

const upsert = [{ kind: 'upsert', rowKey: 'a', values: { n: 1 } }] as const;

describe('what storage answers becomes one of our errors, by status and code', () => {
  it.each([
    { status: 403, code: 'AuthorizationFailure', error: { kind: 'permanent', code: 'storage_denied' } },
    { status: 404, code: 'TableNotFound', error: { kind: 'permanent', code: 'storage_missing' } },
    { status: 400, code: 'InvalidInput', error: { kind: 'permanent', code: 'storage_refused' } },
    { status: 503, code: 'ServerBusy', error: { kind: 'transient', code: 'storage_unavailable' } },
  ])('table read: $status $code', async ({ status, code, error }) => {
    const table = createTable(storageConfig(connection(await serve(refuse(status, code)))), TABLES.sessions);
    await expect(table.get('p', 'h')).rejects.toMatchObject(error);
    await expect(table.range('p', 'h', 'l~')).rejects.toMatchObject(error);
  });

  it.each([
    { status: 403, code: 'AuthorizationFailure', error: { kind: 'permanent', code: 'storage_denied' } },
    { status: 404, code: 'TableNotFound', error: { kind: 'permanent', code: 'storage_missing' } },
    { status: 400, code: 'InvalidInput', error: { kind: 'permanent', code: 'storage_refused' } },
  ])('table write: $status $code is thrown', async ({ status, code, error }) => {
    const table = createTable(storageConfig(connection(await serve(refuse(status, code)))), TABLES.sessions);
    await expect(table.transaction('p', upsert)).rejects.toMatchObject(error);
    await expect(table.transaction('p', [...upsert, { kind: 'delete', rowKey: 'b' }])).rejects.toMatchObject(
      error,
    );
  });

  it.each([
    { status: 404, code: 'ResourceNotFound' },
    { status: 409, code: 'EntityAlreadyExists' },
    { status: 412, code: 'UpdateConditionNotSatisfied' },
    { status: 500, code: 'InternalError' },
    { status: 503, code: 'ServerBusy' },
  ])('table write: $status $code is unclear', async ({ status, code }) => {
    const table = createTable(storageConfig(connection(await serve(refuse(status, code)))), TABLES.sessions);
    expect(await table.transaction('p', upsert)).toEqual({ kind: 'unclear', status });
    const two = [...upsert, { kind: 'delete', rowKey: 'b' }] as const;
    expect(await table.transaction('p', two)).toEqual({ kind: 'unclear', status });
  });

  it.each([
    { status: 403, code: 'AuthorizationFailure', error: { kind: 'permanent', code: 'storage_denied' } },
    { status: 404, code: 'QueueNotFound', error: { kind: 'permanent', code: 'storage_missing' } },
    { status: 503, code: 'ServerBusy', error: { kind: 'transient', code: 'storage_unavailable' } },
  ])('queue send: $status $code', async ({ status, code, error }) => {
    const queue = createQueue(storageConfig(connection(await serve(refuse(status, code)))), QUEUES.wake);
    await expect(queue.send({ v: 1 }, 0)).rejects.toMatchObject(error);
  });

  it('nobody listens: a write is unclear, a read and a send may be tried again', async () => {
    const host = await serve(() => undefined);
    await new Promise<void>((resolve) => endpoint?.close(() => resolve()));
    const config = storageConfig(connection(host));
    const again = { kind: 'transient', code: 'storage_unavailable' };
    const results = await Promise.allSettled([
      createTable(config, TABLES.sessions).transaction('p', upsert),
      createTable(config, TABLES.sessions).get('p', 'h'),
      createQueue(config, QUEUES.wake).send({ v: 1 }, 0),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { kind: 'unclear', status: undefined } },
      { status: 'rejected', reason: again },
      { status: 'rejected', reason: again },
    ]);
  });

  it('keeps secrets and keys out of what it throws', async () => {
    const config = storageConfig(connection(await serve(refuse(403, 'AuthorizationFailure'))));
    const error: unknown = await createTable(config, TABLES.sessions)
      .get('partition-of-somebody', 'h')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'storage_denied' });
    const said = JSON.stringify({ message: String(error), details: Reflect.get(Object(error), 'details') });
    expect(said).not.toContain('partition-of-somebody');
    expect(said).not.toContain(Buffer.from('not a real key').toString('base64'));
  });
});

describe('an answer that gets lost on the way', () => {
  let storage: AzuriteStorage;
  let lose = 0;
  let seen = 0;

  beforeAll(async () => {
    storage = await startStorage();
  });
  afterAll(() => storage.azurite.stop());

  /** Azurite behind a proxy that carries out every request and drops the answers it is told to drop. */
  async function behindProxy(url: string): Promise<string> {
    const target = new URL(url);
    const host = await serve((request, response) => {
      const forwarded = httpRequest(
        {
          host: target.hostname,
          port: target.port,
          method: request.method,
          path: request.url,
          // The signature covers the path, not the host.
          headers: request.headers,
        },
        (answer) => {
          seen += 1;
          if (lose > 0) {
            lose -= 1;
            answer.resume();
            answer.on('end', () => request.socket.destroy());
            return;
          }
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(forwarded);
    });
    return storage.azurite.connectionString.replaceAll(target.host, host);
  }

  it('makes the SDK ask again, so that our own success looks like a conflict', async () => {
    const config = storageConfig(await behindProxy(storage.azurite.tableUrl));
    const table = createTable(config, TABLES.sessions);
    lose = 1;
    seen = 0;
    expect(
      await table.transaction('f'.repeat(32), [{ kind: 'create', rowKey: 'd', values: { n: 1 } }]),
    ).toEqual({
      kind: 'unclear',
      status: 409,
    });
    expect(seen).toBe(2);
    expect((await table.get('f'.repeat(32), 'd'))?.values).toEqual({ n: 1 });
    const etag = (await table.get('f'.repeat(32), 'd'))?.etag ?? '';
    lose = 1;
    const write = [{ kind: 'replace', rowKey: 'd', values: { n: 2 }, etag }, ...upsert] as const;
    expect(await table.transaction('f'.repeat(32), write)).toEqual({ kind: 'unclear', status: 412 });
    expect((await table.get('f'.repeat(32), 'd'))?.values).toEqual({ n: 2 });
  });

  it('makes the SDK send a message twice', async () => {
    const config = storageConfig(await behindProxy(storage.azurite.queueUrl));
    const queue = createQueue(config, QUEUES.wake);
    lose = 1;
    seen = 0;
    await queue.send({ v: 1 }, 0);
    expect(seen).toBe(2);
  });

  it('leaves a write unclear when every answer is lost', async () => {
    const config = storageConfig(await behindProxy(storage.azurite.tableUrl));
    const table = createTable(config, TABLES.sessions);
    lose = 4;
    expect(await table.transaction('e'.repeat(32), upsert)).toEqual({ kind: 'unclear', status: undefined });
    expect(lose).toBe(0);
    expect((await table.get('e'.repeat(32), 'a'))?.values).toEqual({ n: 1 });
  });
});
