import type { ProjectFiles } from '../runner.ts';

/** Where to look for a test that imports a runner. */
export interface TestNames {
  /** Directories below the project's directory; '' is that directory. */
  readonly directories: readonly string[];
  /** Whether a file in one of the directories has the name of a test. */
  isTest(name: string, directory: string): boolean;
}

/** Maximum number of tests that are read. */
const MAX_READ_TESTS = 20;

/** Returns the path of the first test that contains a sign of one runner; undefined if there is none. */
export function testWith(project: ProjectFiles, { directories, isTest }: TestNames, sign: RegExp): string | undefined {
  const paths = directories.flatMap((directory) => {
    const names = project.names(directory).filter((name) => isTest(name, directory));
    return names.sort().map((name) => (directory === '' ? name : `${directory}/${name}`));
  });
  return paths.slice(0, MAX_READ_TESTS).find((path) => sign.test(project.text(path)));
}
