import { TypedGraphqlError } from './errors.ts';

export interface ConnectionArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

const MAX_PAGE = 100;

function encodeCursor(id: string): string {
  return Buffer.from(`cursor:v2:${id}`).toString('base64');
}

function checkBounds(field: string, args: ConnectionArguments): void {
  const { first, last } = args;
  if ((first ?? undefined) === undefined && (last ?? undefined) === undefined) {
    throw new TypedGraphqlError(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${field}\` connection.`,
    );
  }
  for (const [name, value] of [
    ['first', first],
    ['last', last],
  ] as const) {
    if (typeof value === 'number' && value > MAX_PAGE) {
      throw new TypedGraphqlError(
        'EXCESSIVE_PAGINATION',
        `Requesting ${value} records on the \`${field}\` connection exceeds the \`${name}\` limit of ${MAX_PAGE} records.`,
      );
    }
  }
}

/** One page of `items` as a connection. Cursors name items, so that a page stays put when others come or go. */
export function connection<T>(
  field: string,
  items: readonly T[],
  args: ConnectionArguments,
  idOf: (item: T) => string,
  render: (item: T) => unknown,
): Record<string, unknown> {
  checkBounds(field, args);
  const cursors = items.map((item) => encodeCursor(idOf(item)));
  const after = typeof args.after === 'string' ? cursors.indexOf(args.after) + 1 : 0;
  const beforeAt = typeof args.before === 'string' ? cursors.indexOf(args.before) : -1;
  let from = after;
  let to = beforeAt < 0 ? items.length : beforeAt;
  if (typeof args.first === 'number') to = Math.min(to, from + args.first);
  else if (typeof args.last === 'number') from = Math.max(from, to - args.last);
  const page = items.slice(from, to);
  const nodes = page.map(render);
  return {
    totalCount: items.length,
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[from + index] })),
    pageInfo: {
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
      startCursor: cursors[from] ?? null,
      endCursor: page.length === 0 ? null : cursors[to - 1],
    },
  };
}
