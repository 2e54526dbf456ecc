import { PACKAGE_MANAGERS } from '../../../contracts/sandbox/package-managers.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';

/** Where the modules of a layer are, if there is one. They take the place of the host's module cache. */
export function modulesDirectory(projectRoot: string): string {
  return `${projectRoot}/${PACKAGE_MANAGERS.go.directory}`;
}

/** A script whose Go takes the modules of a layer, where there is one. */
export function withInstalledModules(script: string, projectRoot: string): string {
  const directory = shellWords([modulesDirectory(projectRoot)]);
  return `if [ -d ${directory} ]; then export GOMODCACHE=${directory}; fi; ${script}`;
}
