import type { SimulatorReply, SimulatorRequest } from '../../http/exchange.ts';
import type { SimRepository } from '../state/model.ts';

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

function positive(text: string | null, fallback: number): number {
  const value = Number(text ?? '');
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

/** `page` from 1 and `per_page` 1 to 100, default 30; nonsense falls back to the defaults. */
export function readPage(request: SimulatorRequest): Page {
  return {
    page: positive(request.query.get('page'), 1),
    perPage: Math.min(100, positive(request.query.get('per_page'), 30)),
  };
}

/** The Link header of one page; undefined when there is only one. */
function linkHeader(request: SimulatorRequest, path: string, page: Page, last: number): string | undefined {
  if (last <= 1) return undefined;
  const link = (number: number, rel: string): string => {
    const query = new URLSearchParams(request.query);
    query.set('page', String(number));
    return `<${request.origin}${request.prefix}${path}?${query.toString()}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (page.page > 1) links.push(link(Math.min(page.page - 1, last), 'prev'));
  if (page.page < last) links.push(link(page.page + 1, 'next'), link(last, 'last'));
  if (page.page > 1) links.push(link(1, 'first'));
  return links.join(', ');
}

/**
 * Answers one page of `items`. As on GitHub, the links name the repository by its id
 * (`/repositories/<id>/...`) and not by the path that was asked.
 */
export function pageReply<T>(
  request: SimulatorRequest,
  repository: SimRepository | undefined,
  items: readonly T[],
  render: (item: T) => unknown,
): SimulatorReply {
  const page = readPage(request);
  const last = Math.ceil(items.length / page.perPage);
  const path =
    repository === undefined
      ? request.path
      : request.path.replace(/^\/repos\/[^/]+\/[^/]+/, `/repositories/${repository.id}`);
  const link = linkHeader(request, path, page, last);
  const from = (page.page - 1) * page.perPage;
  return {
    status: 200,
    ...(link === undefined ? {} : { headers: { link } }),
    json: items.slice(from, from + page.perPage).map(render),
  };
}
