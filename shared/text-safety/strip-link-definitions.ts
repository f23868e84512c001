import type { HiddenTextKind } from './hidden-text-kind.ts';

// https://spec.commonmark.org/0.31.2/#link-reference-definitions
const DEFINITION =
  /(?<=^|\n)[ \t>]{0,12}\[(?!\^)((?:\\[^\n]|[^[\]\\]){1,999})\]:[ \t]*\n?[ \t>]*(?:<[^<>\n]*>|[^\s<]\S*)(?:[ \t]*\n?[ \t>]*(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*(?=\r?\n|$)/g;
// A footnote runs to the next blank line; indented paragraphs after it belong to it.
const FOOTNOTE =
  /(?<=^|\n)[ ]{0,3}\[\^([^\]\s]{1,200})\]:[^\n]*(?:\n(?![ \t]*\r?(?:\n|$))[^\n]*)*(?:\n[ \t]*\r?\n {4}[^\n]*)*/g;

/**
 * Removes link definitions, which are never drawn, and footnotes that nothing refers to. `labels` are the defined
 * labels in the form of `labelKey`; a reference to one hides its label.
 */
export function stripLinkDefinitions(
  text: string,
  count: (kind: HiddenTextKind) => void,
): { text: string; labels: ReadonlySet<string> } {
  const labels = new Set<string>();
  const withoutDefinitions = text.replace(DEFINITION, (_match, label: string) => {
    count('markdown-comment');
    labels.add(labelKey(label));
    return '';
  });
  const references = footnoteReferences(withoutDefinitions);
  const stripped = withoutDefinitions.replace(FOOTNOTE, (footnote, label: string) => {
    if ((references.get(label) ?? 0) > 0) return footnote;
    count('markdown-comment');
    return '';
  });
  return { text: stripped, labels };
}

/** Labels match without case and with white space collapsed. */
export function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

function footnoteReferences(text: string): Map<string, number> {
  const references = new Map<string, number>();
  for (const match of text.matchAll(/\[\^([^\]\s]{1,200})\](?!:)/g)) {
    const label = match[1] ?? '';
    references.set(label, (references.get(label) ?? 0) + 1);
  }
  return references;
}
