// Without white space, brackets, escapes and entities, which renderers read in different ways, and up to the end of
// the link: a title would be hidden text.
const DESTINATION = /[\w./?#=%:+~,@!-]*(?=\))/y;
// Where there is no link after all, the address is plain text.
const LIVE_TEXT = /(?<![A-Za-z0-9])@|[#!]\d|GH-\d/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
// A link to an issue or a request makes the provider tell everybody there.
const REFERENCE_PATH =
  /\/(?:issues|pull|pulls|merge_requests|work_items|workitems|_workitems|pullrequest|discussions|commit|epics)(?:\/|\?).*\d/i;

/**
 * The link destination at `at`, when it is plainly a relative one or an http(s) address of an allowed host;
 * undefined otherwise.
 */
export function readDestination(
  text: string,
  at: number,
  allowedHosts: ReadonlySet<string>,
): string | undefined {
  const pattern = new RegExp(DESTINATION);
  pattern.lastIndex = at;
  const destination = pattern.exec(text)?.[0];
  if (destination === undefined || destination.startsWith('//') || LIVE_TEXT.test(destination))
    return undefined;
  if (!SCHEME.test(destination)) return destination;
  const url = URL.canParse(destination) ? new URL(destination) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return allowedHosts.has(url.hostname) && !isReferenceUrl(destination) ? destination : undefined;
}

/** True for the address of an issue, a pull request, a work item or a commit. */
export function isReferenceUrl(url: string): boolean {
  return REFERENCE_PATH.test(url);
}
