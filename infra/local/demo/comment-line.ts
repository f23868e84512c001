/** A posted comment as the demo shows it. */
export interface DemoComment {
  readonly path: string;
  /** Null for a comment on the whole file. */
  readonly line: number | null;
  readonly side: string;
  readonly severity: string;
  readonly title: string;
}

/** `**High: what is wrong**`, the first visible line of every finding's comment. */
const TITLE = /^\*\*(Info|Low|Medium|High|Critical): (.+)\*\*$/m;

/** Severity and title out of a comment's text. */
export function readTitle(body: string): { readonly severity: string; readonly title: string } {
  const [, severity, title] = TITLE.exec(body) ?? [];
  return severity === undefined || title === undefined
    ? { severity: 'unknown', title: body.split('\n').find((line) => line.trim() !== '') ?? '' }
    : { severity: severity.toLowerCase(), title };
}

/** `path:line severity title` */
export function formatComment({ path, line, severity, title }: DemoComment): string {
  return `${path}:${line ?? 'file'} ${severity} ${title}`;
}
