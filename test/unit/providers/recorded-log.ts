import type { LogFields, Logger } from '../../../shared/observability/ports.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export interface RecordedLog extends Logger {
  readonly lines: readonly LogLine[];
}

/** A logger that keeps its lines for a test to look at. */
export function createRecordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  const create = (base: LogFields): Logger => {
    const write =
      (level: LogLine['level']) =>
      (event: string, fields: LogFields = {}): void => {
        lines.push({ level, event, fields: { ...base, ...fields } });
      };
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (fields) => create({ ...base, ...fields }),
    };
  };
  return { ...create({}), lines };
}
