import type { Finding } from '../../../shared/domain/finding.ts';
import type { ChangedFile, PullRequest } from '../../../shared/domain/pull-request.ts';
import type { Thread } from '../../../shared/domain/thread.ts';
import type { Logger } from '../../../shared/observability/ports.ts';
import type { PlacedFinding } from '../../../shared/review/anchor-findings.ts';

export const silentLog: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };

export function aFinding(patch: Partial<Finding> = {}): Finding {
  return {
    path: 'src/a.ts',
    line: 10,
    side: 'new',
    severity: 'high',
    category: 'correctness',
    title: 'The total is rounded twice',
    body: 'Rounding the parts and the sum loses a cent for three thirds.',
    evidence: 'const total = round(sum(parts.map(round)));',
    suggestion: null,
    ...patch,
  };
}

export function aFile(patch: Partial<ChangedFile> = {}): ChangedFile {
  return { path: 'src/a.ts', change: 'modified', additions: 1, deletions: 0, ...patch };
}

export function aThread(body: string, patch: Partial<Thread> = {}): Thread {
  return {
    id: 'thread-1',
    path: 'src/a.ts',
    line: 10,
    side: 'new',
    isResolved: false,
    isOutdated: false,
    comments: [
      {
        id: 'comment-1',
        author: { id: '5', login: 'someone', isBot: false },
        body,
        createdAt: 1_700_000_000_000,
      },
    ],
    ...patch,
  };
}

export function aPullRequest(patch: Partial<PullRequest> = {}): PullRequest {
  return {
    ref: { provider: 'github', instance: 'github', repositoryId: '1', number: 7, repository: 'o/r' },
    title: 'Round once',
    description: '',
    state: 'open',
    isDraft: false,
    author: { id: '2', login: 'dev', isBot: false },
    isFork: false,
    headSha: 'a'.repeat(40),
    headRef: 'topic',
    baseSha: 'b'.repeat(40),
    baseRef: 'main',
    mergeBaseSha: 'b'.repeat(40),
    changedFiles: 1,
    webUrl: 'http://localhost/o/r/pull/7',
    ...patch,
  };
}

/** A finding on the line it claims, or on its file without one. */
export function aPlaced(patch: Partial<Finding> = {}, rest: Partial<PlacedFinding> = {}): PlacedFinding {
  const finding = aFinding(patch);
  const { path, side, line } = finding;
  const anchor = { path, side, corrected: false };
  return {
    finding,
    anchor: line === null ? { ...anchor, kind: 'file' } : { ...anchor, kind: 'line', line },
    fingerprint: `print of ${path}:${line} ${finding.title}`,
    reason: line === null ? 'whole_file' : 'claimed',
    isEvidenceFound: true,
    evidenceLine: line ?? undefined,
    anchored:
      line === null
        ? undefined
        : { lines: finding.evidence.split('\n'), before: undefined, after: undefined },
    ...rest,
  };
}
