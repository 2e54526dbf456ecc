import { posix } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { plainEnvironment } from '../plain-command.ts';
import type { PlainCommand, PlainProject } from '../plain-command.ts';
import { virtualenvPrograms } from './virtualenvs.ts';

/** Packages of the image, for a project without a virtualenv of its own. */
const IMAGE_PACKAGES = '/opt/fluffy/python';

/**
 * A module or a program of Python as a person runs it, with the interpreter of the project's virtualenv where it has one. `inImage`: a module that the
 * image has, for a project that has not installed it. Without a virtualenv a package below `src` is found there.
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
