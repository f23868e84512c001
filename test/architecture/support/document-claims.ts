/** Something a document says that exists, so that it can be checked. */
export interface Claim {
  readonly kind: 'link' | 'path' | 'file-name' | 'script' | 'setting';
  readonly text: string;
  /** 1-based line of the document. */
  readonly line: number;
}

const TOP_FOLDERS = 'functions|shared|infra|test|docs|rules|\\.ci';
const PATH = new RegExp(`(?<![\\w./@-])((?:${TOP_FOLDERS})/[^\\s\`'"(),;:|]*)`, 'g');
const FILE_NAME = /(?<![\w./@*-])([\w.-]+\.(?:ts|mjs|json|md|yaml|bicep))(?![\w/])/g;
const SCRIPT = /\bnpm (?:run (?:--silent |-s )?([a-z][\w:-]*)|(test|start)\b)/g;
/** Upper-case words joined by underscores: in this project only settings are written so. */
const SETTING = /(?<![\w$-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:__[A-Za-z<>]+)?)(?![\w*])/g;
const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g;

/** Claims of a Markdown text: links anywhere, the others in inline code and in code blocks. */
export function claimsOf(markdown: string): readonly Claim[] {
  const claims: Claim[] = [];
  let fence: string | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    const mark = /^\s*(```+|~~~+)\s*(\w*)/.exec(text);
    if (mark !== null) fence = fence === undefined ? (mark[2] ?? '') : undefined;
    else if (fence !== undefined) {
      // Diagrams and data samples name things that are no files of ours.
      if (fence === '' || fence === 'sh' || fence === 'bash') claims.push(...claimsIn(text, line));
    } else {
      for (const [, target] of text.matchAll(LINK)) claims.push({ kind: 'link', text: target ?? '', line });
      for (const [, code] of text.matchAll(/`([^`]+)`/g)) claims.push(...claimsIn(code ?? '', line));
    }
  }
  return claims;
}

function claimsIn(code: string, line: number): Claim[] {
  const found = (kind: Claim['kind'], pattern: RegExp): Claim[] =>
    [...code.matchAll(pattern)].map((match) => ({ kind, text: match[1] ?? match[2] ?? '', line }));
  return [
    ...found('path', PATH),
    ...found('file-name', FILE_NAME),
    ...found('script', SCRIPT),
    ...found('setting', SETTING),
  ];
}
