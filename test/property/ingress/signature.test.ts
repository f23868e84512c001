import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../shared/domain/app-error.ts';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import { githubInstance, sign } from '../../unit/ingress/github-deliveries.ts';

const source = createGitHubWebhookSource(githubInstance());
const body = fc.uint8Array({ maxLength: 200 });

function outcome(event: string, bytes: Uint8Array): string {
  try {
    return source.read({ 'x-github-event': event }, bytes).request.kind;
  } catch (error) {
    return isAppError(error) ? `${error.kind} ${error.code}` : String(error);
  }
}

describe('the signature check', () => {
  it('accepts a signature of the exact bytes and of no others', () => {
    fc.assert(
      fc.property(body, body, (signed, sent) => {
        const isSame = Buffer.from(signed).equals(Buffer.from(sent));
        expect(source.authenticate({ 'x-hub-signature-256': sign(signed) }, sent)).toBe(isSame);
        expect(source.authenticate({ 'x-hub-signature-256': sign(sent) }, sent)).toBe(true);
      }),
    );
  });

  it('refuses the bytes after any one of them changed, was added or was left out', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, delta) => {
          const headers = { 'x-hub-signature-256': sign(bytes) };
          const index = at % bytes.length;
          const changed = Uint8Array.from(bytes);
          changed[index] = ((changed[index] ?? 0) + delta) % 256;
          expect(source.authenticate(headers, changed)).toBe(false);
          expect(source.authenticate(headers, bytes.slice(0, -1))).toBe(false);
          expect(source.authenticate(headers, Uint8Array.from([...bytes, delta]))).toBe(false);
        },
      ),
    );
  });

  it('refuses every other header and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), body, (header, bytes) => {
        expect(source.authenticate({ 'x-hub-signature-256': header }, bytes)).toBe(false);
      }),
    );
  });

  it('reads any authenticated bytes into an event or one kind of error', () => {
    const event = fc.constantFrom('pull_request', 'issue_comment', 'pull_request_review', 'ping', 'star', '');
    fc.assert(
      fc.property(
        event,
        fc.oneof(
          body,
          fc.json().map((text) => Buffer.from(text)),
        ),
        (name, bytes) => {
          expect(outcome(name, bytes)).toMatch(/^(?:job|ignore|rejected malformed_payload)$/);
        },
      ),
    );
  });
});
