/** Where something secret stands: UTF-16 positions, `to` not included. */
export interface SecretSpan {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

// A value next to one of these names is a secret whatever it looks like ...
const STRONG_NAME = String.raw`pass(?:word|wd|phrase)|pwd|api[_-]?key|access[_-]?key|secret[_-]?key|account[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?token`;
// ... next to one of these only when it looks like one: `token` is also what parsers call a comma.
const WEAK_NAME = 'secret|token|credentials?';

const BARE = String.raw`[^\s"'\u0060;,&<>(){}[\]\\|]`;
const ASSIGNMENT = new RegExp(
  String.raw`(?:(?<strong>${STRONG_NAME})|${WEAK_NAME})` +
    String.raw`(?<separator>\\?["'\u0060]?[ \t]{0,20}(?::=|=>|=|:)[ \t]{0,20})` +
    // Quoted inside a quoted text (JSON in a string), quoted, or bare.
    String.raw`(?:\\(?<outer>["'])(?<inner>[^\n\\"']+)\\\k<outer>` +
    String.raw`|(?<quote>["'\u0060])(?<quoted>(?:\\[^\n]|(?!\k<quote>)[^\n\\])+)\k<quote>` +
    String.raw`|(?<bare>${BARE}{1,500}))`,
  'gid',
);
const REST_OF_BARE = new RegExp(`${BARE}*`, 'y');

const PLACEHOLDER =
  /^(?:\[masked\]|[*x.•-]+|<.*>|\$.*|%.*|\{.*|\[.*|process\.env.*|env[.:].*|os\.environ.*|secrets?[.:].*|your[ _-].*|changeme|example|placeholder|redacted|null|none|nil|undefined|true|false|string|str|boolean|number|any|required|optional)$/i;
const REFERENCE = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+;?$/;
const NAME_INSIDE = new RegExp(`${STRONG_NAME}|${WEAK_NAME}`, 'i');

/** Values assigned to something called password, token, API key and the like, in code, JSON, YAML or a URL. */
export function findAssignedCredentials(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const assignment = new RegExp(ASSIGNMENT);
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const { strong, separator = '', inner, quoted, bare } = match.groups ?? {};
    const places = match.indices?.groups ?? {};
    const [from, end] = places['inner'] ?? places['quoted'] ?? places['bare'] ?? [0, 0];
    const isSecret =
      bare === undefined
        ? isQuotedSecret(inner ?? quoted ?? '', strong)
        : text[end] !== '(' && isBareSecret(bare, separator, strong);
    if (isSecret) {
      const to = bare === undefined ? end : endOfBare(text, end);
      spans.push({ kind: 'assigned-credential', from, to });
      assignment.lastIndex = Math.max(assignment.lastIndex, to);
    } else {
      // The value may itself be a name with a secret behind it.
      assignment.lastIndex = from;
    }
  }
  return spans;
}

function endOfBare(text: string, from: number): number {
  const rest = new RegExp(REST_OF_BARE);
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? 0);
}

function isQuotedSecret(value: string, strong: string | undefined): boolean {
  if (PLACEHOLDER.test(value)) return false;
  return strong === undefined ? looksRandom(value) : value.length >= 4;
}

function isBareSecret(value: string, separator: string, strong: string | undefined): boolean {
  if (PLACEHOLDER.test(value) || REFERENCE.test(value) || value.length < 4) return false;
  if (strong === undefined) return looksRandom(value);
  // `password=hunter2` in a URL or an env file; `password = userInput` is code, and `password: text` may be prose.
  return separator === '='
    ? !NAME_INSIDE.test(value)
    : value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value);
}

function looksRandom(value: string): boolean {
  return value.length >= 12 && /\d/.test(value) && /[a-z]/i.test(value) && !/\s/.test(value);
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const LONGEST_KEY = 20_000;

/** Private key blocks, also quoted, indented or inside a diff; one without an end goes to the end of the text. */
export function findPrivateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const begin = new RegExp(KEY_BEGIN);
  const end = new RegExp(KEY_END);
  for (let open = begin.exec(text); open !== null; open = begin.exec(text)) {
    end.lastIndex = begin.lastIndex;
    const close = end.exec(text);
    const limit = Math.min(text.length, open.index + LONGEST_KEY);
    const to = close !== null && end.lastIndex <= limit ? end.lastIndex : limit;
    spans.push({ kind: 'private-key', from: open.index, to });
    begin.lastIndex = to;
  }
  return spans;
}
