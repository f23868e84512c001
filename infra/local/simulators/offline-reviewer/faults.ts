/** Ways in which one request goes wrong. */
export const FAULTS = [
  'rate_limited', // 429 with retry-after: 1
  'overloaded', // 529
  'server_error', // 500
  'stall', // headers and half a body, then silence
  'cut', // half a body, then the connection closes
  'html', // 200 with a web page
  'nonsense', // 200, a message whose text is no answer
  'half_json', // 200, a message whose text is half of the answer
  'refusal', // stop_reason refusal
  'max_tokens', // stop_reason max_tokens, with half of the answer
] as const;
export type Fault = (typeof FAULTS)[number];

export function isFault(text: string): text is Fault {
  return FAULTS.some((fault) => fault === text);
}
