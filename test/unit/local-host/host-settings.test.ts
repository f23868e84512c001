import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseTimeSpan, readHostSettings } from '../../../infra/local/host/host-settings.ts';

describe('readHostSettings', () => {
  it("has the real host's defaults", () => {
    expect(readHostSettings({ version: '2.0' })).toEqual({
      routePrefix: 'api',
      queues: {
        batchSize: 16,
        newBatchThreshold: 8 * availableParallelism(),
        maxDequeueCount: 5,
        visibilityTimeoutMs: 0,
        maxPollingIntervalMs: 60_000,
        messageEncoding: 'base64',
      },
    });
  });

  it('reads every value, keys in any case', () => {
    const settings = readHostSettings({
      Extensions: {
        HTTP: { routePrefix: '/v1/' },
        queues: {
          batchSize: 2,
          NewBatchThreshold: 0,
          maxDequeueCount: 20,
          visibilityTimeout: '00:00:30',
          maxPollingInterval: '00:00:02',
          messageEncoding: 'None',
        },
      },
    });
    expect(settings).toEqual({
      routePrefix: 'v1',
      queues: {
        batchSize: 2,
        newBatchThreshold: 0,
        maxDequeueCount: 20,
        visibilityTimeoutMs: 30_000,
        maxPollingIntervalMs: 2_000,
        messageEncoding: 'none',
      },
    });
  });

  it.each([
    [{ batchSize: 33 }, 'batchSize must be a whole number from 1 to 32'],
    [{ batchSize: 0 }, 'batchSize must be'],
    [{ batchSize: '8' }, 'batchSize must be'],
    [{ newBatchThreshold: -1 }, 'newBatchThreshold must be'],
    [{ maxDequeueCount: 0 }, 'maxDequeueCount must be'],
    [{ maxPollingInterval: '00:00:00.050' }, 'maxPollingInterval must be a time'],
    [{ maxPollingInterval: 2 }, 'maxPollingInterval must be a time'],
    [{ visibilityTimeout: '30s' }, 'visibilityTimeout must be a time'],
    [{ visibilityTimeout: '7.00:00:01' }, 'visibilityTimeout must be a time'],
    [{ messageEncoding: 'utf8' }, 'messageEncoding must be "base64" or "none"'],
  ])('refuses queues %j', (queues, reason) => {
    expect(() => readHostSettings({ extensions: { queues } })).toThrow(reason);
  });

  it.each([
    [{ extensions: { http: { routePrefix: 1 } } }, 'routePrefix must be text'],
    [{ extensions: [] }, '"extensions" must be an object'],
    [{ concurrency: { dynamicConcurrencyEnabled: true } }, 'dynamic concurrency'],
  ])('refuses %j', (hostJson, reason) => {
    expect(() => readHostSettings(hostJson)).toThrow(reason);
  });
});

describe('parseTimeSpan', () => {
  it.each([
    ['00:00:00', 0],
    ['00:00:30', 30_000],
    ['1:2:3', 3_723_000],
    ['1.00:00:00', 86_400_000],
    ['00:00:00.25', 250],
    ['23:59:59.9999999', 86_399_999],
    ['24:00:00', undefined],
    ['00:60:00', undefined],
    ['00:00', undefined],
    ['30', undefined],
    ['-00:00:01', undefined],
  ])('%s', (text, ms) => {
    expect(parseTimeSpan(text)).toBe(ms);
  });
});
