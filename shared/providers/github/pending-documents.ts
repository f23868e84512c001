/** GraphQL documents about pending reviews, checked in tests against GitHub's published schema. */

export const PENDING_REVIEW_QUERY = `
  query PendingReview($owner: String!, $repo: String!, $number: Int!) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        id
        reviews(first: 10, states: [PENDING]) {
          nodes { id body viewerDidAuthor commit { oid } }
        }
      }
    }
  }
`;

export const CREATE_REVIEW_MUTATION = `
  mutation CreatePendingReview($pullRequestId: ID!, $commit: GitObjectID!, $body: String!) {
    done: addPullRequestReview(input: { pullRequestId: $pullRequestId, commitOID: $commit, body: $body }) {
      written: pullRequestReview { id state }
    }
  }
`;

export const ADD_THREAD_MUTATION = `
  mutation AddPendingThread($thread: AddPullRequestReviewThreadInput!) {
    done: addPullRequestReviewThread(input: $thread) {
      written: thread { comments(first: 1) { nodes { id state } } }
    }
  }
`;

export const EDIT_COMMENT_MUTATION = `
  mutation EditPendingComment($commentId: ID!, $body: String!) {
    done: updatePullRequestReviewComment(input: { pullRequestReviewCommentId: $commentId, body: $body }) {
      written: pullRequestReviewComment { id state }
    }
  }
`;

export const DELETE_COMMENT_MUTATION = `
  mutation DeletePendingComment($commentId: ID!) {
    deletePullRequestReviewComment(input: { id: $commentId }) { clientMutationId }
  }
`;

export const SUBMIT_REVIEW_MUTATION = `
  mutation SubmitPendingReview($reviewId: ID!, $event: PullRequestReviewEvent!, $body: String!) {
    done: submitPullRequestReview(input: { pullRequestReviewId: $reviewId, event: $event, body: $body }) {
      written: pullRequestReview { fullDatabaseId url state }
    }
  }
`;

export const DISCARD_REVIEW_MUTATION = `
  mutation DiscardPendingReview($reviewId: ID!) {
    deletePullRequestReview(input: { pullRequestReviewId: $reviewId }) { clientMutationId }
  }
`;

/** What a node id of a review or comment really names, asked before it is changed. */
export const PENDING_NODE_QUERY = `
  query PendingNode($id: ID!) {
    node(id: $id) {
      ... on PullRequestReview { reviewState: state viewerDidAuthor pullRequest { number repository { nameWithOwner } } }
      ... on PullRequestReviewComment { commentState: state viewerDidAuthor pullRequest { number repository { nameWithOwner } } }
    }
  }
`;
