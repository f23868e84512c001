import type { StorageConfig } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import { isLoopback, parseServiceUrl, URL_ADVICE } from './parse-url.ts';

const NAME = 'GATEHOUSE_STORAGE';

/** Identity-based endpoints, or a connection string that leads to Azurite on loopback. */
export function readStorage(reader: ConfigReader): StorageConfig | undefined {
  const connectionString = reader.secret(NAME);
  if (connectionString !== undefined) {
    if (isLoopbackOnly(connectionString.reveal()) && !reader.isInAzure) {
      return { kind: 'connection-string', connectionString };
    }
    reader.report(
      NAME,
      'storage',
      `A connection string is for Azurite on loopback only; set ${NAME}__queueServiceUri and ${NAME}__tableServiceUri instead.`,
    );
    return undefined;
  }
  const queueServiceUri = readEndpoint(reader, `${NAME}__queueServiceUri`);
  const tableServiceUri = readEndpoint(reader, `${NAME}__tableServiceUri`);
  const credential = reader.textOrDefault(`${NAME}__credential`);
  if (credential !== 'managedidentity') {
    reader.report(`${NAME}__credential`, 'storage', 'The only credential is managedidentity.');
    return undefined;
  }
  if (queueServiceUri === undefined || tableServiceUri === undefined) return undefined;
  return { kind: 'identity', queueServiceUri, tableServiceUri, clientId: reader.text(`${NAME}__clientId`) };
}

function readEndpoint(reader: ConfigReader, name: string): URL | undefined {
  const text = reader.text(name);
  if (text === undefined) {
    reader.report(name, 'storage', 'Set it to the endpoint of the storage account.');
    return undefined;
  }
  const url = parseServiceUrl(text, reader.isInAzure);
  if (url instanceof URL) return url;
  reader.report(name, 'storage', URL_ADVICE[url]);
  return undefined;
}

/**
 * Threat: an account key in a setting, which the deployment promises not to have. An endpoint that is left out
 * would be derived from the account name and lead to the real service, so both that are used must be named.
 */
function isLoopbackOnly(connectionString: string): boolean {
  if (/^UseDevelopmentStorage=true;?$/i.test(connectionString)) return true;
  const parts = connectionString.split(';').map((part) => {
    const at = part.indexOf('=');
    return { key: part.slice(0, at).trim().toLowerCase(), value: part.slice(at + 1).trim() };
  });
  const endpoints = parts.filter(({ key }) => key.endsWith('endpoint'));
  const names = new Set(endpoints.map(({ key }) => key));
  return (
    names.has('queueendpoint') &&
    names.has('tableendpoint') &&
    endpoints.every(({ value }) => isLoopback(value)) &&
    !parts.some(({ key }) => key === 'endpointsuffix' || key.startsWith('developmentstorageproxy'))
  );
}
