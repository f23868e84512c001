import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRoutes, matchRoute } from '../../../infra/local/host/match-route.ts';
import { parseRouteTemplate } from '../../../infra/local/host/route-template.ts';

const match = (template: string, path: string) => matchRoute(parseRouteTemplate(template), path);

describe('matchRoute', () => {
  it.each([
    ['webhooks/{instance}', '/webhooks/github', { instance: 'github' }],
    ['webhooks/{instance}', '/WEBHOOKS/GitHub/', { instance: 'GitHub' }],
    ['webhooks/{instance}', '/webhooks', undefined],
    ['webhooks/{instance}', '/webhooks/', undefined],
    ['webhooks/{instance}', '/webhooks//', undefined],
    ['webhooks/{instance}', '/webhooks/a/b', undefined],
    ['webhooks/{instance}', '//webhooks/a', undefined],
    ['a/b', '/a/b/', {}],
    ['a/b', '/a/b//', undefined],
    ['', '/', {}],
    ['', '/a', undefined],
    ['a/{b?}', '/a', {}],
    ['a/{b?}', '/a/x', { b: 'x' }],
    ['a/{b:int?}', '/a', {}],
    ['a/{b:int?}', '/a/x', undefined],
    ['a/{b?}/c/{d?}', '/a/1/c', { b: '1' }],
    ['a/{b?}/c', '/a/c', undefined],
    ['s/{i}/{*rest}', '/s/1', { i: '1' }],
    ['s/{i}/{*rest}', '/s/1/', { i: '1' }],
    ['s/{i}/{*rest}', '/s/1/a/b/', { i: '1', rest: 'a/b/' }],
    ['s/{i}/{**rest}', '/s/1/a//b', { i: '1', rest: 'a//b' }],
    ['s/{i}/{*rest}', '/s/1//a', undefined],
    ['s/{*rest:minlength(3)}', '/s/ab', undefined],
    ['s/{*rest:minlength(3)}', '/s/a/b', { rest: 'a/b' }],
    ['s/{*rest:minlength(3)}', '/s', undefined],
    ['{*rest}', '/', {}],
    ['{*rest}', '/a', { rest: 'a' }],
  ])('%s on %s', (template, path, expected) => {
    expect(match(template, path)).toEqual(expected);
  });

  it.each([
    ['int', ['0', '-1', '+7', ' 7 ', '2147483647', '-2147483648'], ['2147483648', '1.0', 'x', '1e3', '0x1']],
    ['long', ['9223372036854775807', '-9223372036854775808'], ['9223372036854775808', 'x']],
    [
      'guid',
      [
        'd3b07384-d9a0-4c9b-8c5e-0123456789AB',
        'd3b07384d9a04c9b8c5e0123456789ab',
        '{d3b07384-d9a0-4c9b-8c5e-0123456789ab}',
      ],
      ['d3b07384-d9a0-4c9b-8c5e-0123456789a', '{d3b07384-d9a0-4c9b-8c5e-0123456789ab)', 'x'],
    ],
    ['alpha', ['abc', 'ABC'], ['a1', 'é', 'a-b']],
    ['bool', ['true', 'FALSE'], ['1', 'yes']],
    ['length(2)', ['ab'], ['a', 'abc']],
    ['length(2,3)', ['ab', 'abc'], ['a', 'abcd']],
    ['minlength(2)', ['ab', 'abc'], ['a']],
    ['maxlength(2)', ['a', 'ab'], ['abc']],
    ['min(5)', ['5', '6'], ['4', 'x', '-5']],
    ['max(5)', ['5', '-6'], ['6', 'x']],
    ['range(-1,3)', ['-1', '3'], ['-2', '4', '']],
    ['INT', ['1'], ['x']],
    ['int:min(2)', ['2'], ['1', 'x']],
  ])('constraint %s', (constraint, accepted, refused) => {
    const template = parseRouteTemplate(`a/{b:${constraint}}`);
    expect(accepted.filter((value) => matchRoute(template, `/a/${value}`)?.['b'] !== value)).toEqual([]);
    expect(refused.filter((value) => matchRoute(template, `/a/${value}`) !== undefined)).toEqual([]);
  });

  const word = fc.stringMatching(/^[a-z0-9._-]{1,8}$/).filter((text) => !/^\.+$/.test(text));
  const value = fc
    .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
    .filter((text) => !text.includes('/'));
  const segments = fc.array(
    fc.oneof(
      word.map((text) => ({ text })),
      value.map((text) => ({ text, name: true })),
    ),
    {
      maxLength: 6,
    },
  );

  it('finds exactly the values that a path was built from', () => {
    fc.assert(
      fc.property(segments, (parts) => {
        const template = parts.map((part, index) => ('name' in part ? `{p${index}}` : part.text)).join('/');
        const expected = Object.fromEntries(
          parts.flatMap((part, index) => ('name' in part ? [[`p${index}`, part.text]] : [])),
        );
        const path = `/${parts.map(({ text }) => text).join('/')}`;
        expect(match(template, path)).toEqual(expected);
      }),
    );
  });

  it('matches no path with a changed literal, a segment more or a segment less', () => {
    fc.assert(
      fc.property(segments, fc.nat(), (parts, at) => {
        const template = parts.map((part, index) => ('name' in part ? `{p${index}}` : part.text)).join('/');
        const texts = parts.map(({ text }) => text);
        expect(match(template, `/${[...texts, 'more'].join('/')}`)).toBeUndefined();
        if (texts.length === 0) return;
        expect(match(template, `/${texts.slice(1).join('/')}`)).toBeUndefined();
        const index = at % texts.length;
        const part = parts[index];
        if (part === undefined || 'name' in part) return;
        expect(match(template, `/${texts.with(index, `${part.text}x`).join('/')}`)).toBeUndefined();
      }),
    );
  });

  it('gives a catch-all the whole rest', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(5), (parts, split) => {
        const at = Math.min(split, parts.length - 1);
        const template = [...parts.slice(0, at), '{*rest}'].join('/');
        expect(match(template, `/${parts.join('/')}`)).toEqual({ rest: parts.slice(at).join('/') });
      }),
    );
  });
});

describe('compareRoutes', () => {
  it('puts literals before constrained parameters, parameters and catch-alls, earlier segments first', () => {
    const shuffled = [
      '{*all}',
      'a/{*rest}',
      'a/{*rest:int}',
      'a/{x}',
      'a/{x:int}',
      'a/b',
      'a',
      '{x}/b',
      'a/b/{*r}',
    ];
    const sorted = shuffled
      .map(parseRouteTemplate)
      .toSorted(compareRoutes)
      .map(({ text }) => text);
    expect(sorted).toEqual([
      'a',
      'a/b',
      'a/b/{*r}',
      'a/{x:int}',
      'a/{x}',
      'a/{*rest:int}',
      'a/{*rest}',
      '{x}/b',
      '{*all}',
    ]);
  });
});
