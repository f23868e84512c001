import { describe, expect, it } from 'vitest';
import { createRouteTable, type HttpRoute } from '../../../infra/local/host/route-table.ts';

const route = (functionName: string, text: string, methods: readonly string[] = ['GET']): HttpRoute => ({
  functionName,
  route: text,
  methods,
  authLevel: 'anonymous',
});

describe('createRouteTable refuses', () => {
  it.each([
    ['a leading slash behind a prefix', 'api', [route('f', '/a')], 'may not start with "/"'],
    ['admin', '', [route('f', 'admin/x')], 'begin with "admin" or "runtime"'],
    [
      'a word that begins with admin',
      'api',
      [route('f', 'Administrators')],
      'begin with "admin" or "runtime"',
    ],
    ['runtime', 'api', [route('f', 'runtime/webhooks')], 'begin with "admin" or "runtime"'],
    ['a prefix that makes it admin', 'admin', [route('f', 'x')], 'begin with "admin" or "runtime"'],
    [
      'the same route with a method in common',
      '',
      [route('f', 'a/{b}', ['GET', 'POST']), route('g', 'A/{b}/', ['POST'])],
      'functions "f" and "g" have the same route',
    ],
    [
      'the same route where one takes every method',
      '',
      [route('f', 'a', []), route('g', 'a', ['PUT'])],
      'functions "f" and "g" have the same route',
    ],
    [
      'routes that Azure would ask in another order than ASP.NET',
      '',
      [route('details', 'items/{id}'), route('list', 'items/list')],
      'functions "details" (items/{id}) and "list" (items/list) both match /items/list',
    ],
    [
      'a catch-all whose function comes first by name',
      '',
      [route('any', '{*rest}'), route('health', 'health')],
      'would always run "any"',
    ],
    [
      'equal templates with other parameter names, in the order of registration',
      '',
      [route('g', 'a/{x}'), route('f', 'a/{y}')],
      'both match /a/x',
    ],
    [
      'a constrained parameter that a later name hides',
      '',
      [route('a', 'items/{name}'), route('b', 'items/{id:int:min(7)}')],
      'both match /items/7',
    ],
  ])('%s', (_, prefix, routes, reason) => {
    expect(() => createRouteTable(routes, prefix)).toThrow(reason);
  });
});

describe('createRouteTable', () => {
  it('accepts overlapping routes where both orders agree, and disjoint ones in any order', () => {
    const table = createRouteTable(
      [
        route('z-any', 'items/{*rest}'),
        route('b-id', 'items/{id:int}'),
        route('a-list', 'items/list'),
        route('a-post', 'items/{*rest}', ['POST']),
        route('a-word', 'words/{w:alpha}'),
        route('b-word', 'words/{w:int}'),
      ],
      'api',
    );
    const find = (method: string, path: string) => table.find(method, path)?.functionName;
    expect(find('GET', '/api/items/list')).toBe('a-list');
    expect(find('GET', '/api/items/5')).toBe('b-id');
    expect(find('GET', '/api/items/x')).toBe('z-any');
    expect(find('POST', '/api/items/list')).toBe('a-post');
    expect(find('GET', '/api/words/abc')).toBe('a-word');
    expect(find('GET', '/api/words/1')).toBe('b-word');
    expect(find('DELETE', '/api/items/list')).toBeUndefined();
    expect(find('HEAD', '/api/items/list')).toBeUndefined();
    expect(find('GET', '/items/list')).toBeUndefined();
  });

  it("serves the product's routes", () => {
    const every = ['GET', 'POST', 'PUT', 'DELETE'];
    const table = createRouteTable(
      [
        route('webhook', 'webhooks/{instance}', ['POST']),
        route('health', 'health'),
        route('mcp', 'mcp', every),
        route('mcp-pr', 'mcp/{instance}/{*target}', every),
        route('mcp-metadata', '.well-known/oauth-protected-resource/{*resource}'),
        route('status', 'status/{instance}/{*target}'),
      ],
      '',
    );
    expect(table.find('POST', '/mcp')?.functionName).toBe('mcp');
    expect(table.find('DELETE', '/mcp/github/o/r/5')).toEqual({
      functionName: 'mcp-pr',
      authLevel: 'anonymous',
      params: { instance: 'github', target: 'o/r/5' },
    });
    expect(table.find('GET', '/.well-known/oauth-protected-resource')?.params).toEqual({});
    expect(table.find('GET', '/webhooks/github')).toBeUndefined();
  });
});
