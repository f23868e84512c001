import { z } from 'zod';

/** A registered function as shown to people: its trigger and what identifies it there. */
export const functionSummary = z.object({
  name: z.string(),
  trigger: z.enum(['http', 'queue', 'timer']),
  /** Without the prefix. */
  route: z.string().optional(),
  methods: z.array(z.string()).optional(),
  queueName: z.string().optional(),
  schedule: z.string().optional(),
});
export type FunctionSummary = z.infer<typeof functionSummary>;

/** The one line that the command prints on stdout when the app is served. */
export const readyLine = z.object({
  url: z.string(),
  functions: z.array(functionSummary),
  keys: z.object({ master: z.string(), host: z.string(), functions: z.record(z.string(), z.string()) }),
});
