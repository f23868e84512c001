/**
 * True when one of the globs matches the whole name, without regard to ASCII case. `*` and `?` stay within a
 * segment, `**` as a whole segment crosses them; nothing else is special. Takes time linear in the name for each
 * glob character, so no setting and no payload can make it explode.
 */
export function matchesRepository(globs: readonly string[], name: string): boolean {
  const segments = foldAscii(name).split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return false;
  return globs.some((glob) => matchesSegments(foldAscii(glob).split('/'), segments));
}

/** Full Unicode folding would make look-alikes equal: U+212A KELVIN SIGN folds to `k`. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function matchesSegments(globs: readonly string[], segments: readonly string[]): boolean {
  // At the end `**` stands for one segment or more: `acme/**` is what lies below, not `acme` itself.
  const parts = globs.at(-1) === '**' ? [...globs.slice(0, -1), '*', '**'] : globs;
  return matchesList(parts, segments, (part) => part === '**', matchesSegment);
}

function matchesSegment(glob: string, segment: string): boolean {
  return matchesList(
    Array.from(glob),
    Array.from(segment),
    (character) => character === '*',
    (character, actual) => character === '?' || character === actual,
  );
}

/** Two-pointer wildcard match: after a mismatch only the latest wildcard takes one item more. */
function matchesList(
  pattern: readonly string[],
  items: readonly string[],
  isWildcard: (part: string) => boolean,
  matchesOne: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let wildcard = -1;
  let resumeAt = 0;
  let index = 0;
  while (index < items.length) {
    const part = pattern[at];
    const item = items[index];
    if (part !== undefined && isWildcard(part)) {
      wildcard = at;
      resumeAt = index;
      at += 1;
    } else if (part !== undefined && item !== undefined && matchesOne(part, item)) {
      at += 1;
      index += 1;
    } else if (wildcard >= 0) {
      resumeAt += 1;
      index = resumeAt;
      at = wildcard + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWildcard);
}
