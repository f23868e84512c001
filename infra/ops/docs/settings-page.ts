import { SETTINGS, type Setting } from '../../../shared/config/settings-table.ts';

const GROUPS: readonly (readonly [title: string, isMember: (name: string) => boolean])[] = [
  ['Storage', (name) => name.startsWith('GATEHOUSE_STORAGE')],
  ['Providers', (name) => name === 'GATEHOUSE_INSTANCES' || /^(GITHUB|AZURE_DEVOPS|GITLAB)_/.test(name)],
  ['Model', (name) => /^(ANTHROPIC|FOUNDRY|MODEL)_/.test(name)],
  ['Product', () => true],
];

const EXAMPLE = [
  {
    id: 'github',
    provider: 'github',
    webUrl: 'https://github.com',
    apiUrl: 'https://api.github.com',
    archiveHosts: ['codeload.github.com'],
    repositories: ['acme/*'],
  },
];

/** The text of docs/settings.md, made from the settings table. */
export function settingsPage(): string {
  const rest = [...SETTINGS];
  const sections = GROUPS.map(([title, isMember]) => {
    const members = rest.filter(({ name }) => isMember(name));
    for (const member of members) rest.splice(rest.indexOf(member), 1);
    return `## ${title}\n\n${members.map(entry).join('\n')}`;
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `# Settings

<!-- Written by \`npm run docs:generate\` from shared/config/settings-table.ts: change that file, not this one. -->

Settings are environment variables. None is checked at start-up: one that is missing or wrong closes what it governs, and \`/health\` names it, never its value. A setting whose name begins with \`GATEHOUSE_\` and is not listed here stops all writes until it is corrected, because it may be a misspelt stop switch or limit.

Secrets have no defaults. A setting that is a list of secrets is read as a JSON list of texts, a JSON list of \`{"value": "...", "repositories": ["acme/*"]}\`, or texts separated by commas; every entry is accepted, so a secret is rotated by adding the new one before the old one is removed. With \`repositories\` a secret vouches only for events of those repositories.

The first instance of a provider reads the plain names. Every further one reads the names with its id in capitals as a suffix, dashes as underscores: the token of a second GitHub instance with the id \`east-1\` is \`GITHUB_TOKEN__EAST_1\`. The first may use its suffixed names too.

Addresses use https; http is accepted to loopback only, and never in Azure.

\`GATEHOUSE_INSTANCES\` looks like this:

\`\`\`json
${JSON.stringify(EXAMPLE, null, 2)}
\`\`\``;

function entry(setting: Setting): string {
  const facts = [
    setting.isRequired ? 'required' : undefined,
    setting.kind === 'secret' || setting.kind === 'secrets' ? 'secret' : undefined,
    setting.kind === 'secrets' || setting.kind === 'list' ? 'list' : undefined,
    setting.default === undefined ? undefined : `default \`${setting.default}\``,
    setting.isPerInstance === true ? 'per instance' : undefined,
    `governs ${setting.governs}`,
  ].filter((fact) => fact !== undefined);
  return `- \`${setting.name}\` (${facts.join(', ')}): ${setting.description}`;
}
