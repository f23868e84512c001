import { InlineWriter } from './inline-writer.ts';
import { isReferenceUrl, readDestination } from './link-destination.ts';

// Quick actions and commands stand first on a line; quotes and list marks may stand before them.
const LINE_COMMAND = /(?<=^|\n)((?:[ \t>]|[-*+] |\d{1,9}[.)] ){0,20})(?=\/[A-Za-z])/g;

const ENTITY =
  /&(?!(?:amp|lt|gt|quot|apos|nbsp|mdash|ndash|hellip|larr|rarr|times|middot|bull|le|ge|ne);)#?[A-Za-z0-9]{1,40};/;
// Only what every renderer takes for a part of the address; what comes after is read as text.
const URL_TOKEN =
  /https?:\/\/[A-Za-z0-9.-]+\.[A-Za-z]{2,63}(?::\d{1,5})?(?:[/?#](?:[\w./?=%:+-]|&(?!#?\w{1,40};)|#(?!\d)|(?<=[A-Za-z0-9])@)*)?/i;
// People, teams, groups: `@name`, `@org/team`, Azure DevOps `@<id>`. A renderer drops a backslash before `_`.
const MENTION = /@(?:<[\w-]{1,100}>|\\?[A-Za-z0-9_](?:[A-Za-z0-9_./-]*[A-Za-z0-9_])?)/;
// `#12`, `owner/name#12`, `AB#12`, `!12`, `group/project!12`, `GH-12`
const REFERENCE = /(?:[\w.-]{1,100}(?:\/[\w.-]{1,100}){0,5})?[#!]\d+|GH-\d+/i;
const COMMAND = /\/review(?![\w-])/i;

interface Reading {
  readonly text: string;
  readonly writer: InlineWriter;
  readonly allowedHosts: ReadonlySet<string>;
  readonly hasTable: boolean;
  /** The match of a pattern that begins exactly at a position. */
  readonly match: (pattern: RegExp, at: number) => string | undefined;
}

/** Neutralises text outside fenced blocks; see neutraliseMarkdown. */
export function neutraliseInline(text: string, allowedHosts: ReadonlySet<string>): string {
  const escaped = text.replace(LINE_COMMAND, '$1\\');
  const reading: Reading = {
    text: escaped,
    writer: new InlineWriter(),
    allowedHosts,
    hasTable: escaped.split('\n').some(isTableRule),
    match: stickyMatcher(escaped),
  };
  for (let at = 0; at < escaped.length;) at = step(reading, at);
  return reading.writer.finish();
}

/** A renderer splits table rows at `|` before it looks for code, so there a span with a bar is none. */
function isTableRule(line: string): boolean {
  return line.includes('|') && line.includes('-') && /^[\s>|:-]*$/.test(line);
}

/** Handles what starts at `at` and returns where the next thing starts. */
function step(reading: Reading, at: number): number {
  switch (reading.text[at]) {
    case '\\':
      return copyEscape(reading, at);
    case '`':
      return copyBackticks(reading, at);
    case ']':
      return copyBracket(reading, at);
    case '<':
      return put(reading, at, '<', /[A-Za-z/!?]/.test(reading.text[at + 1] ?? '') ? '&lt;' : '<');
    case '&':
      return putCode(reading, at, reading.match(ENTITY, at)) ?? put(reading, at, '&');
    default:
      return copyWord(reading, at);
  }
}

function copyWord(reading: Reading, at: number): number {
  const previous = reading.writer.endsWord ? '' : (reading.text[at - 1] ?? '');
  if (/[A-Za-z0-9]/.test(previous)) return putPlain(reading, at);
  const url = reading.match(URL_TOKEN, at);
  if (url !== undefined && !isReferenceUrl(url)) return put(reading, at, url);
  const live =
    url ??
    reading.match(MENTION, at) ??
    reading.match(REFERENCE, at) ??
    (previous === '/' ? undefined : reading.match(COMMAND, at));
  return putCode(reading, at, live) ?? putPlain(reading, at);
}

/** Renderers look for mentions and references after they removed the backslashes. */
function copyEscape(reading: Reading, at: number): number {
  const live = reading.match(MENTION, at + 1) ?? reading.match(REFERENCE, at + 1);
  if (live !== undefined && /^[@#!]/.test(live)) return putCode(reading, at + 1, live) ?? at + 1;
  const next = reading.text[at + 1] ?? '';
  // In an address that becomes a link the backslash would escape nothing.
  if (next === '<') return at + 1;
  return put(reading, at, /[!-/:-@[-`{-~]/.test(next) ? `\\${next}` : '\\');
}

/** A code span counts as one when it opens and closes on one line; other backticks are escaped. */
function copyBackticks(reading: Reading, at: number): number {
  const run = reading.match(/`+/, at) ?? '`';
  const spanPattern = new RegExp(`${run}(?!\`)[^\\n]*?(?<!\`)${run}(?!\`)`, 'y');
  spanPattern.lastIndex = at;
  const span = spanPattern.exec(reading.text)?.[0];
  if (span === undefined || (reading.hasTable && span.includes('|'))) {
    return put(reading, at, run, '\\`'.repeat(run.length));
  }
  reading.writer.span(span);
  return at + span.length;
}

function copyBracket(reading: Reading, at: number): number {
  const next = reading.text[at + 1];
  // A link definition is drawn nowhere, so it may hide anything.
  if (next === ':') return put(reading, put(reading, at, ']'), ':', '\\:');
  if (next !== '(') return put(reading, at, ']');
  const destination = readDestination(reading.text, at + 2, reading.allowedHosts);
  // A space between the brackets and the address turns the link into the text of both.
  if (destination === undefined) return put(reading, at, '](', '] (');
  return put(reading, at, `](${destination}`);
}

/** Writes `output` in the place of `input`, which stands at `at`. */
function put(reading: Reading, at: number, input: string, output = input): number {
  reading.writer.text(output);
  return at + input.length;
}

function putCode(reading: Reading, at: number, live: string | undefined): number | undefined {
  if (live === undefined) return undefined;
  reading.writer.code(live);
  return at + live.length;
}

function putPlain(reading: Reading, at: number): number {
  return put(reading, at, reading.match(/[A-Za-z0-9]+/, at) ?? reading.text.slice(at, at + 1));
}

function stickyMatcher(text: string): Reading['match'] {
  const sticky = new Map<RegExp, RegExp>();
  return (pattern, at) => {
    const known = sticky.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags}y`);
    sticky.set(pattern, known);
    known.lastIndex = at;
    return known.exec(text)?.[0];
  };
}
