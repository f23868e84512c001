import { describe, expect, it } from 'vitest';
import type { Route } from '../../../infra/local/simulators/http/router.ts';
import { createRouter } from '../../../infra/local/simulators/http/router.ts';

const route = (method: Route['method'], pattern: string): Route => ({
  method,
  pattern,
  handle: () => ({ status: 200 }),
});

describe('the router of the simulators', () => {
  const find = createRouter([
    route('GET', '/repos/:owner/:name'),
    route('GET', '/repos/:owner/:name/contents/*path'),
    route('POST', '/repos/:owner/:name/pulls'),
  ]);

  it.each([
    ['GET', '/repos/a/b', { owner: 'a', name: 'b' }],
    ['GET', '/repos/a/b/contents/src/x%20y%23.ts', { owner: 'a', name: 'b', path: 'src/x y#.ts' }],
    ['GET', '/repos/a/b/contents/%E0%A4%A', { owner: 'a', name: 'b', path: '%E0%A4%A' }],
  ])('matches %s %s', (method, path, params) => {
    expect(find(method, path)?.params).toEqual(params);
  });

  it.each([
    ['POST', '/repos/a/b'],
    ['GET', '/repos/a'],
    ['GET', '/repos//b'],
    ['GET', '/repos/a/b/'],
    ['GET', '/repos/a/b/contents'],
    ['GET', '/Repos/a/b'],
  ])('does not match %s %s', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});
