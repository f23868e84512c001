import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assembleRules } from '../../../shared/rules/assemble-rules.ts';
import { loadPacks } from '../../../shared/rules/load-packs.ts';
import type { RulePack } from '../../../shared/rules/rule-pack.ts';

const PACKAGED = join(import.meta.dirname, '../../../rules/packs');

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-rules-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function write(path: string, content: string): Promise<void> {
  await mkdir(join(directory, path, '..'), { recursive: true });
  await writeFile(join(directory, path), content);
}

const MANIFEST = 'id: one\nversion: 1.2.3\nkind: stack\ndescription: One.\nappliesTo: ["**/*.ts"]\n';

describe('loadPacks', () => {
  it('reads the packaged packs: every skill says what to report, what not, and gives an example', async () => {
    const packs = await loadPacks(PACKAGED);
    expect(packs.map(({ id, kind, skills }) => [id, kind, skills.map(({ name }) => name)])).toEqual([
      ['correctness', 'baseline', ['errors', 'logic']],
      ['security', 'baseline', ['input', 'secrets']],
    ]);
    for (const { text } of packs.flatMap(({ skills }) => skills)) {
      expect(text).toMatch(/^# /);
      expect(text).toContain('Do not report:');
      expect(text).toContain('\nExample. ');
    }
  });

  it('folds the synonyms of applies_to and CRLF line ends', async () => {
    await write('one/pack.yaml', MANIFEST);
    await write(
      'one/a.md',
      '---\r\nname: a\r\ndescription: A.\r\napplyTo: "src/**"\r\n---\r\n\r\nLook.\r\nWell.\r\n',
    );
    await write('one/b.md', '---\nname: b\ndescription: B.\npaths: ["*.ts"]\n---\nText\n');
    expect(await loadPacks(directory)).toEqual([
      {
        id: 'one',
        version: '1.2.3',
        kind: 'stack',
        description: 'One.',
        appliesTo: ['**/*.ts'],
        skills: [
          { name: 'a', description: 'A.', appliesTo: ['src/**'], text: 'Look.\nWell.' },
          { name: 'b', description: 'B.', appliesTo: ['*.ts'], text: 'Text' },
        ],
      },
    ]);
  });

  it('names every problem with its file', async () => {
    await write(
      'one/pack.yaml',
      'id: other\nversion: 1\nkind: stack\ndescription: x\nappliesTo: []\nfoo: 1\n',
    );
    await write('one/a.md', 'no front matter');
    await write('two/pack.yaml', 'id: [broken\n');
    await write('three/notes.txt', 'nothing here');
    await expect(loadPacks(directory)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'rules_invalid',
      details: {
        problems: [
          'one/pack.yaml: version: Invalid input: expected string, received number',
          'one/pack.yaml: appliesTo: Too small: expected array to have >=1 items',
          'one/pack.yaml: Unrecognized key: "foo"',
          'one/a.md: no front matter between two lines of ---',
          'three/pack.yaml: cannot be read',
          'three: no Markdown file',
          'two/pack.yaml: Flow sequence in block collection must be sufficiently indented and end with a ] at line 2, column 1',
          'two: no Markdown file',
        ],
      },
    });
  });

  it('refuses a folder whose id differs, an empty directory, a missing directory and an alias bomb', async () => {
    await expect(loadPacks(directory)).rejects.toMatchObject({ details: { problems: ['there is no pack'] } });
    await expect(loadPacks(join(directory, 'nowhere'))).rejects.toMatchObject({ code: 'rules_invalid' });
    await cp(join(PACKAGED, 'security'), join(directory, 'renamed'), { recursive: true });
    await expect(loadPacks(directory)).rejects.toMatchObject({
      details: { problems: ["renamed/pack.yaml: id must be the folder's name"] },
    });
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a]', 'c: [*b,*b,*b,*b,*b,*b]'].join(
      '\n',
    );
    await write('renamed/pack.yaml', bomb);
    await expect(loadPacks(directory)).rejects.toMatchObject({
      details: {
        problems: ['renamed/pack.yaml: Excessive alias count indicates a resource exhaustion attack'],
      },
    });
  });
});

function skill(name: string, appliesTo: string[]) {
  return { name, description: name, appliesTo, text: `# ${name}` };
}

describe('assembleRules', () => {
  const packs: RulePack[] = [
    {
      id: 'b',
      version: '1.0.0',
      kind: 'baseline',
      description: 'b',
      appliesTo: ['**'],
      skills: [skill('z', ['**']), skill('a', ['src/*.ts'])],
    },
    {
      id: 'a',
      version: '2.0.0',
      kind: 'stack',
      description: 'a',
      appliesTo: ['**/*.py'],
      skills: [skill('p', ['**'])],
    },
  ];

  it('takes the skills that match, in a fixed order', () => {
    expect(assembleRules(packs, ['src/x.ts', 'lib/.hidden/y.py'])).toEqual({
      text: '<rules pack="a">\n\n# p\n\n</rules>\n\n<rules pack="b">\n\n# a\n\n# z\n\n</rules>',
      // printf of the text above | sha256sum
      promptSha: 'ecdb1ae308f932cae6b53ab8ca3a5a9eb40affb88b8ac2b27e383892e6418d9d',
      packs: ['a@2.0.0', 'b@1.0.0'],
    });
    expect(assembleRules(packs, ['README.md']).packs).toEqual(['b@1.0.0']);
    expect(assembleRules(packs, [])).toMatchObject({ text: '', packs: [] });
  });

  it('gives the same bytes for any order of packs, skills and paths', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(packs, { minLength: 2 }),
        fc.shuffledSubarray(['src/x.ts', 'a.py', 'c.md'], { minLength: 3 }),
        fc.boolean(),
        (order, paths, flip) => {
          const turned = order.map((pack) => ({
            ...pack,
            skills: flip ? pack.skills.toReversed() : pack.skills,
          }));
          const inOrder = assembleRules(packs, ['src/x.ts', 'a.py', 'c.md']);
          expect(assembleRules(turned, paths)).toEqual(inOrder);
        },
      ),
    );
  });
});
