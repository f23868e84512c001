import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codedLines, lineCode } from '../../../infra/local/simulators/gitlab/diffs.ts';
import { linesOf } from '../../../shared/providers/gitlab/positions.ts';
import { findSigners } from '../../../shared/providers/gitlab/webhook-signature.ts';
import { Secret } from '../../../shared/config/secret.ts';
import { KEY, NOW_SECONDS, SIGNING_TOKEN, sign } from '../../unit/gitlab/deliveries.ts';

const kinds = fc.array(fc.constantFrom('+', '-', ' '), { minLength: 1, maxLength: 30 });

/** A patch of one hunk, its numbers counted from its lines. */
function patchFrom(signs: readonly string[], oldStart: number, newStart: number): string {
  const oldCount = signs.filter((mark) => mark !== '+').length;
  const newCount = signs.filter((mark) => mark !== '-').length;
  const header = `@@ -${oldCount === 0 ? oldStart - 1 : oldStart},${oldCount} +${newCount === 0 ? newStart - 1 : newStart},${newCount} @@`;
  return [header, ...signs.map((mark, index) => `${mark}text ${index}`)].join('\n');
}

describe('positions', () => {
  it('of every pair of lines in a hunk are those that the other parser gives', () => {
    fc.assert(
      fc.property(kinds, fc.integer({ min: 1, max: 500 }), fc.nat({ max: 20 }), (signs, oldStart, shift) => {
        const patch = patchFrom(signs, oldStart, oldStart + shift);
        const diff = { diff: `${patch}\n`, new_path: 'ä b.ts', new_file: false, deleted_file: false };
        const shown = codedLines(patch);
        for (const side of ['old', 'new'] as const) {
          const own = shown.filter(({ kind }) => kind !== (side === 'old' ? 'added' : 'removed'));
          const numberOf = (line: (typeof own)[number]): number =>
            side === 'old' ? line.oldPos : line.newPos;
          const [first] = own;
          for (const last of own) {
            if (first === undefined || first === last) continue;
            const comment = {
              path: 'ä b.ts',
              side,
              startLine: numberOf(first),
              line: numberOf(last),
              body: '',
            };
            const { line_range: range, ...numbers } = linesOf(diff, comment);
            expect(numbers).toEqual({
              ...(last.kind === 'added' ? {} : { old_line: last.oldPos }),
              ...(last.kind === 'removed' ? {} : { new_line: last.newPos }),
            });
            expect([range?.start.line_code, range?.end.line_code]).toEqual([
              lineCode('ä b.ts', first),
              lineCode('ä b.ts', last),
            ]);
            expect(range?.end.type).toBe(last.kind === 'added' ? 'new' : 'old');
          }
        }
      }),
    );
  });
});

describe('signatures', () => {
  it('hold for the signed bytes alone', () => {
    const secrets = { signingTokens: [{ value: new Secret(SIGNING_TOKEN) }], webhookTokens: [] };
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (body, at) => {
        const headers = sign(body, NOW_SECONDS, KEY);
        expect(findSigners(secrets, headers, body, NOW_SECONDS * 1000)).toHaveLength(1);
        const changed = Uint8Array.from(body);
        changed[at % body.length] = (changed[at % body.length] ?? 0) ^ 1;
        expect(findSigners(secrets, headers, changed, NOW_SECONDS * 1000)).toEqual([]);
      }),
    );
  });
});
