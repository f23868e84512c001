/**
 * Who may import whom: the table of docs/architecture.md as data, checked by layers.test.ts.
 * The first area whose pattern matches a path owns it. An area may always import itself.
 */
export interface Area {
  readonly name: string;
  readonly level: number;
  readonly pattern: RegExp;
  /** Names of areas; `*` allows all of shared/. */
  readonly mayImport: readonly string[];
}

const FOUNDATION = ['domain', 'settings'];
const LEVEL_1 = [...FOUNDATION, 'config', 'observability', 'text-safety', 'diff'];
/** What everything above the contracts may use. `config` itself is for the composition root. */
const LEVEL_2 = [...FOUNDATION, 'observability', 'text-safety', 'diff', 'contracts', 'sessions', 'rules'];

export const AREAS: readonly Area[] = [
  { name: 'domain', level: 0, pattern: /^shared\/domain\//, mayImport: [] },
  // Types only: what settings are given as, and the class that keeps a secret from being printed.
  { name: 'settings', level: 0, pattern: /^shared\/config\/(config|secret)\.ts$/, mayImport: ['domain'] },
  { name: 'config', level: 1, pattern: /^shared\/config\//, mayImport: FOUNDATION },
  { name: 'observability', level: 1, pattern: /^shared\/observability\//, mayImport: FOUNDATION },
  { name: 'text-safety', level: 1, pattern: /^shared\/text-safety\//, mayImport: FOUNDATION },
  { name: 'diff', level: 1, pattern: /^shared\/diff\//, mayImport: FOUNDATION },
  // Ports, and the pure parts beside them that need no vendor: keys, row shapes, webhook text rules.
  {
    name: 'contracts',
    level: 2,
    pattern:
      /^shared\/(state\/(ports|keys|names|define-row|row-types|row-limits)|providers\/(ports|write-ports|snapshot|signed-scope|pull-request-url|registry|webhooks\/.+)|llm\/ports)\.ts$/,
    mayImport: LEVEL_1,
  },
  { name: 'sessions', level: 2, pattern: /^shared\/sessions\//, mayImport: [...LEVEL_1, 'contracts'] },
  { name: 'rules', level: 2, pattern: /^shared\/rules\//, mayImport: [...LEVEL_1, 'contracts'] },
  { name: 'provider-http', level: 3, pattern: /^shared\/providers\/http\//, mayImport: LEVEL_2 },
  adapter('github', /^shared\/providers\/github\//, ['provider-http']),
  adapter('azure-devops', /^shared\/providers\/azure-devops\//, ['provider-http']),
  adapter('gitlab', /^shared\/providers\/gitlab\//, ['provider-http']),
  adapter('state', /^shared\/state\//),
  adapter('llm', /^shared\/llm\//),
  { name: 'tools', level: 4, pattern: /^shared\/tools\//, mayImport: LEVEL_2 },
  { name: 'review', level: 5, pattern: /^shared\/review\//, mayImport: [...LEVEL_2, 'tools'] },
  { name: 'conversation', level: 5, pattern: /^shared\/conversation\//, mayImport: [...LEVEL_2, 'tools'] },
  { name: 'mcp', level: 5, pattern: /^shared\/mcp\//, mayImport: [...LEVEL_2, 'tools'] },
  { name: 'ingress', level: 5, pattern: /^shared\/ingress\//, mayImport: LEVEL_2 },
  { name: 'runtime', level: 6, pattern: /^shared\/runtime\.ts$/, mayImport: ['*'] },
  { name: 'functions', level: 7, pattern: /^functions\//, mayImport: ['runtime', 'contracts', 'domain'] },
  // Local tooling also reads the settings it hands to the app.
  {
    name: 'infra',
    level: 7,
    pattern: /^infra\//,
    mayImport: ['runtime', 'contracts', 'domain', 'settings', 'config'],
  },
];

function adapter(name: string, pattern: RegExp, more: readonly string[] = []): Area {
  return { name, level: 3, pattern, mayImport: [...LEVEL_2, ...more] };
}

/** Where each package may be imported. A package that is missing here may be imported nowhere. */
export const PACKAGES: Readonly<Record<string, RegExp>> = {
  '@anthropic-ai/sdk': /^shared\/llm\//,
  '@azure/data-tables': /^shared\/state\//,
  '@azure/functions': /^functions\//,
  '@azure/identity': /^(shared\/state\/|infra\/local\/host\/)/,
  '@azure/storage-queue': /^(shared\/state\/|infra\/local\/host\/)/,
  '@octokit/auth-app': /^shared\/providers\/github\//,
  '@octokit/core': /^shared\/providers\/github\//,
  '@octokit/graphql-schema': /^infra\/local\/simulators\/github\//,
  '@octokit/plugin-paginate-graphql': /^shared\/providers\/github\//,
  '@octokit/plugin-retry': /^shared\/providers\/github\//,
  '@octokit/plugin-throttling': /^shared\/providers\/github\//,
  diff: /^shared\/(diff|review)\//,
  graphql: /^infra\/local\/simulators\//,
  minimatch: /^shared\/(rules|tools)\//,
  re2js: /^shared\/tools\//,
  'tar-stream': /^shared\/review\/snapshot\//,
  yaml: /^shared\/rules\//,
  zod: /^(shared|infra)\//,
};
