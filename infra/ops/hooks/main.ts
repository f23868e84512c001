import { loadConfig } from '../../../shared/config/load-config.ts';
import { runHooksCommand } from './run-hooks-command.ts';

process.exitCode = await runHooksCommand(process.argv.slice(2), {
  loadConfig,
  transport: fetch,
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
});
