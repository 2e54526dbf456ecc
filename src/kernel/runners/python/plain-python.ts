import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { plainEnvironment } from '../plain-command.ts';
import type { PlainCommand, PlainProject } from '../plain-command.ts';

/** Packages of the image, for a project without a virtualenv of its own. */
const IMAGE_PACKAGES = '/opt/fluffy/python';

/**
 * A Python module as a person runs it, with the interpreter of the project's virtualenv where it has one. `orImage`: the image has the module, for a
 * project that has not installed it. Without a virtualenv a package below `src` is found there.
 */
export function plainPython(
  command: TestCommand,
  { projectRoot }: PlainProject,
  args: readonly [module: string, ...string[]],
  orImage = false,
): PlainCommand {
  const homes = [...new Set([command.cwd === '' ? projectRoot : `${projectRoot}/${command.cwd}`, projectRoot])];
  const words = shellWords(['python3', '-m', ...args]);
  const isInstalled = homes.flatMap((home) => [`[ -e ${home}/.venv ]`, `[ -e ${home}/venv ]`]).join(' || ');
  const source = `${isInstalled} || [ ! -d src ] || export PYTHONPATH="$PWD/src"`;
  const looked = `python3 -c 'import ${args[0]}' 2>/dev/null || export PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}${IMAGE_PACKAGES}"`;
  return {
    words,
    script: [source, ...(orImage ? [looked] : []), words].join('; '),
    build: null,
    env: plainEnvironment(homes.flatMap((home) => [`${home}/.venv/bin`, `${home}/venv/bin`])),
    image: 'python',
  };
}
