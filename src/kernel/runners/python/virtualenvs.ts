import { posix } from 'node:path';
import { VIRTUAL_ENVIRONMENT_PROGRAMS } from '../../../contracts/sandbox/virtual-environments.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';

/**
 * Returns the program directories of the virtual environments that a project may have, those nearest to `cwd` first.
 * All paths are paths in the sandbox.
 */
export function virtualenvPrograms(projectRoot: string, cwd: string): readonly string[] {
  const homes = [...new Set([posix.join(projectRoot, cwd), projectRoot])];
  return homes.flatMap((home) => VIRTUAL_ENVIRONMENT_PROGRAMS.map((programs) => `${home}/${programs}`));
}

/**
 * Returns a script that sets VIRTUAL_ENV as an activated shell does, to the first environment in `PATH` that exists.
 * `PATH` already contains its programs.
 */
export function withVirtualenv(script: string, { PATH }: { readonly PATH: string }): string {
  const found = PATH.split(':').filter((path) =>
    VIRTUAL_ENVIRONMENT_PROGRAMS.some((programs) => path.endsWith(`/${programs}`)),
  );
  if (found.length === 0) return script;
  const homes = shellWords(found.map((path) => posix.dirname(path)));
  return `for each in ${homes}; do if [ -f "$each/pyvenv.cfg" ]; then export VIRTUAL_ENV="$each"; break; fi; done; unset each; ${script}`;
}
