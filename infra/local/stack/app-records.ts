import { z } from 'zod';
import type { HostLogEntry } from '../host/host-log.ts';

const Record = z.looseObject({ time: z.string(), level: z.string(), event: z.string() });

/** One line the app logged: a static event name and its fields. */
export type AppRecord = z.infer<typeof Record>;

/** The app's own records among what the host logged, in order; other lines are left out. */
export function appRecords(logs: readonly HostLogEntry[]): AppRecord[] {
  return logs.flatMap((entry) => {
    if (entry.category !== 'user' || !entry.message.startsWith('{')) return [];
    const parsed = Record.safeParse(parseJson(entry.message));
    return parsed.success ? [parsed.data] : [];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
