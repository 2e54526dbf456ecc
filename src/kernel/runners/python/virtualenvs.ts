import { posix } from 'node:path';
import { shellWords } from '../../../lib/text/shell-words.ts';

/** What a virtual environment of a project is called. */
const NAMES = ['.venv', 'venv'];

/** Directories of programs of the virtual environments that a project can have, the nearest to a directory of it first. All paths are those in the sandbox. */
export function virtualenvPrograms(projectRoot: string, cwd: string): readonly string[] {
  const homes = [...new Set([posix.join(projectRoot, cwd), projectRoot])];
  return homes.flatMap((home) => NAMES.map((name) => `${home}/${name}/bin`));
}

/** A script with VIRTUAL_ENV as an activated shell has it: the first one of the `PATH` that exists. `PATH` itself has its programs already. */
export function withVirtualenv(script: string, { PATH }: { readonly PATH: string }): string {
  const found = PATH.split(':').filter((path) => NAMES.some((name) => path.endsWith(`/${name}/bin`)));
  if (found.length === 0) return script;
  const homes = shellWords(found.map((path) => posix.dirname(path)));
  return `for each in ${homes}; do if [ -f "$each/pyvenv.cfg" ]; then export VIRTUAL_ENV="$each"; break; fi; done; unset each; ${script}`;
}
