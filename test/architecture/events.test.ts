import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../../shared/observability/event-names.ts';
import { PROJECT_ROOT } from '../run/run-tool.ts';
import { loggedEvents } from './support/logged-events.ts';
import { maskSource } from './support/mask-source.ts';
import { scanSource } from './support/scan-source.ts';

let logged: ReadonlySet<string>;

beforeAll(async () => {
  const files = await scanSource(PROJECT_ROOT, ['shared', 'functions']);
  logged = new Set(files.flatMap(loggedEvents));
});

describe('shared/observability/event-names.ts', () => {
  it('lists every event that is logged (add yours there)', () => {
    const listed = new Set<string>(EVENT_NAMES);
    expect(logged.size).toBeGreaterThan(20);
    expect([...logged].filter((name) => !listed.has(name))).toEqual([]);
  });

  it('lists nothing that is not logged, and each name once, in order', () => {
    expect(EVENT_NAMES.filter((name) => !logged.has(name))).toEqual([]);
    expect(EVENT_NAMES).toEqual([...new Set(EVENT_NAMES)].toSorted());
  });

  it('holds names that say what happened to what', () => {
    expect(EVENT_NAMES.filter((name) => !/^[a-z]+\.[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it('is compared with what the code says, comments left out', () => {
    const text = [
      "// log.info('a.commented');",
      "log.info('b.plain', { a: 'c.field' });",
      "context.log.warn(\n  ok ? \"x\" : isGood ? 'd.good' : 'e.bad', entry);",
    ].join('\n');
    expect(loggedEvents({ path: 'x.ts', text, code: maskSource(text), imports: [] })).toEqual([
      'b.plain',
      'd.good',
      'e.bad',
    ]);
  });
});
