type Bench = (args: string[]) => Promise<number>;

/** Loaded one at a time: each measures alone. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  ingress: async () => (await import('./ingress.ts')).runIngressBench,
  diff: async () => (await import('./diff.ts')).runDiffBench,
  review: async () => (await import('./review.ts')).runReviewBench,
  sessions: async () => (await import('./sessions.ts')).runSessionsBench,
};

const HELP = `npm run bench -- NAME [options]

  ingress    acknowledging webhooks, beside a handler that only checks the signature
  diff       parsing and mapping diffs, beside the parser alone and another parser
  review     a whole review without the model's time, up to 3,000 files
  sessions   deliveries through the session protocol on Azurite

Each takes --help. Exit codes: 0 within its limits, 1 outside, 2 could not run.
`;

process.exitCode = await main(process.argv.slice(2));

async function main([name = '--help', ...rest]: string[]): Promise<number> {
  if (name === '--help') {
    process.stdout.write(HELP);
    return 0;
  }
  const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (load === undefined) {
    process.stderr.write(`bench: there is no bench ${name}; npm run bench -- --help lists them\n`);
    return 2;
  }
  try {
    const run = await load();
    return await run(rest);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}
