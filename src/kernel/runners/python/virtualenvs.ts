import { posix } from 'node:path';
import { VIRTUAL_ENVIRONMENT_PROGRAMS } from '../../../contracts/sandbox/virtual-environments.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';

/** Directories of programs of the virtual environments that a project can have, the nearest to a directory of it first. All paths are those in the sandbox. */
export function virtualenvPrograms(projectRoot: string, cwd: string): readonly string[] {
  const homes = [...new Set([posix.join(projectRoot, cwd), projectRoot])];
  return homes.flatMap((home) => VIRTUAL_ENVIRONMENT_PROGRAMS.map((programs) => `${home}/${programs}`));
}

/** A script with VIRTUAL_ENV as an activated shell has it: the first one of the `PATH` that exists. `PATH` itself has its programs already. */
export function withVirtualenv(script: string, { PATH }: { readonly PATH: string }): string {
  const found = PATH.split(':').filter((path) =>
    VIRTUAL_ENVIRONMENT_PROGRAMS.some((programs) => path.endsWith(`/${programs}`)),
  );
  if (found.length === 0) return script;
  const homes = shellWords(found.map((path) => posix.dirname(path)));
  return `for each in ${homes}; do if [ -f "$each/pyvenv.cfg" ]; then export VIRTUAL_ENV="$each"; break; fi; done; unset each; ${script}`;
}
