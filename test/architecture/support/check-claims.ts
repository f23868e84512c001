import { posix } from 'node:path';
import { SETTINGS } from '../../../shared/config/settings-table.ts';
import { claimsOf, type Claim } from './document-claims.ts';

/** What really exists. */
export interface Facts {
  /** Every file, relative to the top folder. */
  readonly files: readonly string[];
  readonly scripts: readonly string[];
  /** Headings of each Markdown file, as GitHub makes anchors of them. */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Settings of the platform that documents may name. */
const PLATFORM_SETTINGS = /^WEBSITE_[A-Z_]+$/;

/** One sentence for everything the document `path` claims and that does not exist. */
export function documentProblems(path: string, markdown: string, facts: Facts): string[] {
  return claimsOf(markdown)
    .filter((claim) => !holds(path, claim, facts))
    .map((claim) => `${path}:${claim.line}: there is no ${claim.kind} ${claim.text}`);
}

function holds(path: string, claim: Claim, facts: Facts): boolean {
  switch (claim.kind) {
    case 'link':
      return isOutside(claim.text) || linkHolds(path, claim.text, facts);
    case 'path':
      return pathExists(claim.text, facts);
    case 'file-name':
      return facts.files.some((file) => posix.basename(file) === claim.text) || isGenerated(claim.text);
    case 'script':
      return facts.scripts.includes(claim.text);
    case 'setting': {
      const base = claim.text.replace(/__(<ID>|[A-Z0-9_]+)$/, '');
      const isKnown = SETTINGS.some(
        ({ name, isPerInstance }) => name === claim.text || (name === base && isPerInstance === true),
      );
      return isKnown || PLATFORM_SETTINGS.test(claim.text);
    }
  }
}

function isOutside(target: string): boolean {
  return /^[a-z]+:/.test(target);
}

function linkHolds(path: string, target: string, facts: Facts): boolean {
  const [file = '', anchor] = target.split('#');
  const absolute = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
  if (!pathExists(absolute, facts)) return false;
  return anchor === undefined || facts.anchors.get(absolute)?.has(anchor) === true;
}

/** A file, or a folder that holds one. What follows a `*` or a `<placeholder>` is not looked at. */
function pathExists(path: string, facts: Facts): boolean {
  const pattern = /^[^*<{]*/.exec(path)?.[0] ?? '';
  if (pattern !== path) return facts.files.some((file) => file.startsWith(pattern));
  const clean = path.replace(/[/.]+$/, '');
  return facts.files.some((file) => file === clean || file.startsWith(`${clean}/`));
}

/** Files that a person or a build makes and git ignores. */
function isGenerated(name: string): boolean {
  return name === 'local.settings.json' || name === 'build-info.json';
}

/** Anchors of a Markdown text: headings in lower case, punctuation dropped, spaces as dashes. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading]) => heading ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
