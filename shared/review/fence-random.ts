import { createHmac } from 'node:crypto';
import type { RandomSource } from '../domain/clock.ts';
import type { Secret } from '../config/secret.ts';

/**
 * Randomness for the lines that fence `content`: nobody without the key can foretell it, and the same content
 * gets the same lines in every run, so that the service's prompt cache is found again. Text that was changed to
 * hold lines seen before has other lines by that very change.
 */
export function createFenceRandom(key: Secret, content: string): RandomSource {
  let draws = 0;
  const draw = (bytes: number): string => {
    let hex = '';
    while (hex.length < bytes * 2) {
      draws += 1;
      hex += createHmac('sha256', key.reveal()).update(`fence ${draws}\n${content}`).digest('hex');
    }
    return hex.slice(0, bytes * 2);
  };
  return { hex: draw, number: () => Number.parseInt(draw(6), 16) / 2 ** 48 };
}
