import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRequestPath } from '../../../infra/local/host/request-path.ts';

describe('decodeRequestPath', () => {
  it.each([
    ['/a/b?c=/d', '/a/b'],
    ['/a%20b', '/a b'],
    ['/a+b', '/a+b'],
    ['/%C3%A9%E2%82%AC%F0%9F%98%80', '/é€😀'],
    ['/a%2Fb%2fc', '/a%2Fb%2fc'],
    ['/a%25b', '/a%b'],
    ['/a%252Fb', '/a%2Fb'],
    ['/a%zz%', '/a%zz%'],
    ['/a%C3', '/a%C3'],
    ['/a%FF%41', '/a%FFA'],
    ['/a%C0%AFb', '/a%C0%AFb'],
    ['/a%ED%A0%80', '/a%ED%A0%80'],
    ['/a/./b/../c', '/a/c'],
    ['/a/%2e%2E/b', '/b'],
    ['/../../a', '/a'],
    ['/a/..', '/'],
    ['/a/b/.', '/a/b/'],
    ['/...', '/...'],
    ['http://host:1/a?b', '/a'],
    ['/', '/'],
    ['/a%00b', undefined],
    ['*', undefined],
    ['', undefined],
    ['http://host', undefined],
  ])('%s', (target, path) => {
    expect(decodeRequestPath(target)).toBe(path);
  });

  it('undoes encodeURIComponent for every segment without a slash', () => {
    const segment = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !/[/\0]/.test(text) && !/^\.{1,2}$/.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
        const target = `/${segments.map(encodeURIComponent).join('/')}`;
        expect(decodeRequestPath(target)).toBe(`/${segments.join('/')}`);
      }),
    );
  });
});
