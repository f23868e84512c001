/** A pattern that only some files may contain, searched line by line in code without comments and texts. */
export interface SourceRule {
  readonly name: string;
  /** Files it is about. */
  readonly scope: RegExp;
  readonly pattern: RegExp;
  /** Files in scope that may contain it. */
  readonly allowed?: RegExp;
  /** Lines that must be found, so that the rule is known to bite; see source-rules.test.ts. */
  readonly planted: readonly string[];
}

const PRODUCT = /^(shared|functions)\//;
const ALL_SOURCES = /^(shared|functions|infra)\//;
const TESTS = /^test\//;
/** Adapters and the system clock may wait and ask for the time; everyone else is given a Clock. */
const TIMED = /^shared\/(observability\/system-clock\.ts|(state|providers|llm)\/)/;

export const SOURCE_RULES: readonly SourceRule[] = [
  {
    name: 'only load-config.ts reads the environment',
    scope: PRODUCT,
    pattern: /\bprocess\s*(\?\.|\.|\[)\s*(env\b|['"])|\benv\b[^;]*\}\s*=\s*process\b|\bimport\.meta\.env\b/,
    allowed: /^shared\/config\/load-config\.ts$/,
    planted: ['const a = process.env.HOME;', 'const { env } = process;', "const b = process['env'];"],
  },
  {
    name: 'only invoke-tool.ts calls the handler of a tool',
    scope: ALL_SOURCES,
    pattern: /(\.|\?\.)\s*handler\s*(\?\.\s*)?\(|\.handler\.(call|apply|bind)\b|\[['"]_+['"]\]\(context\b/,
    allowed: /^(shared\/tools\/invoke-tool\.ts$|infra\/local\/host\/)/,
    planted: ['await tool.handler(context, input);', 'tool.handler.call(tool, context, input);'],
  },
  {
    // shared/providers/http/ calls the global fetch as its transport, under that name; adapters may hand it one.
    name: 'only the http plumbing of the providers opens connections to them',
    scope: /^shared\/(?!llm\/)/,
    pattern: /(?<![.\w$])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b|\bnew (WebSocket|EventSource)\b/,
    planted: ['await fetch(url);', 'const send = globalThis.fetch;', 'new WebSocket(url);'],
  },
  {
    name: 'only keys.ts builds partition and row keys',
    scope: PRODUCT,
    pattern:
      /\b(partitionKey|rowKey)\s*[:=]\s*(['"`]|shortHash\()|\.transaction\(\s*['"`]|\.(get|transaction|range)\(\s*shortHash\(/,
    // Windows of a grant's budget, in a table that holds nothing else.
    allowed: /^shared\/(state\/keys|tools\/budget)\.ts$/,
    planted: [
      "const action = { kind: 'create', rowKey: `j${ticket}`, values };",
      'const partitionKey = shortHash(repository);',
      'await table.transaction(`${provider}|${number}`, actions);',
    ],
  },
  {
    name: 'time, randomness and waiting are passed in',
    scope: PRODUCT,
    pattern:
      /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bMath\.random\b|\bperformance\.now\b|\b(setTimeout|setInterval|setImmediate)\b|\bAbortSignal\.timeout\b/,
    allowed: TIMED,
    planted: ['const a = Date.now();', 'const b = new Date();', 'setTimeout(done, 5);', 'Math.random();'],
  },
  {
    name: 'randomness comes from the RandomSource',
    scope: PRODUCT,
    pattern: /\b(randomUUID|randomBytes|randomInt|getRandomValues)\b/,
    allowed: /^shared\/observability\/system-clock\.ts$/,
    planted: ['const id = randomUUID();', 'crypto.getRandomValues(bytes);'],
  },
  {
    name: 'nothing prints but the logger',
    scope: PRODUCT,
    pattern: /\bconsole\s*[.[]|\bprocess\.(stdout|stderr)\b/,
    allowed: /^shared\/runtime\.ts$/,
    planted: ["console.log('x');", 'process.stdout.write(text);'],
  },
  {
    name: 'no default export',
    scope: /^(shared|functions|infra|test)\//,
    pattern: /\bexport\s+default\b|\bas\s+default\b/,
    planted: ['export default 1;', 'export { a as default };'],
  },
  {
    name: 'no barrel',
    scope: ALL_SOURCES,
    pattern: /\bexport\s+(type\s+)?(\*|\{[^}]*\}\s*from\b)/,
    planted: ["export * from './a.ts';", "export { a } from './a.ts';", "export type { A } from './a.ts';"],
  },
  {
    name: 'no mutable state in modules',
    scope: ALL_SOURCES,
    pattern:
      /^(export\s+)?(let|var)\s|^(export\s+)?const\s[^=]+=\s*(new (Map|Set|WeakMap|WeakSet)(<[^(]*>)?\(\)|\[\];)/,
    planted: ['let count = 0;', 'export let client;', 'const seen = new Set<string>();', 'const all = [];'],
  },
  {
    name: 'no mocked modules or globals',
    scope: TESTS,
    pattern: /\bvi\s*\.\s*(mock|doMock|importMock|hoisted|stubGlobal|stubEnv|useFakeTimers)\b/,
    planted: ["vi.mock('./a.ts');", 'vi.doMock(path);', "vi.stubGlobal('fetch', fake);"],
  },
  {
    name: 'no test that is left out, kept alone or expected to fail',
    scope: TESTS,
    pattern:
      /\b(it|test|describe|bench|suite)\s*(\.\s*\w+\s*)*\.\s*(skip|only|todo|fails|skipIf|runIf)\b|\b(xit|xdescribe|fit|fdescribe)\s*\(|\b(context|ctx)\.skip\(/,
    planted: [
      "it.skip('x', run);",
      "describe.only('x', run);",
      "it.concurrent.skip('x', run);",
      'it.todo();',
    ],
  },
];

/** Built-in modules that product code has no business with: no process, no shell, no server, no second thread. */
export const FORBIDDEN_MODULES =
  /^node:(child_process|cluster|dgram|http|http2|https|net|process|repl|timers|timers\/promises|tls|vm|worker_threads)$/;
/** Where a forbidden built-in is the point of the file. */
export const MODULE_OWNERS: Readonly<Record<string, RegExp>> = {
  'node:timers/promises': TIMED,
};
