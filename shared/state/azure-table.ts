import { TableClient } from '@azure/data-tables';
import type { TableEntityResult, TableServiceClientOptions, TransactionAction } from '@azure/data-tables';
import type { StorageConfig } from '../config/config.ts';
import type { Row, RowValue, RowValues, ScannedRow, TableAction, TablePort, TableScanPort } from './ports.ts';
import { checkActions } from './row-limits.ts';
import { managedIdentity } from './storage-credential.ts';
import { isNotFound, storageError, unclearResult } from './storage-error.ts';

/** One request with all its repeats; shorter than the interval between lease renewals. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Bounded: a longer outage is the queue's to wait out. */
const RETRIES = { maxRetries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 } as const;

type Entity = TableEntityResult<Record<string, unknown>>;

/**
 * A table of Azure Table Storage (or Azurite) behind TablePort. Nothing is sent before the first call.
 * @throws AppError from its methods: `storage_unavailable` (transient), `storage_denied`, `storage_missing`,
 * `storage_refused`, `storage_row_limit` (permanent).
 */
export function createTable(config: StorageConfig, tableName: string): TablePort & TableScanPort {
  const client = connect(config, tableName);

  const read = async <T>(what: string, request: (abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await request(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    } catch (error) {
      throw storageError(error, `${tableName} ${what}`);
    }
  };

  return {
    async get(partitionKey, rowKey) {
      return read('get', async (abortSignal) => {
        try {
          return toRow(await client.getEntity(partitionKey, rowKey, { abortSignal }));
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      });
    },

    async range(partitionKey, from, to) {
      const filter = `PartitionKey eq ${quote(partitionKey)} and RowKey ge ${quote(from)} and RowKey lt ${quote(to)}`;
      return read('range', async (abortSignal) => {
        const rows: Row[] = [];
        for await (const page of client
          .listEntities({ queryOptions: { filter }, abortSignal })
          .byPage({ maxPageSize: 1000 })) {
          for (const entity of page) rows.push(toRow(entity));
        }
        return rows;
      });
    },

    async transaction(partitionKey, actions) {
      checkActions(partitionKey, actions);
      const options = { abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
      try {
        const [first] = actions;
        if (actions.length === 1 && first !== undefined) {
          return { kind: 'done', etags: [await writeOne(client, partitionKey, first, options)] };
        }
        const { subResponses } = await client.submitTransaction(
          actions.map((action) => toTransactionAction(partitionKey, action)),
          options,
        );
        return {
          kind: 'done',
          etags: actions.map(({ kind }, i) => (kind === 'delete' ? '' : (subResponses[i]?.etag ?? ''))),
        };
      } catch (error) {
        const unclear = unclearResult(error);
        if (unclear !== undefined) return unclear;
        throw storageError(error, `${tableName} transaction`);
      }
    },

    async *scan(from, to, columns) {
      const filter = `PartitionKey ge ${quote(from)} and PartitionKey lt ${quote(to)}`;
      const select = ['PartitionKey', 'RowKey', 'Timestamp', ...columns];
      const pages = client.listEntities({ queryOptions: { filter, select } }).byPage({ maxPageSize: 1000 });
      try {
        for await (const page of pages) {
          for (const entity of page) yield toScannedRow(entity);
        }
      } catch (error) {
        throw storageError(error, `${tableName} scan`);
      }
    },
  };
}

function connect(config: StorageConfig, tableName: string): TableClient {
  const options: TableServiceClientOptions = { retryOptions: RETRIES };
  if (config.kind === 'connection-string') {
    return TableClient.fromConnectionString(config.connectionString.reveal(), tableName, {
      ...options,
      allowInsecureConnection: true,
    });
  }
  return new TableClient(
    config.tableServiceUri.href.replace(/\/$/, ''),
    tableName,
    managedIdentity(config.clientId),
    options,
  );
}

/** Unconditional writes send `*` and say so: the SDK's default ETag is a blind overwrite, too. */
async function writeOne(
  client: TableClient,
  partitionKey: string,
  action: TableAction,
  options: { readonly abortSignal: AbortSignal },
): Promise<string> {
  if (action.kind === 'delete') {
    await client.deleteEntity(partitionKey, action.rowKey, { ...options, etag: '*' });
    return '';
  }
  const entity = toEntity(partitionKey, action.rowKey, action.values);
  const response = await {
    create: () => client.createEntity(entity, options),
    upsert: () => client.upsertEntity(entity, 'Replace', options),
    merge: () => client.updateEntity(entity, 'Merge', { ...options, etag: '*' }),
    replace: () => client.updateEntity(entity, 'Replace', { ...options, etag: etagOf(action) }),
  }[action.kind]();
  return response.etag ?? '';
}

function toTransactionAction(partitionKey: string, action: TableAction): TransactionAction {
  if (action.kind === 'delete') return ['delete', { partitionKey, rowKey: action.rowKey }];
  const entity = toEntity(partitionKey, action.rowKey, action.values);
  if (action.kind === 'create') return ['create', entity];
  if (action.kind === 'upsert') return ['upsert', entity, 'Replace'];
  return ['update', entity, action.kind === 'merge' ? 'Merge' : 'Replace', { etag: etagOf(action) }];
}

function etagOf(action: TableAction): string {
  return action.kind === 'replace' ? action.etag : '*';
}

function toEntity(
  partitionKey: string,
  rowKey: string,
  values: RowValues,
): { partitionKey: string; rowKey: string } & Record<string, RowValue> {
  return { ...values, partitionKey, rowKey };
}

function toRow(entity: Entity): Row {
  const values: Record<string, RowValue> = {};
  for (const [name, value] of Object.entries(entity)) {
    if (SYSTEM.has(name) || name.startsWith('odata')) continue;
    if (isRowValue(value)) values[name] = value;
  }
  return { rowKey: entity.rowKey ?? '', etag: entity.etag, values };
}

function toScannedRow(entity: Entity): ScannedRow {
  return {
    ...toRow(entity),
    partitionKey: entity.partitionKey ?? '',
    timestamp: Date.parse(entity.timestamp ?? ''),
  };
}

const SYSTEM: ReadonlySet<string> = new Set(['partitionKey', 'rowKey', 'etag', 'timestamp']);

function isRowValue(value: unknown): value is RowValue {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) || value instanceof Uint8Array;
}

/** An OData string literal. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
