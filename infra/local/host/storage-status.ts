/** HTTP status of an error that the storage SDK threw; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/**
 * The message was taken over by someone else (400 PopReceiptMismatch), or it or its queue is gone (404, 409).
 * The host leaves such messages alone (azure-sdk-for-net, QueueProcessor).
 */
export function isMessageGone(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 404 || status === 409) return true;
  return (
    status === 400 &&
    error instanceof Error &&
    'code' in error &&
    (error.code === 'PopReceiptMismatch' || error.code === 'PopReceiptMisMatch')
  );
}
