import { PACKAGE_MANAGERS } from '../../../contracts/sandbox/package-managers.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';

/** Where the crates of a layer are, if there is one. */
export function cratesDirectory(projectRoot: string): string {
  return `${projectRoot}/${PACKAGE_MANAGERS.cargo.directory}`;
}

/** Settings by which cargo takes them in place of the registry. No file and no variable can say so. */
export function installedCrates(directory: string): readonly string[] {
  return [
    '--config=source.crates-io.replace-with="installed"',
    `--config=source.installed.directory=${JSON.stringify(directory)}`,
  ];
}

/** A script whose cargo takes the crates of a layer, where there is one. */
export function withInstalledCrates(script: string, projectRoot: string): string {
  const directory = cratesDirectory(projectRoot);
  const settings = shellWords(installedCrates(directory));
  return `if [ -d ${shellWords([directory])} ]; then cargo() { command cargo ${settings} "$@"; }; fi; ${script}`;
}
