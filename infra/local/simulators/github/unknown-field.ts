/** A body carried a field that the endpoint does not have; GitHub ignores it, a test may not want to. */
export interface UnknownField {
  readonly requestId: number;
  readonly method: string;
  readonly path: string;
  /** Dotted, e.g. `comments.0.subject_type`. */
  readonly field: string;
}
