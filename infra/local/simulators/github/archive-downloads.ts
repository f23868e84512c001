import { randomBytes } from 'node:crypto';
import type { SimulatorHandler } from '../http/exchange.ts';
import type { ArchiveFormat } from '../git/archive.ts';
import type { SimRepository } from './state/model.ts';
import type { GitHubState } from './state/state.ts';

interface Ticket {
  readonly repository: SimRepository;
  readonly commit: string;
  readonly format: ArchiveFormat;
  readonly expiresAt: number;
}

/** Links to archives on the download host: signed by a token in the address, valid for five minutes. */
export interface ArchiveDownloads {
  /** Path and query of the link. */
  createLink(repository: SimRepository, commit: string, format: ArchiveFormat): string;
  readonly handle: SimulatorHandler;
  /** Requests that carried a credential: a client that follows the redirect must not forward its own. */
  forwardedCredentials(): number;
}

const LINK_LIFE_MS = 5 * 60 * 1000;

export function createArchiveDownloads(state: GitHubState): ArchiveDownloads {
  const tickets = new Map<string, Ticket>();
  let forwarded = 0;
  return {
    createLink(repository, commit, format) {
      const token = randomBytes(16).toString('hex').toUpperCase();
      tickets.set(token, { repository, commit, format, expiresAt: state.now() + LINK_LIFE_MS });
      const kind = format === 'zip' ? 'legacy.zip' : 'legacy.tar.gz';
      return `/${repository.fullName}/${kind}/${commit}?token=${token}`;
    },
    forwardedCredentials: () => forwarded,
    handle(request) {
      if (request.headers.authorization !== undefined || request.headers.cookie !== undefined) {
        forwarded += 1;
        return { status: 400, text: '400: Bad request: credentials do not belong on this host' };
      }
      const ticket = tickets.get(request.query.get('token') ?? '');
      const { owner = '', name = '', ref = '' } = request.params;
      const isValid =
        ticket !== undefined &&
        ticket.expiresAt > state.now() &&
        ticket.repository.fullName === `${owner}/${name}` &&
        ticket.commit === ref;
      if (!isValid) return { status: 404, text: '404: Not Found' };
      const { repository, commit, format } = ticket;
      const top = `${repository.owner.login}-${repository.name}-${commit.slice(0, 7)}`;
      const archive = repository.git.archive(commit, format, `${top}/`);
      archive.stream.on('close', () => archive.stop());
      return {
        status: 200,
        headers: {
          'content-type': format === 'zip' ? 'application/zip' : 'application/x-gzip',
          'content-disposition': `attachment; filename=${top}.${format}`,
        },
        stream: archive.stream,
      };
    },
  };
}
