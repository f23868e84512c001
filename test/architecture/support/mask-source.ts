/** Characters after which a `/` starts a regular expression and not a division. */
const BEFORE_REGEX =
  /(^|[([{},;:=!&|?+\-*%~^<>\n]|\b(return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

/**
 * Source text of the same length in which comments are blank and the contents of strings, templates and
 * regular expressions are replaced by `_`, so that searching it finds code and nothing else. Delimiters, line
 * breaks and code inside `${}` stay.
 */
export function maskSource(source: string): string {
  const out: string[] = [];
  /** Depth of braces at which each open template continues. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  const copy = (count = 1): void => {
    out.push(source.slice(at, at + count));
    at += count;
  };
  const blank = (end: number, filler: string): void => {
    for (; at < end; at += 1) out.push(source[at] === '\n' ? '\n' : filler);
  };
  const template = (): void => {
    while (at < source.length) {
      if (source[at] === '\\') blank(at + 2, '_');
      else if (source[at] === '`') return copy();
      else if (source.startsWith('${', at)) {
        copy(2);
        templates.push(depth);
        return;
      } else blank(at + 1, '_');
    }
  };
  while (at < source.length) {
    const char = source[at] ?? '';
    if (source.startsWith('//', at)) blank(endOf(source, '\n', at), ' ');
    else if (source.startsWith('/*', at)) blank(endOf(source, '*/', at + 2) + 2, ' ');
    else if (char === "'" || char === '"') {
      copy();
      blank(endOfQuoted(source, char, at), '_');
      copy();
    } else if (char === '`') {
      copy();
      template();
    } else if (char === '/' && BEFORE_REGEX.test(out.slice(-12).join(''))) {
      copy();
      blank(endOfRegex(source, at), '_');
      copy();
    } else if (char === '}' && templates.at(-1) === depth) {
      templates.pop();
      copy();
      template();
    } else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      copy();
    }
  }
  return out.join('');
}

function endOf(source: string, text: string, from: number): number {
  const end = source.indexOf(text, from);
  return end === -1 ? source.length : end;
}

function endOfQuoted(source: string, quote: string, from: number): number {
  let end = from;
  while (end < source.length && source[end] !== quote && source[end] !== '\n')
    end += source[end] === '\\' ? 2 : 1;
  return end;
}

function endOfRegex(source: string, from: number): number {
  let inClass = false;
  let end = from;
  for (; end < source.length && source[end] !== '\n'; end += 1) {
    const char = source[end];
    if (char === '\\') end += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) break;
  }
  return end;
}
