import { AppError } from '../../domain/app-error.ts';

/** An answer whose body was not read yet. */
export interface RawAnswer {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Value of Content-Type, when there is one. */
  readonly contentType: string | undefined;
}

/** All bytes of a body. @throws whatever reading the body throws, and answer_too_large above `maxBytes`. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  tooLarge?: { readonly maxBytes: number; readonly error: () => AppError },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (tooLarge !== undefined && bytes > tooLarge.maxBytes) throw tooLarge.error();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/**
 * Reads an answer that must be JSON.
 * @throws AppError `permanent` answer_html for a web page (a sign-in page, a proxy, a wrong address), `permanent`
 * answer_not_json for anything else that does not claim to be JSON, `transient` answer_truncated for JSON that
 * breaks off or does not parse.
 */
export async function readJson(answer: RawAnswer, instance: string): Promise<unknown> {
  const type = (answer.contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(type)) {
    await answer.body?.cancel();
    throw type === 'text/html' || type === 'application/xhtml+xml'
      ? htmlAnswer(instance)
      : notJson(instance, type);
  }
  const text = new TextDecoder().decode(await readBytes(answer.body));
  try {
    return parseJson(text);
  } catch {
    // The parser's message quotes the text, which may be anything: it is not kept, not even as a cause.
    throw new AppError({
      kind: 'transient',
      code: 'answer_truncated',
      message: `An answer of instance ${instance} broke off or is no valid JSON; the call will be tried again.`,
      details: { instance, characters: text.length },
    });
  }
}

/**
 * Parses JSON with whole numbers beyond 2^53 kept exact, as strings: GitHub's delivery ids are that large, and a
 * rounded id names something else.
 */
function parseJson(text: string): unknown {
  return /[0-9]{16}/.test(text) ? Reflect.apply(JSON.parse, JSON, [text, keepExact]) : JSON.parse(text);
}

/** A reviver; its third argument carries the source text (ECMAScript proposal, in V8 since Node 21). */
function keepExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? (context?.source ?? value) : value;
}

/** A web page where data was expected: how sign-in pages and proxies answer, often with status 200 or 203. */
export function htmlAnswer(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'answer_html',
    message:
      `Instance ${instance} answered a web page instead of data. Check apiUrl of the instance, that its ` +
      'credential is valid, and that no sign-in page or proxy stands in between.',
    details: { instance },
  });
}

function notJson(instance: string, type: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'answer_not_json',
    message: `Instance ${instance} answered something that is not JSON. Check apiUrl of the instance.`,
    details: { instance, contentType: type.slice(0, 80) },
  });
}
