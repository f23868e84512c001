import { describe, expect, it } from 'vitest';
import type { RpcBinding } from '../../../infra/local/host/core-types.ts';
import { describeFunctions } from '../../../infra/local/host/function-catalog.ts';

const registered = (name: string, bindings: Record<string, RpcBinding>) => ({
  metadata: { name, bindings },
  callback: () => undefined,
});
const http = { in: { type: 'httpTrigger' }, $return: { type: 'http', direction: 'out' } };

describe('describeFunctions refuses', () => {
  it.each([
    ['an invalid name', [registered('1st', http)], 'function "1st": the name is not valid'],
    ['a name too long', [registered('a'.repeat(129), http)], 'the name is not valid'],
    [
      'a name used twice',
      [registered('a', http), registered('A', http)],
      'function "A": the name is used twice',
    ],
    ['no trigger', [registered('a', { out: { type: 'http' } })], 'it needs exactly one trigger'],
    [
      'two triggers',
      [registered('a', { b: { type: 'httpTrigger' }, c: { type: 'timerTrigger' } })],
      'it needs exactly one trigger',
    ],
    [
      'a blob trigger',
      [registered('a', { b: { type: 'blobTrigger' } })],
      'trigger "blobTrigger" is not implemented',
    ],
    [
      'an output binding',
      [registered('a', { ...http, q: { type: 'queue', direction: 'out' } })],
      'binding "q" of type "queue" is not implemented',
    ],
    [
      'an unknown auth level',
      [registered('a', { b: { type: 'httpTrigger', authLevel: 'user' } })],
      'authLevel "user" is not known',
    ],
    [
      'a missing %SETTING%',
      [registered('a', { b: { type: 'queueTrigger', queueName: '%MISSING%' } })],
      'setting "MISSING" (%MISSING%) is missing',
    ],
    [
      'an invalid queue name',
      [registered('a', { b: { type: 'queueTrigger', queueName: 'Upper' } })],
      '"Upper" is no queue name',
    ],
    [
      'a schedule that cannot be read',
      [registered('a', { b: { type: 'timerTrigger', schedule: '* * * * *' } })],
      'function "a": schedule "* * * * *" needs six fields',
    ],
  ])('%s', (_, functions, reason) => {
    expect(() => describeFunctions(functions, {})).toThrow(reason);
  });
});

describe('describeFunctions', () => {
  it('reads the three triggers', () => {
    const functions = describeFunctions(
      [
        registered('plain', http),
        registered('hook', {
          in: { type: 'httpTrigger', route: 'a/{b}', methods: ['post'], authLevel: 'Function' },
        }),
        registered('jobs', { in: { type: 'queueTrigger', queueName: '%Q%-jobs', connection: 'STORE' } }),
        registered('bare', { in: { type: 'queueTrigger', queueName: 'bare' } }),
        registered('nightly', { in: { type: 'timerTrigger', schedule: '%WHEN%', runOnStartup: true } }),
      ],
      { Q: 'my', WHEN: '0 0 3 * * *' },
    );
    expect(functions).toMatchObject([
      {
        trigger: 'http',
        name: 'plain',
        route: 'plain',
        methods: [],
        authLevel: 'anonymous',
        bindingName: 'in',
      },
      { trigger: 'http', route: 'a/{b}', methods: ['POST'], authLevel: 'function' },
      { trigger: 'queue', queueName: 'my-jobs', connection: 'STORE' },
      { trigger: 'queue', queueName: 'bare', connection: 'AzureWebJobsStorage' },
      { trigger: 'timer', schedule: '0 0 3 * * *', runOnStartup: true, useMonitor: true },
    ]);
  });
});
