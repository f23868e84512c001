/** Tables of the product, created by the infrastructure templates (locally by ensureStorage). */
export const TABLES = {
  sessions: 'GatehouseSessions',
  runs: 'GatehouseRuns',
  budgets: 'GatehouseBudgets',
  rules: 'GatehouseRules',
  clients: 'GatehouseClients',
  audit: 'GatehouseAudit',
} as const;

/** The wake queue and the queue its host moves messages to that failed too often. */
export const QUEUES = { wake: 'gatehouse-wake', wakePoison: 'gatehouse-wake-poison' } as const;
