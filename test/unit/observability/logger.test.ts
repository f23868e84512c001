import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createInvocationSink, type InvocationLog } from '../../../shared/observability/invocation-sink.ts';
import { createJsonLinesSink } from '../../../shared/observability/json-lines-sink.ts';
import { createLogger, type LoggerOptions } from '../../../shared/observability/logger.ts';
import { createMetrics } from '../../../shared/observability/metrics.ts';
import { createRedactor } from '../../../shared/observability/redaction.ts';

function recordingLogger(options: Partial<LoggerOptions> = {}) {
  const lines: [string, Readonly<Record<string, unknown>>][] = [];
  const log = createLogger({
    level: 'debug',
    sink: (level, record) => lines.push([level, record]),
    redact: createRedactor([new Secret('s3cr3t-value')]),
    clock: { now: () => 1_000 },
    ...options,
  });
  return { log, lines };
}

describe('createLogger', () => {
  it('writes event, level, time and fields, those of the base and of every child included', () => {
    const { log, lines } = recordingLogger({ base: { version: '1' } });
    log.child({ job: 7 }).child({ pass: 'security' }).info('pass.ended', { found: 3 });
    expect(lines).toEqual([
      [
        'info',
        {
          version: '1',
          job: 7,
          pass: 'security',
          found: 3,
          time: '1970-01-01T00:00:01.000Z',
          level: 'info',
          event: 'pass.ended',
        },
      ],
    ]);
  });

  it.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
  ] as const)('at level %s writes %j', (level, expected) => {
    const { log, lines } = recordingLogger({ level });
    log.debug('a.b');
    log.info('a.b');
    log.warn('a.b');
    log.error('a.b');
    expect(lines.map(([written]) => written)).toEqual(expected);
  });

  it('redacts fields of the call, the child and the base', () => {
    const { log, lines } = recordingLogger({ base: { one: 's3cr3t-value' } });
    log.child({ two: 's3cr3t-value' }).warn('a.b', { three: new Error('s3cr3t-value') });
    expect(JSON.stringify(lines)).not.toContain('s3cr3t-value');
  });

  it('does not let a field pass for the event, the level or the time', () => {
    const { log, lines } = recordingLogger();
    log.info('a.b', { event: 'x', level: 'error', time: 'never' });
    expect(lines[0]?.[1]).toEqual({ event: 'a.b', level: 'info', time: '1970-01-01T00:00:01.000Z' });
  });

  it('never throws, whatever the sink does', () => {
    const { log } = recordingLogger({
      sink: () => {
        throw new Error('disk full');
      },
    });
    expect(() => log.error('a.b')).not.toThrow();
  });
});

describe('createMetrics', () => {
  it('writes counts and times as events', () => {
    const { log, lines } = recordingLogger();
    const metrics = createMetrics(log);
    metrics.count('webhook.ignored', 1, { reason: 'draft' });
    metrics.count('comments.posted', 3);
    metrics.time('webhook.ack', 12.5);
    expect(lines.map(([, { event, metric, value, reason }]) => ({ event, metric, value, reason }))).toEqual([
      { event: 'metric.counted', metric: 'webhook.ignored', value: 1, reason: 'draft' },
      { event: 'metric.counted', metric: 'comments.posted', value: 3 },
      { event: 'metric.timed', metric: 'webhook.ack', value: 12.5 },
    ]);
  });
});

describe('createJsonLinesSink', () => {
  it('writes one line a record', () => {
    const written: string[] = [];
    createJsonLinesSink((line) => written.push(line))('info', { event: 'a.b', text: 'two\nlines' });
    expect(written).toEqual(['{"event":"a.b","text":"two\\nlines"}\n']);
  });
});

describe('createInvocationSink', () => {
  function invocation(id: string): { readonly log: InvocationLog; readonly lines: string[] } {
    const lines: string[] = [];
    const write =
      (level: string) =>
      (...args: unknown[]): void =>
        void lines.push(`${level} ${args.join(' ')}`);
    return {
      lines,
      log: {
        invocationId: id,
        debug: write('debug'),
        info: write('info'),
        warn: write('warn'),
        error: write('error'),
      },
    };
  }

  it('gives each line to the invocation that runs, also when two overlap, and the rest outside', async () => {
    const outside: string[] = [];
    const { sink, run } = createInvocationSink((line) => outside.push(line));
    const [one, two] = [invocation('one'), invocation('two')];
    const work = (name: string) => async () => {
      sink('info', { name, step: 1 });
      await new Promise((resolve) => setImmediate(resolve));
      sink('error', { name, step: 2 });
    };
    await Promise.all([run(one.log, work('a')), run(two.log, work('b'))]);
    sink('warn', { name: 'none' });
    expect(one.lines).toEqual([
      'info {"name":"a","step":1,"invocationId":"one"}',
      'error {"name":"a","step":2,"invocationId":"one"}',
    ]);
    expect(two.lines).toEqual([
      'info {"name":"b","step":1,"invocationId":"two"}',
      'error {"name":"b","step":2,"invocationId":"two"}',
    ]);
    expect(outside).toEqual(['{"name":"none"}']);
  });

  it('keeps the level of the line', async () => {
    const { sink, run } = createInvocationSink(() => undefined);
    const one = invocation('one');
    await run(one.log, async () => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) sink(level, {});
    });
    expect(one.lines.map((line) => line.split(' ')[0])).toEqual(['debug', 'info', 'warn', 'error']);
  });
});
