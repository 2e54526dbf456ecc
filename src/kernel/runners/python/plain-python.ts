import { posix } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { plainEnvironment } from '../plain-command.ts';
import type { PlainCommand, PlainProject } from '../plain-command.ts';
import { virtualenvPrograms } from './virtualenvs.ts';

/** Packages of the image, for a project without a virtualenv. */
const IMAGE_PACKAGES = '/opt/fluffy/python';

/**
 * Returns the command that runs a Python module or program as a user would, with the interpreter of the project's
 * virtualenv if there is one. `inImage` is a module that the image provides if the project has not installed it.
 * Without a virtualenv, packages below `src` can be imported.
 */
export function plainPython(
  command: TestCommand,
  { projectRoot }: PlainProject,
  args: readonly string[],
  inImage?: string,
): PlainCommand {
  const programs = virtualenvPrograms(projectRoot, command.cwd);
  const words = shellWords(['python3', ...args]);
  const isInstalled = programs.map((path) => `[ -e ${shellWords([posix.dirname(path)])} ]`).join(' || ');
  const source = `${isInstalled} || [ ! -d src ] || export PYTHONPATH="$PWD/src"`;
  const looked =
    inImage === undefined
      ? []
      : [
          `python3 -c 'import ${inImage}' 2>/dev/null || export PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}${IMAGE_PACKAGES}"`,
        ];
  return {
    words,
    script: [source, ...looked, words].join('; '),
    build: null,
    env: plainEnvironment(programs),
    image: 'python',
  };
}
