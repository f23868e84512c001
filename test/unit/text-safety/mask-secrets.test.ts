import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createSecretMasker } from '../../../shared/text-safety/mask-secrets.ts';

const mask = createSecretMasker([]);
const KEY_88 = `${'Ab1+'.repeat(21)}xy==`;

describe('shapes of secrets', () => {
  it.each([
    ['id AKIAIOSFODNN7EXAMPLE here', 'id [masked] here', 'aws-access-key-id'],
    [`see ghp_${'a1B2'.repeat(9)} there`, 'see [masked] there', 'github-token'],
    [`ghs_1234_${'aB3'.repeat(9)}.abcdefgh.ijklmnop!`, '[masked]!', 'github-token'],
    [`github_pat_${'aB3_'.repeat(12)}`, '[masked]', 'github-token'],
    [`(glpat-${'aB3-'.repeat(5)})`, '([masked])', 'gitlab-token'],
    ['xoxb-123456789012-abcdefABCDEF', '[masked]', 'slack-token'],
    [
      'https://hooks.slack.com/services/T0000/B0000/abcdefghijkl',
      'https://hooks.slack.com/[masked]',
      'slack-webhook',
    ],
    [`key sk-ant-api03-${'aB3_'.repeat(10)}`, 'key [masked]', 'anthropic-key'],
    [`ghk_abc123_${'aB3-'.repeat(10)}`, '[masked]', 'gatehouse-key'],
    [`npm_${'aB3'.repeat(12)}`, '[masked]', 'npm-token'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl ok', '[masked] ok', 'jwt'],
    [`key: ${KEY_88} end`, 'key: [masked] end', 'azure-key'],
    [
      'Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=abcDEF123456=;E=1',
      'Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=[masked];E=1',
      'azure-connection-string',
    ],
    [
      'https://a.blob.core.windows.net/c?sv=2024&sig=abc%2Fdef1234567890%3D&se=1',
      'https://a.blob.core.windows.net/c?sv=2024&sig=[masked]&se=1',
      'azure-sas',
    ],
    ['abc8Q~abcdefghijklmnopqrstuvwxyz0123456', '[masked]', 'azure-client-secret'],
    ['postgres://user:pa55@db.example.com/x', 'postgres://user:[masked]@db.example.com/x', 'url-password'],
    ['Authorization: Bearer abcdefghij0123456789', 'Authorization: Bearer [masked]', 'authorization-header'],
  ])('masks %j', (text, expected, kind) => {
    const result = mask(text);
    expect(result.text).toBe(expected);
    expect(result.masked).toContain(kind);
  });

  it('masks a private key as a block, and to the end when it has none', () => {
    const block = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----';
    expect(mask(`a\n${block}\nb`)).toEqual({ text: 'a\n[masked]\nb', masked: ['private-key'] });
    expect(mask('a\n-----BEGIN PRIVATE KEY-----\nMIIE\nabc').text).toBe('a\n[masked]');
  });
});

describe('values assigned to telling names', () => {
  it.each([
    ['password=hunter2&x=1', 'password=[masked]&x=1'],
    ['const password = "hunter2";', 'const password = "[masked]";'],
    [`"apiKey": 'k "quoted" k'`, `"apiKey": '[masked]'`],
    [String.raw`{\"password\": \"hunter2\"}`, String.raw`{\"password\": \"[masked]\"}`],
    [String.raw`pwd: "a\"b"`, 'pwd: "[masked]"'],
    ['DB_PASSWORD: correct1horse', 'DB_PASSWORD: [masked]'],
    ['token = "abcdef123456789"', 'token = "[masked]"'],
    ['password=token=abcdef123456789', 'password=token=[masked]'],
  ])('masks the value in %j', (text, expected) => {
    expect(mask(text)).toEqual({ text: expected, masked: ['assigned-credential'] });
  });

  it.each([
    'login(password=getPassword(1))',
    'const password = readPassword();',
    'login(password=fetchIt(1))',
    'x: string; password: string',
    'PASSWORD=${SECRET_1}',
    'secret = process.env.SECRET_1',
    'const apiKey = config.apiKey;',
    'token = ","; max_tokens: 4096',
    'The password: must be 8 characters long',
    'password = "<your password>"',
    'The hash 0123456789abcdef0123456789abcdef01234567 and the id 8f14e45f-ceea-467f-ab5d-000000000000 stay',
  ])('leaves %j alone', (text) => {
    expect(mask(text)).toEqual({ text, masked: [] });
  });
});

describe('known secrets', () => {
  const known = createSecretMasker([new Secret('S3cr3t+Val/äx'), new Secret('abc')]);

  it.each([
    ['as it is', 'x S3cr3t+Val/äx y', 'x [masked] y'],
    ['in a URL', 'x?y=S3cr3t%2BVal%2F%C3%A4x', 'x?y=[masked]'],
    ['in base64', `b ${Buffer.from('S3cr3t+Val/äx').toString('base64')} e`, 'b [masked] e'],
  ])('masks it %s', (_name, text, expected) => {
    expect(known(text)).toEqual({ text: expected, masked: ['known'] });
  });

  it('masks it at any place inside an encoded text', () => {
    for (const user of ['', 'u', 'us', 'use', 'user']) {
      const encoded = Buffer.from(`${user}:S3cr3t+Val/äx:tail`).toString('base64url');
      const { text } = known(`[${encoded}]`);
      const rest = text.split('[masked]').map((part) => Buffer.from(part, 'base64url').toString());
      expect(text).toContain('[masked]');
      expect(rest.join()).not.toMatch(/3cr3|Val/);
    }
  });

  it('ignores secrets too short to tell from words', () => {
    expect(known('abc').text).toBe('abc');
  });

  it('makes one mask of secrets that overlap or touch', () => {
    const overlap = createSecretMasker([new Secret('abcdefgh'), new Secret('efghijkl')]);
    expect(overlap('x abcdefghijkl y').text).toBe('x [masked] y');
  });

  it('masks a token that touches a known secret', () => {
    const token = `sk-${'a1'.repeat(20)}`;
    expect(createSecretMasker([new Secret('PLANTED')])(`PLANTED${token}`).text).toBe('[masked][masked]');
  });
});
