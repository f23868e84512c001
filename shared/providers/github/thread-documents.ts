/** GraphQL documents about review threads, checked in tests against GitHub's published schema. */

/** `databaseId` of accounts fits in an Int; comments have outgrown theirs, so those use `fullDatabaseId`. */
const ACTOR_FIELDS = `
  type: __typename
  login
  ... on User { databaseId }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
  ... on Organization { databaseId }
`;

export const COMMENT_FIELDS = `
  id
  fullDatabaseId
  state
  body
  url
  createdAt
  lastEditedAt
  author { ${ACTOR_FIELDS} }
  reactionGroups { content reactors { totalCount } }
`;

export const THREADS_QUERY = `
  query Threads($owner: String!, $repo: String!, $number: Int!, $cursor: String) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        reviewThreads(first: 50, after: $cursor) {
          pageInfo { hasNextPage endCursor }
          nodes {
            id
            isResolved
            isOutdated
            resolvedBy { type: __typename login databaseId }
            path
            line
            startLine
            diffSide
            subjectType
            comments(first: 50) {
              pageInfo { hasNextPage endCursor }
              nodes { ${COMMENT_FIELDS} }
            }
          }
        }
      }
    }
  }
`;

/** The comments of one thread after the first page. */
export const MORE_COMMENTS_QUERY = `
  query MoreComments($threadId: ID!, $cursor: String) {
    node(id: $threadId) {
      ... on PullRequestReviewThread {
        comments(first: 100, after: $cursor) {
          pageInfo { hasNextPage endCursor }
          nodes { ${COMMENT_FIELDS} }
        }
      }
    }
  }
`;

/** The threads opened last, to find the one of a comment just posted. */
export const NEWEST_THREADS_QUERY = `
  query NewestThreads($owner: String!, $repo: String!, $number: Int!) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        reviewThreads(last: 50) {
          nodes { id comments(first: 1) { nodes { fullDatabaseId } } }
        }
      }
    }
  }
`;

export const THREAD_QUERY = `
  query Thread($threadId: ID!) {
    node(id: $threadId) {
      ... on PullRequestReviewThread {
        isResolved
        pullRequest { number repository { nameWithOwner } }
        comments(first: 1) { nodes { fullDatabaseId } }
      }
    }
  }
`;

export const RESOLVE_MUTATION = `
  mutation Resolve($threadId: ID!) {
    changed: resolveReviewThread(input: { threadId: $threadId }) { thread { isResolved } }
  }
`;

export const UNRESOLVE_MUTATION = `
  mutation Unresolve($threadId: ID!) {
    changed: unresolveReviewThread(input: { threadId: $threadId }) { thread { isResolved } }
  }
`;
