/** A line that is not blank: its 1-based number and its text as visibleCode compares it. */
export interface CodeLine {
  readonly line: number;
  readonly code: string;
}

// White space, and characters that draw nothing: a model is shown text without them, so its quotes lack them.
const NOT_COMPARED = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** Code compares by everything that can be seen, so that a quote with other indentation or CR still matches. */
export function visibleCode(text: string): string {
  return text.replace(NOT_COMPARED, '');
}

/** The lines that are not blank, numbered from `firstLine`. */
export function codeLines(texts: readonly string[], firstLine: number): CodeLine[] {
  const found: CodeLine[] = [];
  texts.forEach((text, index) => {
    const code = visibleCode(text);
    if (code !== '') found.push({ line: firstLine + index, code });
  });
  return found;
}

/** Evidence as it is compared and fingerprinted: lines without white space, blank ones left out. */
export function evidenceCode(evidence: string): string[] {
  return codeLines(evidence.split('\n'), 1).map((line) => line.code);
}
