import { PACKAGE_MANAGERS } from '../../../contracts/sandbox/package-managers.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';

/**
 * Returns the directory of the modules in a dependency layer. It may not exist. They replace the host's module cache.
 */
export function modulesDirectory(projectRoot: string): string {
  return `${projectRoot}/${PACKAGE_MANAGERS.go.directory}`;
}

/** Returns a script in which Go uses the modules of a dependency layer, if there is one. */
export function withInstalledModules(script: string, projectRoot: string): string {
  const directory = shellWords([modulesDirectory(projectRoot)]);
  return `if [ -d ${directory} ]; then export GOMODCACHE=${directory}; fi; ${script}`;
}
