import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import type { Protocol } from '../sim/protocol.ts';
import type { Mutant } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['domain', 'observability', 'state', 'sessions', 'config'] as const;

export interface PatchedProtocol {
  readonly protocol: Protocol;
  dispose(): Promise<void>;
}

/** Copies the modules of the protocol, applies the mutant's patches and loads the copy. */
export async function loadPatched(
  mutant: Pick<Mutant, 'name' | 'file' | 'patches'>,
): Promise<PatchedProtocol> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-mutant-'));
  const dispose = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    for (const folder of FOLDERS) {
      await cp(join(ROOT, 'shared', folder), join(directory, 'shared', folder), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    // The simulator throws the product's own errors: the copy has to know the same class.
    const original = pathToFileURL(join(ROOT, 'shared/domain/app-error.ts')).href;
    await writeFile(join(directory, 'shared/domain/app-error.ts'), `export * from '${original}';\n`);
    await applyPatches(join(directory, 'shared/sessions', mutant.file), mutant);
    return { protocol: await load(directory), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function applyPatches(
  path: string,
  { name, patches }: Pick<Mutant, 'name' | 'patches'>,
): Promise<void> {
  let source = await readFile(path, 'utf8');
  for (const [from, to] of patches) {
    const parts = source.split(from);
    if (parts.length !== 2) {
      throw new Error(`mutant "${name}": its text occurs ${parts.length - 1} times, not once:\n${from}`);
    }
    source = parts.join(to);
  }
  await writeFile(path, source);
}

async function load(directory: string): Promise<Protocol> {
  const from = async (file: string): Promise<Partial<Protocol>> => {
    const loaded: Partial<Protocol> = await import(
      pathToFileURL(join(directory, 'shared/sessions', `${file}.ts`)).href
    );
    return loaded;
  };
  const [append, control, drain, poison, sweep] = await Promise.all(
    ['append', 'control', 'drain', 'poison', 'sweep'].map(from),
  );
  const { appendJob } = append ?? {};
  const { decideControl } = control ?? {};
  const { drainMessage } = drain ?? {};
  const { handlePoison } = poison ?? {};
  const { sweepSessions } = sweep ?? {};
  if (!appendJob || !decideControl || !drainMessage || !handlePoison || !sweepSessions) {
    throw new Error('the patched copy does not export the whole protocol');
  }
  return { appendJob, decideControl, drainMessage, handlePoison, sweepSessions };
}
