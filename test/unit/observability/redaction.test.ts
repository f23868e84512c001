import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createRedactor } from '../../../shared/observability/redaction.ts';

const redact = createRedactor([new Secret('s3cr3t-value'), new Secret('päss "word"/1'), new Secret('abc')]);

describe('a value under a telling name', () => {
  it.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'token',
    'accessToken',
    'refresh_tokens',
    'clientSecret',
    'password',
    'passwd',
    'passphrase',
    'apiKey',
    'x-api-key',
    'private_key',
    'privateKeyPem',
    'AccountKey',
    'key',
    'keys',
    'cookie',
    'set-cookie',
    'signature',
    'x-hub-signature-256',
    'sig',
    'credentials',
    'connectionString',
    'client_assertion',
    'jwt',
  ])('%s is masked, whatever it is', (name) => {
    expect(redact({ [name]: 'anything' })).toEqual({ [name]: '[secret]' });
    expect(redact({ [name]: { inner: ['anything'] } })).toEqual({ [name]: '[secret]' });
    expect(redact(new Map([[name, 'anything']]))).toEqual({ [name]: '[secret]' });
  });

  it('says when it is absent, a flag or a count', () => {
    const fields = {
      token: undefined,
      secret: null,
      isSecret: true,
      inputTokens: 12,
      max_tokens: 5,
      tokens: 7,
    };
    expect(redact(fields)).toEqual(fields);
  });

  it.each(['partitionKey', 'rowKey', 'keyboard', 'monkey', 'author', 'design', 'path', 'compass'])(
    'is not %s',
    (name) => {
      expect(redact({ [name]: 'kept' })).toEqual({ [name]: 'kept' });
    },
  );
});

