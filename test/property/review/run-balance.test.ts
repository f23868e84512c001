import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/domain/finding.ts';
import { parseHunks } from '../../../shared/diff/parse-patch.ts';
import { createLineMap } from '../../../shared/diff/line-map.ts';
import { createScriptedClient, scriptedAnswer } from '../../../shared/llm/scripted-client.ts';
import { createRun, createWorld, settledOf } from '../../integration/review/run-fixtures.ts';
import type { World } from '../../integration/review/run-fixtures.ts';

const line = fc.constantFrom('alpha();', 'beta(1);', 'gamma(x, y);', '', '  delta();', 'epsilon = 2;');
const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((row) => `${row}\n`).join(''));
const change = fc
  .record({ before: text, after: text })
  .filter(({ before, after }) => before !== after && after !== '');
const files = fc.dictionary(fc.constantFrom('a.ts', 'b.ts', 'c.py'), change, {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
});
const finding: fc.Arbitrary<Finding> = fc.record({
  path: fc.constantFrom('a.ts', 'b.ts', 'c.py', 'none.ts'),
  line: fc.option(fc.integer({ min: 1, max: 40 })),
  side: fc.constantFrom('old', 'new'),
  severity: fc.constantFrom('info', 'low', 'high', 'critical'),
  category: fc.constant('c'),
  title: fc.constantFrom('Wrong total here', 'Leaks the handle', 'Never awaited promise'),
  body: fc.constantFrom('Because of this reason.', 'Something entirely different happens.'),
  evidence: fc.oneof(
    line,
    fc.constant('not there'),
    fc.tuple(line, line).map((pair) => pair.join('\n')),
  ),
  suggestion: fc.option(fc.constantFrom('zeta();', '')),
});

/** What GitHub would say: each comment on lines of one hunk of the patch it lists. */
function refusedComments({ changedFiles, reviews }: World): string[] {
  return reviews.flatMap(({ comments }) =>
    comments.flatMap((comment) => {
      const patch = changedFiles.find(({ path }) => path === comment.path)?.patch;
      const map = createLineMap(parseHunks(patch ?? ''));
      const range = { startLine: comment.startLine ?? comment.line, line: comment.line };
      return map.isCommentable(comment.side, range) ? [] : [`${comment.path}:${comment.line}`];
    }),
  );
}

describe('any change and any findings', () => {
  it('add up, stand on lines of the diff and never say one thing twice on a line', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.array(finding, { maxLength: 12 }), async (changes, findings) => {
        const world = await createWorld(changes);
        const answer = scriptedAnswer(JSON.stringify({ findings, injection_suspected: false }));
        await using run = await createRun(world, createScriptedClient([() => answer]));
        const { report } = settledOf(await run.run());
        const { verified, posted, heldBack, duplicates, unanchored, refused } = report.counts;
        expect(posted + heldBack + duplicates + unanchored + refused).toBe(verified);
        expect(refusedComments(world)).toEqual([]);
        const said = world.reviews.flatMap(({ comments }) =>
          comments.map(({ path, side, line: at, body }) => `${path} ${side} ${at} ${body.split('\n')[1]}`),
        );
        expect(new Set(said).size).toBe(said.length);
        const known = findings.filter(({ path }) => path in changes).length;
        expect(verified).toBe(known);
        expect(report.outcome === 'clean').toBe(known === 0);
      }),
      { numRuns: 120 },
    );
  });
});
