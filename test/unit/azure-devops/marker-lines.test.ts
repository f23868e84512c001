import { describe, expect, it } from 'vitest';
import {
  MARKER_GROWTH,
  carriesMarker,
  placeMarker,
  readBody,
} from '../../../shared/providers/azure-devops/marker-lines.ts';
import { hasMarkerLine, markerLine, withoutMarker } from '../../../shared/tools/markers.ts';

const MARKER = '0123456789abcdef01234567';
const marked = `${markerLine(MARKER)}\nFirst.\n\nSecond.`;

describe('a marker on Azure DevOps', () => {
  it('moves from the first line to the last', () => {
    expect(placeMarker(marked)).toEqual({
      content: `First.\n\nSecond.\n\n[//]: # (gatehouse:${MARKER})`,
      marker: MARKER,
    });
    expect(placeMarker('First.')).toEqual({ content: 'First.', marker: undefined });
  });

  it('is found again by the line that it came as', () => {
    const { content } = placeMarker(marked);
    expect(hasMarkerLine(content, markerLine(MARKER))).toBe(true);
    expect(withoutMarker(content).trim()).toBe('First.\n\nSecond.');
    expect(carriesMarker(content)).toBe(true);
  });

  it('never lengthens a body by more than is kept free for it', () => {
    expect(placeMarker(marked).content.length - marked.length).toBeLessThanOrEqual(MARKER_GROWTH);
    const empty = markerLine(MARKER);
    expect(placeMarker(empty).content.length - empty.length).toBeLessThanOrEqual(MARKER_GROWTH);
  });

  it('comes back from the property of the thread when an edit removed the line', () => {
    expect(hasMarkerLine(readBody('Edited.', MARKER), markerLine(MARKER))).toBe(true);
    expect(readBody('Edited.', undefined)).toBe('Edited.');
    expect(readBody('Edited.', 'something else')).toBe('Edited.');
    const { content } = placeMarker(marked);
    expect(readBody(content, MARKER)).toBe(content);
  });
});
