import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VIRTUAL_ENVIRONMENTS } from '../../src/contracts/sandbox/virtual-environments.ts';

/** Programs that run code of the project in any case: a rule that names one of them says nothing about which it is. */
const OF_PYTHON = /^(?:python|pip)(?:3(?:\.\d+)?)?$/;

/** The nearest virtual environment as an activated shell has it. */
export interface ActivePython {
  /** With its interpreter and its pip, and none of its other programs. */
  readonly path: string;
  readonly home: string;
}

/** null where no directory has one. `directories`: the nearest first. */
export async function activePython(directories: readonly string[]): Promise<ActivePython | null> {
  const homes = directories.flatMap((directory) => VIRTUAL_ENVIRONMENTS.map((name) => join(directory, name)));
  const home = homes.find((each) => existsSync(join(each, 'pyvenv.cfg')) && existsSync(join(each, 'bin')));
  if (home === undefined) return null;
  const path = await mkdtemp(join(tmpdir(), 'python-'));
  for (const name of readdirSync(join(home, 'bin')).filter((each) => OF_PYTHON.test(each))) {
    const program = join(home, 'bin', name);
    // A link would lose its environment. One whose interpreter is not in the sandbox is left out.
    if (!existsSync(program)) continue;
    await writeFile(join(path, name), `#!/bin/sh\nexec '${program.replaceAll("'", String.raw`'\''`)}' "$@"\n`, {
      mode: 0o755,
    });
  }
  return { path, home };
}
