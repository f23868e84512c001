import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** When a timer ran and is due, ISO 8601; the real host keeps the same in a blob. */
const timerStatus = z.object({ Last: z.string(), Next: z.string(), LastUpdated: z.string() });
export type TimerStatus = z.infer<typeof timerStatus>;

export interface TimerStatusStore {
  read(functionName: string): Promise<TimerStatus | undefined>;
  write(functionName: string, status: TimerStatus): Promise<void>;
}

/** Keeps one JSON file for each timer in `directory`, so that a run missed while the host was down is noticed. */
export function createTimerStatusStore(directory: string): TimerStatusStore {
  const file = (name: string): string => path.join(directory, `${name}.timer.json`);
  return {
    read: async (name) => {
      try {
        return timerStatus.parse(JSON.parse(await readFile(file(name), 'utf8')));
      } catch {
        // Missing or unreadable: as if the timer had never run.
        return undefined;
      }
    },
    write: async (name, status) => {
      await mkdir(directory, { recursive: true });
      await writeFile(`${file(name)}.new`, JSON.stringify(status));
      await rename(`${file(name)}.new`, file(name));
    },
  };
}