describe('a known secret', () => {
  it.each([
    ['raw', 'got s3cr3t-value.', 'got [secret].'],
    ['twice', 's3cr3t-values3cr3t-value', '[secret][secret]'],
    ['as base64', 'czNjcjN0LXZhbHVl', '[secret]'],
    [
      'as the password of basic authentication',
      `header ${btoa('user:s3cr3t-value')}`,
      'header dXNlcjp[secret]U=',
    ],
    ['percent-encoded', 'p%C3%A4ss%20%22word%22%2F1', '[secret]'],
    ['percent-encoded in lower case', 'p%c3%a4ss%20%22word%22%2f1', '[secret]'],
    ['form-encoded', 'p%C3%A4ss+%22word%22%2F1', '[secret]'],
    ['in JSON', '{"a":"päss \\"word\\"/1"}', '{"a":"[secret]"}'],
    ['in JSON within JSON', '{\\"a\\":\\"päss \\\\\\"word\\\\\\"/1\\"}', '{\\"a\\":\\"[secret]\\"}'],
  ])('is found %s', (_name, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('is found in property names, map keys, sets and nested values', () => {
    const value = {
      's3cr3t-value': 1,
      list: [new Set(['s3cr3t-value'])],
      map: new Map<unknown, unknown>([[{ a: 's3cr3t-value' }, 's3cr3t-value']]),
    };
    expect(redact(value)).toEqual({
      '[secret]': 1,
      list: [['[secret]']],
      map: { '{"a":"[secret]"}': '[secret]' },
    });
  });

  it('that is a key file is found line by line', () => {
    const pem =
      '-----BEGIN RSA PRIVATE KEY-----\nAbCdEfGhIjKlMnOp\nQrStUvWxYz012345\n-----END RSA PRIVATE KEY-----';
    const mask = createRedactor([new Secret(pem)]);
    expect(mask('line QrStUvWxYz012345 of a file')).toBe('line [secret] of a file');
    expect(mask(pem.replaceAll('\n', '\\n'))).toBe('[secret]');
  });

  it('that begins like another is masked whole, in any order', () => {
    const both = [new Secret('s3cr3t-value'), new Secret('s3cr3t-value-and-more')];
    expect(createRedactor(both)('a s3cr3t-value-and-more b s3cr3t-value')).toBe('a [secret] b [secret]');
  });

  it('that would blank out ordinary words is left alone', () => {
    expect(redact('the abc of reviews')).toBe('the abc of reviews');
  });

  it('cut in half by the limit leaves no half behind', () => {
    const text = `${'x'.repeat(8_186)}s3cr3t-value${'y'.repeat(20_000)}`;
    const shown = String(redact(text));
    expect(shown.includes('s3c')).toBe(false);
    expect(shown).toMatch(/^x{8186}\[s… \(28198 characters\)$/);
  });

  it('is found in a Secret itself, which prints as a mask', () => {
    expect(redact({ held: new Secret('s3cr3t-value') })).toEqual({ held: '[secret]' });
  });
});

describe('a credential that nobody configured', () => {
  it.each([
    ['ghs_16C7e42F292c6912E7710c838347Ae178B4a', '[secret]'],
    ['github_pat_11ABCDEFG0abcdefghijkl', '[secret]'],
    ['glpat-abcdefghijklmnopqrst', '[secret]'],
    ['eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjMifQ.c2lnbmF0dXJl', '[secret]'],
    ['Bearer abcdef123456', 'Bearer [secret]'],
    ['https://user:pass@host/x', 'https://[secret]@host/x'],
    ['GET /x?sv=1&sig=abc%3D&y=2', 'GET /x?sv=1&sig=[secret]&y=2'],
    ['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- end', '[secret] end'],
  ])('is known by its shape: %s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each(['Basic authentication failed', 'no Bearer token', 'see https://host:8080/a@b', 'a?page=2'])(
    'is not %s',
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});

describe('what is logged beside plain values', () => {
  it('shows errors with their causes, parts and own fields', () => {
    const cause = new TypeError('inner s3cr3t-value');
    const error = Object.assign(new AggregateError([new Error('part s3cr3t-value')], 'outer', { cause }), {
      status: 401,
      request: { headers: { authorization: 'x' } },
    });
    const shown = JSON.stringify(redact({ error }));
    expect(shown).not.toContain('s3cr3t-value');
    expect(redact({ error })).toMatchObject({
      error: {
        name: 'AggregateError',
        message: 'outer',
        status: 401,
        request: { headers: { authorization: '[secret]' } },
        cause: { name: 'TypeError', message: 'inner [secret]' },
        errors: [{ message: 'part [secret]' }],
      },
    });
    expect(shown).toContain('redaction.test.ts');
  });

  it('cuts cycles, depth, length and size', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = { again: cycle };
    expect(redact(cycle)).toEqual({ self: { again: '[circular]' } });
    const shared = { a: 1 };
    expect(redact([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
    let deep: unknown = 'bottom';
    for (let level = 0; level < 20; level += 1) deep = [deep];
    expect(JSON.stringify(redact(deep))).toBe('[[[[[[[["[deep]"]]]]]]]]');
    expect(redact(Array.from({ length: 203 }, () => 1))).toHaveLength(201);
    expect(redact(new Map(Array.from({ length: 202 }, (_, index) => [String(index), 1])))).toMatchObject({
      '199': 1,
      '[cut]': 2,
    });
  });

  it('stays small for a wide graph and for much text', () => {
    const wide = (depth: number): unknown =>
      depth === 0 ? 'leaf' : Array.from({ length: 30 }, () => wide(depth - 1));
    expect(JSON.stringify(redact(wide(4))).length).toBeLessThan(40_000);
    const texts = Array.from({ length: 100 }, () => 'x'.repeat(8_000));
    expect(JSON.stringify(redact(texts)).length).toBeLessThan(75_000);
  });

  it('survives getters, proxies and values that throw', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    const fields = {
      get bad(): string {
        throw new Error('no');
      },
    };
    expect(redact({ hostile })).toEqual({ hostile: '[unreadable]' });
    expect(redact({ fields })).toEqual({ fields: '[unreadable]' });
  });

  it('writes dates, addresses, bytes and odd values as text', () => {
    const value = {
      date: new Date(0),
      never: new Date(Number.NaN),
      url: new URL('https://host/path?sig=abc#x'),
      bytes: new Uint8Array(5),
      big: 10n,
      call: () => 1,
      symbol: Symbol('x'),
    };
    expect(redact(value)).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      never: 'invalid date',
      url: 'https://host/path',
      bytes: '[5 bytes]',
      big: '10',
      call: '[function]',
      symbol: '[symbol]',
    });
  });

  it('does not let a field name reach the prototype', () => {
    const redacted = redact(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  });
});
