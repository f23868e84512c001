/** Commands in a comment that act on the session itself and not on the code. */
export const CONTROL_COMMANDS = ['stop', 'pause', 'resume'] as const;
export type ControlCommand = (typeof CONTROL_COMMANDS)[number];

/**
 * The control command a comment consists of: its first line that is not blank is `/review stop`, `/review pause`
 * or `/review resume`. Quoted text and code never match, since the line must begin with the slash. Whether its
 * author may say so is asked of the provider by the worker.
 */
export function readControlCommand(text: string): ControlCommand | undefined {
  const line = text.split('\n', 50).find((candidate) => candidate.trim() !== '');
  const word = /^\/review[ \t]+(stop|pause|resume)[ \t]*\r?$/i.exec(line ?? '')?.[1]?.toLowerCase();
  return CONTROL_COMMANDS.find((command) => command === word);
}

/**
 * True when a body's first line is one of our markers. Anyone can paste one, and only makes Gatehouse overlook
 * the pasting comment; so no key is needed here.
 */
export function hasOwnMarker(text: string): boolean {
  return /^<!-- gatehouse:[0-9a-f]{24} -->[ \t]*\r?(?:\n|$)/.test(text);
}
