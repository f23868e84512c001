export interface IdSource {
  /** Above 2^32, as GitHub's comment ids are: a 32-bit column or `| 0` breaks at once. */
  next(): number;
  /** For accounts: their `databaseId` is a 32-bit Int in GraphQL, and larger ones make a query for an author fail. */
  account(): number;
  /** Opaque global id of one object. */
  node(prefix: string, id: number): string;
}

export function createIds(): IdSource {
  let last = 4_300_000_000;
  let lastAccount = 41_000_000;
  return {
    next: () => {
      last += 17;
      return last;
    },
    account: () => {
      lastAccount += 13;
      return lastAccount;
    },
    node: (prefix, id) => `${prefix}_kwDO${Buffer.from(`sim${id.toString(36)}`).toString('base64url')}`,
  };
}
