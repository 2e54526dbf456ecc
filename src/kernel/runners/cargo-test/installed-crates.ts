import { PACKAGE_MANAGERS } from '../../../contracts/sandbox/package-managers.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';

/** Returns the directory of the crates in a dependency layer. It may not exist. */
export function cratesDirectory(projectRoot: string): string {
  return `${projectRoot}/${PACKAGE_MANAGERS.cargo.directory}`;
}

/**
 * Returns the settings by which cargo uses these crates in place of the registry. They can only be given as arguments,
 * not in a file or variable.
 */
export function installedCrates(directory: string): readonly string[] {
  return [
    '--config=source.crates-io.replace-with="installed"',
    `--config=source.installed.directory=${JSON.stringify(directory)}`,
  ];
}

/** Returns a script in which cargo uses the crates of a dependency layer, if there is one. */
export function withInstalledCrates(script: string, projectRoot: string): string {
  const directory = cratesDirectory(projectRoot);
  const settings = shellWords(installedCrates(directory));
  return `if [ -d ${shellWords([directory])} ]; then cargo() { command cargo ${settings} "$@"; }; fi; ${script}`;
}
