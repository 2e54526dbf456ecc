import type { ProjectFiles } from '../runner.ts';

/** Files of which one importing a runner is looked for. */
export interface TestNames {
  /** Directories below the project's; '' is the project's own. */
  readonly directories: readonly string[];
  /** Whether a file of one of them has the name of a test. */
  isTest(name: string, directory: string): boolean;
}

/** Tests that are read in search of an import. */
const MAX_READ_TESTS = 20;

/** The first test, by its path, that has what only one runner's tests have; undefined without one. */
export function testWith(project: ProjectFiles, { directories, isTest }: TestNames, sign: RegExp): string | undefined {
  const paths = directories.flatMap((directory) => {
    const names = project.names(directory).filter((name) => isTest(name, directory));
    return names.sort().map((name) => (directory === '' ? name : `${directory}/${name}`));
  });
  return paths.slice(0, MAX_READ_TESTS).find((path) => sign.test(project.text(path)));
}
