import { describe, expect, it } from 'vitest';
import { neutraliseMarkdown } from '../../../shared/text-safety/neutralise-markdown.ts';

const MARKER = 'gatehouse:0123456789abcdef01234567';

describe('neutraliseMarkdown', () => {
  it.each([
    ['people and teams', 'Thanks @octocat and @org/team.', 'Thanks `@octocat` and `@org/team`.'],
    ['people after punctuation', '_@a_ (@b) é@c \\@d &#64;e', '_`@a_` (`@b`) é`@c` `@d` `&#64;`e'],
    ['Azure DevOps identities', '@<3f2a-11> hi', '`@<3f2a-11>` hi'],
    ['references', '#12 o/r#3 AB#4 GH-5 g/p!6 \\#7', '`#12` `o/r#3` `AB#4` `GH-5` `g/p!6` `#7`'],
    ['closing words', 'Fixes #12, closes o/r#3', 'Fixes `#12`, closes `o/r#3`'],
    [
      'addresses of issues',
      'resolves https://github.com/o/r/issues/1',
      'resolves `https://github.com/o/r/issues/1`',
    ],
    ['quick actions', '/close\n> /merge\n- /label ~x', '\\/close\n> \\/merge\n- \\/label ~x'],
    ['our command inside a line', 'then /review stop', 'then `/review` stop'],
    ['forged markers', `<!-- ${MARKER} -->`, '&lt;!-- gatehouse marker 0123456789abcdef01234567 -->'],
    [
      'forged markers of Azure DevOps',
      `[//]: # (${MARKER})`,
      '[//]\\: # (gatehouse marker 0123456789abcdef01234567)',
    ],
    ['forged markers in code', `\`${MARKER}\``, '`gatehouse marker 0123456789abcdef01234567`'],
    ['HTML', 'a <img src=x> <b>b</b> Array<string>', 'a &lt;img src=x> &lt;b>b&lt;/b> Array&lt;string>'],
    ['escaped HTML', '\\<img src=x>', '&lt;img src=x>'],
    ['images of other hosts', '![a](https://evil.com/?x=1)', '![a] (https://evil.com/?x=1)'],
    ['links to other hosts', '[a](//evil.com) [b](javascript:x)', '[a] (//evil.com) [b] (javascript:x)'],
    ['links whose address would be alive as text', '[a](docs/@b) ](x#1)', '[a] (docs/`@b`) ] (`x#1`)'],
    ['links with a title', '[a](x "hidden")', '[a] (x "hidden")'],
    ['link definitions', '[a]: https://evil.com', '[a]\\: https://evil.com'],
    ['an open fence', '```js\ncode', '```js\ncode\n```'],
    ['an open tilde fence', '~~~\ncode', '~~~\ncode\n~~~'],
    ['an open code span', 'a ` b @c', 'a \\` b `@c`'],
    ['suggestions', '```suggestion:-0+1\nx\n```', '```text\nx\n```'],
    ['info strings', '```js onload="x" @a\nx\n```', '```js\nx\n```'],
    ['a code span that a table splits', '|a|b|\n|-|-|\n|`x|@c`|', '|a|b|\n|-|-|\n|\\`x|`@c`\\`|'],
    ['a fence that a list item may end', '- a\n  ```\n@b\n  ```', '- a\n  \\`\\`\\`\n`@b`\n  ```\n  ```'],
    ['fences in quotes', '> ~~~\n> @a\n> ```', '> \\~~~\n> `@a`\n> \\`\\`\\`'],
    ['code spans after an address', 'http://a.bc/`d`', 'http://a.bc/ `d`'],
    [
      'what an address would swallow',
      'http://a.bc@d http://a.bc/\\<b>',
      'http://a.bc `@d` http://a.bc/&lt;b>',
    ],
  ])('disarms %s', (_name, text, expected) => {
    expect(neutraliseMarkdown(text)).toBe(expected);
    expect(neutraliseMarkdown(expected)).toBe(expected);
  });

  it.each([
    'Plain text, a@b.com, 5 > 3 < 6, a & b, &amp; &lt; **bold** _x_ ~~y~~ C# F#',
    'See https://example.com/a?b=1&c=2#top and src/review.ts, a/review.',
    '`@a #1 <b> /review` stays, ``a ` b`` too',
    '```ts\n@a #1 <!-- x --> [a](https://evil.com) /close\n```\n\ntext',
    '1. item\n   ```ts\n   @a\n   ```\n2. next',
    '# Title\n\n- [ ] task\n- [x] done\n\n| a | b |\n|---|---|\n| `c` | d |',
    '[relative](docs/a.md#part) [anchor](#part) a[i](x)',
  ])('leaves %j as it is', (text) => {
    expect(neutraliseMarkdown(text)).toBe(text);
  });

  it('keeps links and images of allowed hosts, but no issue of theirs', () => {
    const allowedHosts = ['github.com'];
    const kept = '[a](https://github.com/o/r/blob/main/a.ts#L1) ![b](http://github.com/b.png)';
    expect(neutraliseMarkdown(kept, { allowedHosts })).toBe(kept);
    expect(neutraliseMarkdown('[a](https://github.com/o/r/pull/1)', { allowedHosts })).toBe(
      '[a] (`https://github.com/o/r/pull/1`)',
    );
    expect(neutraliseMarkdown('[a](https://github.com.evil.com/x)', { allowedHosts })).toBe(
      '[a] (https://github.com.evil.com/x)',
    );
    expect(neutraliseMarkdown('[a](https://x@github.com/x)', { allowedHosts })).toContain('] (');
  });
});
