import { AppError } from '../../domain/app-error.ts';

export interface LimitedBodyOptions {
  readonly instance: string;
  readonly maxBytes: number;
  /** Called when the last byte was read, reading failed, or the reader gave up; more than once does no harm. */
  readonly onEnd: () => void;
  /** What a failure of the source becomes. */
  readonly translate: (error: unknown) => unknown;
}

/**
 * The same bytes, counted as they are read, after decompression: neither a lying Content-Length nor a small
 * compressed body that grows can pass. Past the cap the source is cancelled and the reader gets
 * AppError `permanent` answer_too_large.
 */
export function limitBody(
  source: ReadableStream<Uint8Array>,
  options: LimitedBodyOptions,
): ReadableStream<Uint8Array> {
  const { instance, maxBytes, onEnd, translate } = options;
  const reader = source.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            onEnd();
            controller.close();
            return;
          }
          bytes += value.byteLength;
          if (bytes <= maxBytes) {
            controller.enqueue(value);
            return;
          }
          onEnd();
          const error = tooLarge(instance, maxBytes);
          controller.error(error);
          await reader.cancel(error);
        } catch (error) {
          onEnd();
          controller.error(translate(error));
        }
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function tooLarge(instance: string, maxBytes: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'answer_too_large',
    message: `An answer of instance ${instance} was larger than the ${maxBytes} bytes that are read.`,
    details: { instance, maxBytes },
  });
}
