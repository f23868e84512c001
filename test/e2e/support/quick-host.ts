import { fileURLToPath } from 'node:url';

/** The product's host.json with shorter polling, so that tests do not wait for an idle queue. */
export const QUICK_HOST = fileURLToPath(new URL('host.json', import.meta.url));
