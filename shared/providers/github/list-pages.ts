import { AppError } from '../../domain/app-error.ts';
import type { OctokitReader } from './octokit-pair.ts';
import type { Parameters } from './session.ts';

export interface ListOptions<Item> {
  readonly instance: string;
  /** Name of the list where an object wraps it. */
  readonly key: string | undefined;
  readonly parse: (value: unknown) => Item;
  /** True when nothing after this page is of interest. */
  readonly isLastPage: ((items: Item[]) => boolean) | undefined;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 1000;

/**
 * Every item of a listing that pages by Link header. An empty page does not end it, a missing link does; a link
 * that was followed before, and a page that repeats the one before, end it as an error.
 *
 * The loop is our own: @octokit/plugin-paginate-rest 16.0.0 answers an empty list for a status 409 and for a body
 * of `null`, and an empty list read back after a write means that the write is made again.
 */
export async function listPages<Item>(
  reader: OctokitReader,
  route: string,
  parameters: Parameters,
  { instance, key, parse, isLastPage }: ListOptions<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  const followed = new Set<string>();
  let previous = '';
  let response = await reader.request(route, { per_page: PAGE_SIZE, ...parameters });
  for (;;) {
    const page = readPage(response.data, key, instance);
    const text = JSON.stringify(page);
    if (page.length > 0 && text === previous) throw repeats(instance);
    previous = text;
    const parsed = page.map(parse);
    items.push(...parsed);
    const link = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.link ?? '')?.[1];
    if (link === undefined || isLastPage?.(parsed) === true) return items;
    if (followed.has(link) || followed.size >= MAX_PAGES) throw repeats(instance);
    followed.add(link);
    response = await reader.request({ method: 'GET', url: link, baseUrl: new URL(link).origin });
  }
}

function readPage(data: unknown, key: string | undefined, instance: string): unknown[] {
  const list: unknown =
    key !== undefined && typeof data === 'object' && data !== null && !Array.isArray(data)
      ? Reflect.get(data, key)
      : data;
  if (Array.isArray(list)) return list;
  throw new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message: `Instance ${instance} answered a listing that is no list. Check apiUrl of the instance.`,
    details: { instance },
  });
}

function repeats(instance: string): AppError {
  return new AppError({
    kind: 'transient',
    code: 'page_repeated',
    message: `Instance ${instance} answered the same page twice; the listing will be read again.`,
    details: { instance },
  });
}
