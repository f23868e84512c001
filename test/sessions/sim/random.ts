import type { RandomSource } from '../../../shared/domain/clock.ts';

/** A small seeded generator (mulberry32): the same seed gives the same run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function seededSource(seed: number): RandomSource {
  const number = seededRandom(seed);
  return {
    number,
    hex: (bytes) =>
      Array.from({ length: bytes }, () =>
        Math.floor(number() * 256)
          .toString(16)
          .padStart(2, '0'),
      ).join(''),
  };
}

/** A 32-bit hash of a text (FNV-1a), to seed generators by name. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
