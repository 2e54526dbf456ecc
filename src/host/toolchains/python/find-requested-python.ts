import { createHash } from 'node:crypto';
import { readdir, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../../../lib/files/make-directories.ts';
import { madeOnce } from '../made-once.ts';
import { whyLeftOut } from '../said-in-image.ts';
import type { Toolchain, ToolchainNote, ToolchainOptions } from '../toolchain.ts';
import { type PythonOptions, choosePython } from './choose-python.ts';
import type { InstalledPython } from './installed-pythons.ts';
import { otherPython, usedPython } from './python-note.ts';

/** The version that an interpreter prints in a sandbox of the images; null if it does not run there. */
export type PythonInImage = (program: string, mounts: readonly string[]) => Promise<string | null>;

export interface RequestedPythonOptions extends ToolchainOptions, PythonOptions {
  /** Identifies the image: an interpreter is tried once for each. */
  readonly imageId: string;
  readonly pythonInImage: PythonInImage;
}

export interface RequestedPython {
  /** null: sandboxes use the Python of a virtual environment or of the images. */
  readonly toolchain: Toolchain | null;
  /** null: the project requests no other. */
  readonly note: ToolchainNote | null;
}

/** Programs of an interpreter's directory that replace those of the system. */
const OF_PYTHON = /^(?:python|pip)(?:3(?:\.\d+)?)?$/;

/** The Python that the project requests, if it has no virtual environment and this machine has the version. */
export async function findRequestedPython(options: RequestedPythonOptions): Promise<RequestedPython> {
  const choice = await choosePython(options);
  if (choice.kind === 'fits') return { toolchain: null, note: null };
  if (choice.kind === 'other') return { toolchain: null, note: otherPython(choice) };
  const left: string[] = [];
  for (const python of choice.pythons) {
    const mounts = python.prefixes.flatMap((prefix) => ['bin', 'lib'].map((name) => join(prefix, name)));
    const tried = await triedOnce(python, mounts, options);
    if (tried.kind === 'runs') {
      const path = [tried.programs, join(python.prefixes[0], 'bin')];
      const forTests = { name: 'python', path, env: {}, python: tried.programs, interpreter: python.program };
      return {
        toolchain: { forTests, mounts: [tried.programs, ...mounts] },
        note: usedPython(choice.asked, python, choice.image),
      };
    }
    left.push(tried.why);
  }
  const none = { kind: 'other', asked: choice.asked, used: choice.image, virtualenv: null, installed: null } as const;
  return { toolchain: null, note: otherPython(none, left) };
}

type Tried =
  /** `programs`: a directory with links to the interpreter and its pip alone. */
  { readonly kind: 'runs'; readonly programs: string } | { readonly kind: 'left-out'; readonly why: string };

async function triedOnce(
  { program, version, from, prefixes: [prefix] }: InstalledPython,
  mounts: readonly string[],
  { caches, onProgress, imageId, pythonInImage }: RequestedPythonOptions,
): Promise<Tried> {
  let said: string | null | undefined;
  try {
    const { size, mtimeMs } = await stat(program);
    const hash = createHash('sha256').update(`${program}\n${size}\n${mtimeMs}\n${imageId}`).digest('hex').slice(0, 16);
    await makeDirectories(caches, 0o755);
    const words = { making: `trying Python ${version} in a sandbox, once`, waiting: 'waiting for the trial of Python' };
    const directory = join(await realpath(caches), `python-${hash}`);
    const programs = await madeOnce(directory, words, onProgress, async (made) => {
      said = await pythonInImage(program, mounts);
      if (said !== version) throw new Error('not what its directory says');
      for (const name of new Set(['python', ...(await readdir(join(prefix, 'bin')))]))
        if (OF_PYTHON.test(name))
          await symlink(/^python/.test(name) ? program : join(prefix, 'bin', name), join(made, name));
    });
    return { kind: 'runs', programs };
  } catch (error) {
    const why = whyLeftOut(said, error, 'tried');
    return { kind: 'left-out', why: `Python ${version} from ${from} is not used: it ${why}` };
  }
}
