// Runs one of the project's TypeScript files on the project's own Node, on any machine with Node 20 and npm:
//   node infra/local/bootstrap.mjs <script.ts> [arguments...]
// It installs what is missing first. Plain JavaScript, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './bootstrap/find-node.mjs';
import { installIfNeeded } from './bootstrap/install.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const COULD_NOT_RUN = 2;

async function main(argv) {
  const [script, ...rest] = argv;
  if (script === undefined)
    throw new Error('usage: node infra/local/bootstrap.mjs <script.ts> [arguments...]');
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(`Node 20 or newer is needed, this is ${process.version}; install one from nodejs.org`);
  }
  await installIfNeeded(ROOT, runForwardingSignals, (line) => process.stderr.write(`${line}\n`));
  const node = findNode(ROOT);
  const { exitCode } = await runForwardingSignals(
    node,
    ['--disable-warning=ExperimentalWarning', script, ...rest],
    {
      stdio: 'inherit',
      env: { ...process.env, PATH: pathWithProjectNode(node) },
    },
  );
  return exitCode;
}

/** The chosen Node first, then the project's tools: their `#!/usr/bin/env node` must find the same Node. */
function pathWithProjectNode(node) {
  const inherited = process.env.PATH ?? '';
  return [dirname(node), join(ROOT, 'node_modules', '.bin'), inherited].join(delimiter);
}

/**
 * Runs a command to its end and passes on the signals that ask us to stop, so that no child outlives us.
 * A terminal already sends Ctrl-C to the whole process group: sending it again would read as a second Ctrl-C.
 */
function runForwardingSignals(command, args, options) {
  return new Promise((resolvePromise, reject) => {
    const child = spawn(command, args, options);
    const signals = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    if (process.stdin.isTTY) process.on('SIGINT', ignoreSignal);
    const done = () => {
      for (const signal of signals) process.off(signal, forward);
      process.off('SIGINT', ignoreSignal);
    };
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('close', (code, signal) => {
      done();
      resolvePromise({ exitCode: code ?? 128 + (constants.signals[signal] ?? 0), output });
    });
  });
}

function ignoreSignal() {}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    process.stderr.write(`gatehouse: ${error.message}\n`);
    process.exitCode = COULD_NOT_RUN;
  },
);
