import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Secret } from '../../../shared/config/secret.ts';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import { PROJECT_ROOT } from '../../run/run-tool.ts';

const Manifest = z.strictObject({
  name: z.string(),
  description: z.string(),
  url: z.string(),
  redirect_url: z.string(),
  public: z.literal(false),
  hook_attributes: z.strictObject({ url: z.string(), active: z.literal(true) }),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
});

const read = (path: string): Promise<string> => readFile(join(PROJECT_ROOT, path), 'utf8');
const manifest = Manifest.parse(JSON.parse(await read('infra/ops/github-app-manifest.json')));

/**
 * What an App needs for each path of the GitHub adapter (REST documentation, "Permissions required for GitHub
 * Apps"); undefined where the App's own key or any token is enough, or where only personal tokens call it.
 */
const NEEDED: readonly (readonly [RegExp, string | undefined])[] = [
  [/^\/(app|user|users|installation|api)\b/, undefined],
  [/\/installation$/, undefined],
  [/\/(check-runs)\b/, 'checks'],
  [/\/statuses\b/, undefined],
  [/\/(compare|git|tarball)\//, 'contents'],
  // Comments of pull requests: "Issues" or "Pull requests".
  [/\/pulls\b|\/issues\/|reactions$/, 'pull_requests'],
  [/\/collaborators\/|^\/repos\/\{owner\}\/\{repo\}$|^\/repositories\/\{repositoryId\}$/, 'metadata'],
];

async function adapterSource(): Promise<string> {
  const folder = 'shared/providers/github';
  const names = (await readdir(join(PROJECT_ROOT, folder))).filter((name) => name.endsWith('.ts'));
  return (await Promise.all(names.map((name) => read(`${folder}/${name}`)))).join('\n');
}

describe('the manifest of the GitHub App', () => {
  it('asks for what the calls of the adapter need, and no more', async () => {
    const source = await adapterSource();
    const paths = [...source.matchAll(/['`](?:(?:GET|POST|PUT|PATCH|DELETE) )?(\/[a-z][^'`\s]*)['`]/g)].map(
      ([, path]) => path ?? '',
    );
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter((path) => !NEEDED.some(([pattern]) => pattern.test(path)))).toEqual([]);
    const needed = paths.flatMap((path) => NEEDED.find(([pattern]) => pattern.test(path))?.[1] ?? []);
    // Issues is no call's: GitHub refuses a manifest that asks for `issue_comment` without it.
    expect(Object.keys(manifest.default_permissions).toSorted()).toEqual(
      [...new Set([...needed, 'issues'])].toSorted(),
    );
    expect(manifest.default_permissions).toEqual({
      metadata: 'read',
      contents: 'read',
      issues: 'read',
      pull_requests: 'write',
      checks: 'write',
    });
    // Nothing in contents is ever written: git data is only read.
    expect(source).not.toMatch(
      /(POST|PUT|PATCH|DELETE) \/repos\/\{owner\}\/\{repo\}\/(contents|git|merges)\b/,
    );
  });

  it('subscribes to exactly the events that the webhook source reads', async () => {
    const source = await read('shared/providers/github/webhook-source.ts');
    const cases = [...source.matchAll(/case '(\w+)':/g)].map(([, name]) => name ?? '');
    // GitHub sends `ping` by itself.
    expect(manifest.default_events.toSorted()).toEqual(cases.filter((name) => name !== 'ping').toSorted());
    const events = createGitHubWebhookSource({
      id: 'github',
      provider: 'github',
      webUrl: new URL('https://github.com'),
      apiUrl: new URL('https://api.github.com'),
      archiveHosts: [],
      repositories: ['acme/*'],
      credential: undefined,
      webhookSecrets: [{ value: new Secret('s') }],
    });
    const body = new TextEncoder().encode('{}');
    for (const name of manifest.default_events)
      expect(() => events.read({ 'x-github-event': name }, body), name).toThrow('The payload lacks');
    expect(events.read({ 'x-github-event': 'push' }, body).request.kind).toBe('ignore');
  });

  it('leads deliveries to the route of an instance', async () => {
    expect(manifest.hook_attributes.url).toBe('https://<app>/webhooks/<id of the instance>');
    expect(await read('functions/webhook.ts')).toContain("route: 'webhooks/{instance}'");
  });

  it('is what the document says', async () => {
    const page = await read('docs/setup-github.md');
    const rows = [
      ...page.matchAll(/^\| (Metadata|Contents|Issues|Pull requests|Checks) +\| (Read(?: & write)?)/gm),
    ];
    const said = rows.map(([, name, access]) => [
      name?.toLowerCase().replace(' ', '_'),
      access === 'Read' ? 'read' : 'write',
    ]);
    expect(Object.fromEntries(said)).toEqual(manifest.default_permissions);
    for (const event of manifest.default_events) expect(page).toContain(`\`${event}\``);
  });
});
