import { createHmac } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';
import type { Secret } from '../config/secret.ts';

const MARKER_LINE = /^<!-- gatehouse:([0-9a-f]{24}) -->$/;
/** Azure DevOps shows HTML comments, so its replies end with a link definition, which no renderer shows. */
const MARKER_LAST_LINE = /^\[\/\/\]: # \(gatehouse:([0-9a-f]{24})\)$/;

/** Signs what Gatehouse writes, so that it finds its own writes again and nobody can make others pass for them. */
export interface Markers {
  /**
   * 24 hex characters for an outbox key.
   * @throws AppError `permanent` marker_key_missing when no key is configured: without markers nothing is written.
   */
  sign(key: string): string;
  /** True when the body carries the marker of `key` under any of the configured keys. */
  matchesMarker(body: string, key: string): boolean;
}

/** The first line of a body on GitHub and GitLab. */
export function markerLine(marker: string): string {
  return `<!-- gatehouse:${marker} -->`;
}

/** The marker a body carries as its first line (or, on Azure DevOps, its last), whoever put it there. */
export function readMarker(body: string): string | undefined {
  const lines = body.trimEnd().split('\n');
  const first = MARKER_LINE.exec((lines[0] ?? '').trimEnd());
  return (first ?? MARKER_LAST_LINE.exec((lines.at(-1) ?? '').trimEnd()))?.[1];
}

/** The body without its marker, as people see it. */
export function withoutMarker(body: string): string {
  if (readMarker(body) === undefined) return body;
  const lines = body.trimEnd().split('\n');
  const isFirst = MARKER_LINE.test((lines[0] ?? '').trimEnd());
  return (isFirst ? lines.slice(1) : lines.slice(0, -1)).join('\n');
}

/** True when the body's own marker is exactly this line. */
export function hasMarkerLine(body: string, line: string): boolean {
  const marker = readMarker(body);
  return marker !== undefined && markerLine(marker) === line;
}

function hex(secret: Secret, key: string): string {
  return createHmac('sha256', secret.reveal())
    .update(`gatehouse-marker-1\n${key}`)
    .digest('hex')
    .slice(0, 24);
}

/** `keys`: GATEHOUSE_MARKER_KEYS; the first signs, all verify. */
export function createMarkers(keys: readonly Secret[]): Markers {
  return {
    sign(key) {
      const first = keys[0];
      if (first === undefined)
        throw new AppError({
          kind: 'permanent',
          code: 'marker_key_missing',
          message: 'GATEHOUSE_MARKER_KEYS is not set, so nothing can be written.',
        });
      return hex(first, key);
    },
    matchesMarker(body, key) {
      const marker = readMarker(body);
      return marker !== undefined && keys.some((secret) => hex(secret, key) === marker);
    },
  };
}
