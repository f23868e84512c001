import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommentId, parseCommentRef } from '../../../shared/providers/azure-devops/comment-ids.ts';
import {
  MARKER_GROWTH,
  carriesMarker,
  placeMarker,
} from '../../../shared/providers/azure-devops/marker-lines.ts';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { hasMarkerLine, markerLine } from '../../../shared/tools/markers.ts';
import { azureInstance, bytes, commentEvent, headers } from '../../unit/azure-devops/deliveries.ts';

const marker = fc.stringMatching(/^[0-9a-f]{24}$/);

describe('markers', () => {
  it('are found again in every body, and no body grows by more than is kept free', () => {
    fc.assert(
      fc.property(marker, fc.string({ unit: 'binary' }), (value, text) => {
        const body = `${markerLine(value)}\n${text}`;
        const { content } = placeMarker(body);
        expect(hasMarkerLine(content, markerLine(value))).toBe(true);
        expect(carriesMarker(content)).toBe(true);
        expect(content.length - body.length).toBeLessThanOrEqual(MARKER_GROWTH);
        expect(content.startsWith(text)).toBe(true);
      }),
    );
  });
});

describe('ids of comments', () => {
  it('come back as they went, and nothing else is one', () => {
    const id = fc.integer({ min: 1, max: 2 ** 49 });
    fc.assert(
      fc.property(id, id, (threadId, commentId) => {
        const place = { threadId, commentId };
        expect(parseCommentRef({ id: formatCommentId(place) })).toEqual(place);
        expect(parseCommentRef({ id: String(commentId), threadId: String(threadId) })).toEqual(place);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d+-\d+$/.test(text));
        expect(parseCommentRef({ id: text })).toBeUndefined();
      }),
    );
  });
});

describe('the webhook source', () => {
  const source = createAzureDevOpsWebhookSource(azureInstance());

  const outcomeOf = (payload: unknown): string => {
    try {
      return source.read(headers(), bytes(JSON.stringify(payload))).request.kind;
    } catch (error) {
      return error instanceof AppError && error.kind === 'rejected' ? error.code : String(error);
    }
  };

  it('reads any JSON as an event or calls it malformed', () => {
    const event = fc.record(
      {
        eventType: fc.oneof(
          fc.constantFrom(
            'git.pullrequest.created',
            'git.pullrequest.updated',
            'ms.vss-code.git-pullrequest-comment-event',
          ),
          fc.string(),
        ),
        resourceVersion: fc.constantFrom('2.0', '1.0', 2),
        resource: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(event, fc.jsonValue()), (payload) => {
        expect(['ignore', 'malformed_payload']).toContain(outcomeOf(payload));
        expect(source.deliveryKey({}, bytes(JSON.stringify(payload)))).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });

  it('never takes another pair of user and password', () => {
    const body = bytes(commentEvent());
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (user, password, secret) => {
        fc.pre(user !== 'gatehouse' || password !== 'pässword' || secret !== 'header');
        expect(source.authenticate(headers(user, password, secret), body)).toBe(false);
      }),
    );
  });
});
