import { describe, expect, it } from 'vitest';
import { PROVIDER_IDS } from '../../../shared/domain/pull-request.ts';
import { translateNetworkError } from '../../../shared/providers/http/network-errors.ts';
import { readJson } from '../../../shared/providers/http/read-answer.ts';
import { readWait } from '../../../shared/providers/http/read-wait.ts';
import { TRANSIENT_FAILURES, findTransient } from '../../../shared/providers/http/transient-failures.ts';
import { isPrimaryLimit, isSecondaryLimit } from '../../../shared/providers/github/rate-limits.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('what passes by itself', () => {
  it.each(PROVIDER_IDS)('has a table for %s in which a rate limit waits a minute', (provider) => {
    expect(TRANSIENT_FAILURES[provider].length).toBeGreaterThan(5);
    expect(findTransient(provider, 429)).toMatchObject({ code: 'provider_rate_limited', minWaitMs: 60_000 });
    expect(findTransient(provider, 503)).toEqual({ status: 503, code: 'provider_failed' });
    expect(findTransient(provider, 520)).toMatchObject({ code: 'provider_failed' });
    for (const status of [200, 400, 401, 403, 404, 422])
      expect(findTransient(provider, status)).toBeUndefined();
  });

  it('looks at the code of the provider before the status', () => {
    expect(findTransient('github', 403, 'secondary_limit')).toMatchObject({
      code: 'provider_secondary_limit',
      minWaitMs: 60_000,
    });
    expect(findTransient('azure-devops', 400, 'TF400733')).toMatchObject({ code: 'provider_rate_limited' });
    expect(findTransient('gitlab', 400, 'TF400733')).toBeUndefined();
  });
});

describe('how long to wait', () => {
  const wait = (headers: Record<string, string>) => readWait(new Headers(headers), NOW);

  it.each([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:02:00 GMT' }, 120_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '86400' }, 3_600_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90) }, 91_000],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': String(NOW / 1000 + 90) }, 91_000],
    [
      { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90) },
      5_000,
    ],
  ])('%o: %i ms', (headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  it.each([
    [{}],
    [{ 'retry-after': 'soon' }],
    [{ 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': String(NOW / 1000 + 90) }],
    [{ 'x-ratelimit-remaining': '0' }],
  ])('%o does not say', (headers) => {
    expect(wait(headers)).toBeUndefined();
  });
});

describe('a 403 of GitHub', () => {
  const refusal = (given: {
    headers?: Record<string, string>;
    message?: string;
    link?: string;
    status?: number;
  }) => ({
    status: given.status ?? 403,
    headers: new Headers(given.headers),
    message: given.message ?? '',
    documentationUrl: given.link ?? '',
  });

  it.each([
    ['its header', { headers: { 'retry-after': '60' } }],
    [
      'its link',
      {
        link: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits',
      },
    ],
    ['its old link', { link: 'https://developer.github.com/v3/#abuse-rate-limits' }],
    ['its text', { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' }],
    ['its old text', { message: 'You have triggered an abuse detection mechanism.' }],
    ['its text, as a 429', { status: 429, message: 'You have exceeded a secondary rate limit.' }],
  ])('is a secondary limit by %s', (_how, given) => {
    expect(isSecondaryLimit(refusal(given))).toBe(true);
  });

  it.each([
    [
      'a missing permission',
      {
        message: 'Resource not accessible by integration',
        link: 'https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request',
      },
    ],
    [
      'the hourly limit',
      {
        message: 'API rate limit exceeded for installation ID 1.',
        headers: { 'x-ratelimit-remaining': '0' },
      },
    ],
    ['another status', { status: 422, message: 'secondary rate limit' }],
  ])('is no secondary limit when it is %s', (_what, given) => {
    expect(isSecondaryLimit(refusal(given))).toBe(false);
  });

  it('is the hourly limit when nothing of it remains', () => {
    expect(isPrimaryLimit(refusal({ headers: { 'x-ratelimit-remaining': '0' } }))).toBe(true);
    expect(isPrimaryLimit(refusal({ headers: { 'x-ratelimit-remaining': '1' } }))).toBe(false);
    expect(isPrimaryLimit(refusal({ status: 422, headers: { 'x-ratelimit-remaining': '0' } }))).toBe(false);
  });
});

describe('an answer that must be JSON', () => {
  const answer = (text: string, contentType?: string) =>
    readJson({ body: new Blob([text]).stream(), contentType }, 'gh');

  it.each(['application/json', 'application/json; charset=utf-8', 'application/vnd.github+json'])(
    'is read as %s',
    async (type) => {
      expect(await answer('{"a":[1,"ü"]}', type)).toEqual({ a: [1, 'ü'] });
    },
  );

  it('keeps whole numbers exact that do not fit in a double', async () => {
    expect(
      await answer(
        '{"id":9223372036854775807,"n":12345678,"text":"9223372036854775807"}',
        'application/json',
      ),
    ).toEqual({
      id: '9223372036854775807',
      n: 12_345_678,
      text: '9223372036854775807',
    });
  });

  it.each([
    ['a web page', '<html>Sign in</html>', 'text/html; charset=utf-8', 'permanent', 'answer_html'],
    ['text', 'Retry later', 'text/plain', 'permanent', 'answer_not_json'],
    ['nothing known', '{}', undefined, 'permanent', 'answer_not_json'],
    ['cut off', '{"a":[1,', 'application/json', 'transient', 'answer_truncated'],
    ['empty', '', 'application/json', 'transient', 'answer_truncated'],
  ])('that is %s becomes an error without its text', async (_what, text, type, kind, code) => {
    const error: unknown = await answer(text, type).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind, code });
    expect(JSON.stringify(error)).not.toContain('Sign in');
  });
});

describe('an error of the network', () => {
  it('about a certificate says what to do', () => {
    const cause = Object.assign(new Error('self-signed certificate'), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(translateNetworkError(new TypeError('fetch failed', { cause }), 'gh')).toMatchObject({
      kind: 'permanent',
      code: 'provider_certificate',
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  it('of any other sort passes by itself', () => {
    const cause = Object.assign(new Error('x'), { code: 'ECONNRESET' });
    expect(translateNetworkError(new TypeError('fetch failed', { cause }), 'gh')).toMatchObject({
      kind: 'transient',
      code: 'provider_unreachable',
      details: { network: 'ECONNRESET' },
    });
  });
});
