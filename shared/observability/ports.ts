/** Structured fields of a log line. Never bodies, prompts or diffs above debug. */
export type LogFields = Readonly<Record<string, unknown>>;

/** `event` is a static `noun.pastTense` name; everything that varies goes into fields. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger;
}
