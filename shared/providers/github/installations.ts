import { z } from 'zod';
import type { GitHubClient } from './github-client.ts';

const Installation = z.object({ id: z.number(), suspended_at: z.string().nullish() });

/** Ids of the App's installations that are not suspended. */
export async function listInstallations(client: GitHubClient): Promise<number[]> {
  const all = await client.self.list('/app/installations', {}, Installation);
  return all.filter((one) => typeof one.suspended_at !== 'string').map((one) => one.id);
}
