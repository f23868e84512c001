/** A line that is not blank: its 1-based number and its text without any white space. */
export interface CodeLine {
  readonly line: number;
  readonly code: string;
}

/** Code compares by everything except white space, so that a quote with other indentation or CR still matches. */
export function stripWhiteSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The lines that are not blank, numbered from `firstLine`. */
export function codeLines(texts: readonly string[], firstLine: number): CodeLine[] {
  const found: CodeLine[] = [];
  texts.forEach((text, index) => {
    const code = stripWhiteSpace(text);
    if (code !== '') found.push({ line: firstLine + index, code });
  });
  return found;
}

/** Evidence as it is compared and fingerprinted: lines without white space, blank ones left out. */
export function evidenceCode(evidence: string): string[] {
  return codeLines(evidence.split('\n'), 1).map((line) => line.code);
}
