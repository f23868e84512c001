import { describe, expect, it } from 'vitest';
import { HostRefusal } from '../../../infra/local/host/host-refusal.ts';
import { parseRouteTemplate } from '../../../infra/local/host/route-template.ts';

describe('templates that are refused', () => {
  it.each([
    ['{*rest}/tail', 'catch-all "{*rest}" must be the last segment'],
    ['status/{*target}/{number}', 'catch-all "{*target}" must be the last segment'],
    ['a/{id}/b/{id}', 'parameter "id" occurs twice'],
    ['a/{Id}/{id:int}', 'parameter "id" occurs twice'],
    ['a/{id}/{ID}', 'parameter "ID" occurs twice'],
    ['a/{id}/{*id}', 'parameter "id" occurs twice'],
    ['/webhooks', 'a route may not start with "/" or "~"'],
    ['~/webhooks', 'a route may not start with "/" or "~"'],
    ['a//b', 'two slashes in a row'],
    ['a/b//', 'two slashes in a row'],
    ['a/{', 'unbalanced braces'],
    ['a/}', 'unbalanced braces'],
    ['a/{id', 'unbalanced braces'],
    ['a/id}', 'unbalanced braces'],
    ['a/{b/c}', 'unbalanced braces'],
    ['a/{}', '"" is no parameter name'],
    ['a/{*}', '"" is no parameter name'],
    ['a/{:int}', '"" is no parameter name'],
    ['a/{a?b}', '"a?b" is no parameter name'],
    ['a/{b*}', '"b*" is no parameter name'],
    ['a/{***rest}', '"*rest" is no parameter name'],
    ['a/{*rest?}', 'a catch-all cannot be optional'],
    ['a?b', 'literal "a?b" contains "?"'],
    ['a/v{version}', 'several parts'],
    ['a/{b}{c}', 'several parts'],
    ['a/{b}.{c}', 'several parts'],
    ['a/{b=1}', 'default values are not implemented'],
    ['a/{b:int=1}', 'default values are not implemented'],
    ['a/{b:regex(^a$)}', 'constraint "regex(^a$)" is not implemented'],
    ['a/{b:datetime}', 'constraint "datetime" is not implemented'],
    ['a/{b:constructor}', 'constraint "constructor" is not implemented'],
    ['a/{b:length}', 'constraint "length" needs 1 or 2 whole-number argument(s)'],
    ['a/{b:length(x)}', 'constraint "length(x)" needs 1 or 2 whole-number argument(s)'],
    ['a/{b:length(1,2,3)}', 'constraint "length(1,2,3)" needs 1 or 2'],
    ['a/{b:length(3,1)}', 'minimum above its maximum'],
    ['a/{b:range(2,1)}', 'minimum above its maximum'],
    ['a/{b:minlength(-1)}', 'negative length'],
    ['a/{b:int(1)}', 'constraint "int(1)" needs 0 whole-number argument(s)'],
    ['a/{b:min()}', 'constraint "min()" needs 1 whole-number argument(s)'],
  ])('%s', (template, reason) => {
    expect(() => parseRouteTemplate(template)).toThrow(HostRefusal);
    expect(() => parseRouteTemplate(template)).toThrow(`route "${template}": `);
    expect(() => parseRouteTemplate(template)).toThrow(reason);
  });
});

describe('templates that are read', () => {
  it('gives the segments of a template with everything', () => {
    const { segments } = parseRouteTemplate('repos/{owner}/{id:int:min(1)}/{tail?}/{**rest}');
    expect(segments.map(({ kind }) => kind)).toEqual([
      'literal',
      'parameter',
      'parameter',
      'parameter',
      'parameter',
    ]);
    expect(segments.slice(1)).toMatchObject([
      { name: 'owner', optional: false, catchAll: false, constraints: [] },
      { name: 'id', constraints: [{ text: 'int' }, { text: 'min(1)' }] },
      { name: 'tail', optional: true },
      { name: 'rest', catchAll: true },
    ]);
  });

  it.each(['', 'a', 'a/', '.well-known/oauth-protected-resource/{*resource}', 'mcp/{instance}/{*target}'])(
    'accepts "%s"',
    (template) => {
      expect(parseRouteTemplate(template).text).toBe(template);
    },
  );
});
