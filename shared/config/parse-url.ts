const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Why an address is not taken; none of it repeats the address, which may hold credentials. */
export type UrlProblem = 'not_a_url' | 'has_credentials' | 'needs_https';

/**
 * An address of a service we connect to: https, or http to loopback outside Azure (a local stand-in).
 * Threat: a setting that sends tokens over a plain connection, or to a neighbour on the same host in Azure.
 */
export function parseServiceUrl(text: string, isInAzure: boolean): URL | UrlProblem {
  const url = URL.parse(text);
  if (url === null) return 'not_a_url';
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname) && !isInAzure) return url;
  return 'needs_https';
}

/** True for an http or https address of this machine. */
export function isLoopback(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && LOOPBACK.has(url.hostname);
}

export const URL_ADVICE: Readonly<Record<UrlProblem, string>> = {
  not_a_url: 'Write an absolute address such as https://host.',
  has_credentials: 'Take the user name and password out of the address.',
  needs_https: 'Use https (http only to loopback, never in Azure).',
};
