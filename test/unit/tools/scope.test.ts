import { describe, expect, it } from 'vitest';
import {
  isInScope,
  isPlainRepositoryName,
  isSamePullRequest,
  isUsableRepositoryGlob,
  matchesRepositoryGlob,
} from '../../../shared/tools/scope.ts';
import { REF } from './fake-provider.ts';
import { FULL_GRANT } from './fixture.ts';

describe('repository globs', () => {
  it.each([
    ['acme/widgets', 'acme/widgets', true],
    ['Acme/Widgets', 'acme/widgets', true],
    ['acme/widgets', 'ACME/WIDGETS', true],
    ['acme/widgets', 'acme/*', true],
    ['acme/.github', 'acme/*', true],
    ['acme/widgets', 'acme/w?dgets', true],
    ['acme/group/widgets', 'acme/**', true],
    ['acme/group/widgets', 'acme/**/widgets', true],
    ['Projekt A/Repo', 'projekt a/*', true],
    ['\u041f\u0440\u043e\u0435\u043a\u0442/repo', '\u043f\u0440\u043e\u0435\u043a\u0442/*', true],
    ['acme/c++', 'acme/c++', true],
    // Anchored at both ends.
    ['acme/widgets', 'acme', false],
    ['acme/widgets', 'widgets', false],
    ['acme/widgets', 'acme/widget', false],
    ['evil/acme/widgets', 'acme/widgets', false],
    ['acme/widgets/x', 'acme/widgets', false],
    ['acme/group/widgets', 'acme/*', false],
    ['acme-evil/widgets', 'acme/*', false],
    ['acme/widgets', '*', false],
    // Not patterns but operators elsewhere: nothing may turn a glob into its opposite.
    ['acme/widgets', '!other/*', false],
    ['#x/y', '#x/y', false],
    ['acme/widgets', '{acme,other}/*', false],
    ['acme/widgets', 'acme/[w]idgets', false],
    ['acme/widgets', 'acme\\/widgets', false],
    ['acme/widgets', '', false],
  ])('%j matches %j: %s', (name, glob, expected) => {
    expect(matchesRepositoryGlob(name, glob)).toBe(expected);
  });

  it.each([
    ['percent-encoded slash', 'acme%2Fwidgets'],
    ['percent-encoded letter', 'acme/%77idgets'],
    ['double encoded', 'acme/%2577idgets'],
    ['dot segment', 'acme/./widgets'],
    ['parent segment', 'other/../acme/widgets'],
    ['only dots', 'acme/..'],
    ['doubled slash', 'acme//widgets'],
    ['leading slash', '/acme/widgets'],
    ['trailing slash', 'acme/widgets/'],
    ['backslash', 'acme\\widgets'],
    ['query', 'acme/widgets?x'],
    ['fragment', 'acme/widgets#x'],
    ['zero-width space', 'acme/wid\u200bgets'],
    ['zero-width joiner', 'acme/wid\u200dgets'],
    ['right-to-left override', 'acme/\u202estegdiw'],
    ['byte order mark', '\ufeffacme/widgets'],
    ['no-break space', 'acme/wid\u00a0gets'],
    ['full-width letter', 'acme/\uff57idgets'],
    ['full-width slash', 'acme\uff0fwidgets'],
    ['kelvin sign', 'acme/\u212ait'],
    ['ligature', 'acme/\ufb01les'],
    ['not composed', 'acme/e\u0301'],
    ['null byte', 'acme/widgets\u0000'],
    ['line feed', 'acme/widgets\n'],
    ['leading space', ' acme/widgets'],
    ['trailing space', 'acme/widgets '],
    ['lone surrogate', 'acme/\ud800'],
    ['empty', ''],
    ['too long', `acme/${'w'.repeat(600)}`],
  ])('never match a name with a %s', (_what, name) => {
    expect(isPlainRepositoryName(name)).toBe(false);
    for (const glob of ['acme/*', 'acme/**', '**', name])
      expect(matchesRepositoryGlob(name, glob)).toBe(false);
  });

  it('do not take a look-alike letter for the letter', () => {
    expect(matchesRepositoryGlob('\u0430cme/widgets', 'acme/widgets')).toBe(false);
    expect(matchesRepositoryGlob('acme/w\u0130dgets', 'acme/widgets')).toBe(false);
    expect(matchesRepositoryGlob('acme/\u017fecret', 'acme/secret')).toBe(false);
  });

  it('are capped, so that matching cannot explode', () => {
    expect(isUsableRepositoryGlob('*a*a*a*a/*a*a*a*b')).toBe(true);
    expect(isUsableRepositoryGlob('*a*a*a*a/*a*a*a*a*b')).toBe(false);
    expect(isUsableRepositoryGlob(`a/${'b'.repeat(254)}`)).toBe(true);
    expect(isUsableRepositoryGlob(`a/${'b'.repeat(255)}`)).toBe(false);
    const started = performance.now();
    expect(matchesRepositoryGlob(`${'a'.repeat(250)}/${'a'.repeat(250)}`, '*a*a*a*a/*a*a*a*b')).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('scope', () => {
  it('needs the instance, a matching name, and the bound pull request by repository id and number', () => {
    const bound = { ...FULL_GRANT, pullRequest: { repositoryId: '4711', number: 12 } };
    expect(isInScope(bound, REF)).toBe(true);
    expect(isInScope(FULL_GRANT, { ...REF, number: 99 })).toBe(true);
    expect(isInScope(bound, { ...REF, number: 99 })).toBe(false);
    expect(isInScope(bound, { ...REF, repositoryId: '1' })).toBe(false);
    expect(isInScope(FULL_GRANT, { ...REF, instance: 'MAIN' })).toBe(false);
    expect(isInScope(FULL_GRANT, { ...REF, instance: 'second' })).toBe(false);
    expect(isInScope({ ...FULL_GRANT, repositories: [] }, REF)).toBe(false);
    expect(isInScope({ ...FULL_GRANT, instances: [] }, REF)).toBe(false);
    expect(isInScope({ ...FULL_GRANT, repositories: ['x/*', 'acme/*'] }, REF)).toBe(true);
  });

  it('takes two references for the same only when every part agrees', () => {
    expect(isSamePullRequest(REF, { ...REF, repository: 'ACME/Widgets' })).toBe(true);
    expect(isSamePullRequest(REF, { ...REF, repository: 'acme/other' })).toBe(false);
    expect(isSamePullRequest(REF, { ...REF, repositoryId: '1' })).toBe(false);
    expect(isSamePullRequest(REF, { ...REF, number: 1 })).toBe(false);
    expect(isSamePullRequest(REF, { ...REF, instance: 'second' })).toBe(false);
    expect(isSamePullRequest(REF, { ...REF, provider: 'gitlab' })).toBe(false);
  });
});
