import { isGitError } from '../simulators/git/git-error.ts';
import { formatComment } from './comment-line.ts';
import { DEMO_HELP, parseDemoArguments, type DemoArguments } from './demo-arguments.ts';
import { modelFromEnvironment } from './model-from-environment.ts';
import { openSubject } from './open-subject.ts';
import { runDemo, type DemoRun } from './run-demo.ts';

const EXIT = { good: 0, failed: 1, couldNotRun: 2 } as const;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  let options: DemoArguments;
  try {
    options = parseDemoArguments(argv);
  } catch (error) {
    return couldNotRun(error);
  }
  if (options.help) {
    print(DEMO_HELP);
    return EXIT.good;
  }
  const startedAt = performance.now();
  const onProgress = (line: string): void => {
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
  };
  try {
    const subject = await openSubject(options.range);
    try {
      const run = await runDemo(subject, {
        provider: options.provider,
        model: modelFromEnvironment(process.env),
        timeoutMs: options.timeoutMs,
        onProgress,
      });
      report(run, options.json);
      return run.outcome === 'failed' ? EXIT.failed : EXIT.good;
    } finally {
      await subject.dispose();
    }
  } catch (error) {
    return couldNotRun(error);
  }
}

function report(run: DemoRun, asJson: boolean): void {
  const { outcome, reason, comments, ackMs, firstCommentMs, totalMs, files } = run;
  print('');
  for (const comment of comments) print(formatComment(comment));
  if (comments.length > 0) print('');
  print(`outcome        ${outcome} (${reason}), ${comments.length} comments, ${files} files`);
  print(`acknowledged   ${Math.round(ackMs)} ms`);
  if (firstCommentMs !== null) print(`first comment  ${firstCommentMs} ms`);
  print(`total          ${totalMs} ms`);
  if (asJson) {
    print(JSON.stringify({ outcome, comments, ackMs: Math.round(ackMs), firstCommentMs, totalMs, files }));
  }
}

/** One clear line. */
function couldNotRun(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const hint = isGitError(error) ? '' : '; npm run demo -- --help lists the options';
  process.stderr.write(`demo: ${message.split('\n')[0] ?? message}${hint}\n`);
  return EXIT.couldNotRun;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
