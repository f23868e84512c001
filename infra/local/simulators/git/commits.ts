export interface GitPerson {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 in UTC, to the second. */
  readonly date: string;
}

export interface GitCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: GitPerson;
  readonly committer: GitPerson;
  /** Without its final line feed. */
  readonly message: string;
}

function parsePerson(text: string): GitPerson {
  const match = /^(.*?) ?<([^>]*)> (-?\d+)/.exec(text);
  const seconds = Number(match?.[3] ?? 0);
  return {
    name: match?.[1] ?? '',
    email: match?.[2] ?? '',
    date: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`,
  };
}

/** Parses a commit object as `git cat-file` prints it. */
export function parseCommit(sha: string, content: Buffer): GitCommit {
  const text = content.toString('utf8');
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const values = (name: string): string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return {
    sha,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: parsePerson(values('author')[0] ?? ''),
    committer: parsePerson(values('committer')[0] ?? ''),
    message: end < 0 ? '' : text.slice(end + 2).replace(/\n$/, ''),
  };
}
