import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createSecretMasker } from '../../../shared/text-safety/mask-secrets.ts';
import { prepareOutgoingText } from '../../../shared/text-safety/prepare-outgoing-text.ts';

describe('prepareOutgoingText', () => {
  it('finds a secret that hidden characters split, then disarms the rest', () => {
    const masker = createSecretMasker([new Secret('top-secret-value')]);
    const text = '@octocat: top-\u200Bsecret-value <!-- x -->\n/close';
    expect(prepareOutgoingText(text, { masker, maxLength: 1000 })).toEqual({
      text: '`@octocat`: [masked] &lt;!-- x -->\n\\/close',
      removed: [{ kind: 'zero-width', count: 1 }],
      masked: ['known'],
    });
  });

  it('keeps to the length and to the allowed hosts', () => {
    const masker = createSecretMasker([]);
    const text = `[a](https://github.com/x) ${'@b '.repeat(500)}`;
    const result = prepareOutgoingText(text, { masker, maxLength: 400, allowedHosts: ['github.com'] });
    expect(result.text.startsWith('[a](https://github.com/x) `@b` ')).toBe(true);
    expect(result.text.length).toBeLessThanOrEqual(400);
  });
});
