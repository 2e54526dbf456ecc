import { testWith } from '../javascript/importing-test.ts';
import { readManifest, scriptSign, SCRIPTS } from '../javascript/package-signs.ts';
import type { PackageManifest } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { nodeTestArguments } from './arguments.ts';

const TEST_NAME = /^tests?$|[.-]test\.[cm]?[jt]s$/;
/** The test script that `npm init` writes if no tests are named. */
const NO_TESTS = /^echo .*no test specified/i;
/** Frameworks whose tests may need no script. */
const OTHER_FRAMEWORK =
  /^(?:ava|tap|tape|jasmine(?:-core)?|karma|qunit|uvu|cypress|zora|lab|@hapi\/lab|@japa\/runner)$/;
const SOURCE = /^(?!.*\.config\.)[^.].*\.[cm]?[jt]s$/;
const SOURCE_DIRECTORIES = ['', 'src', 'lib', 'bin'];
/** Names of test files: in a test directory every source, elsewhere the names that Node collects. */
const TESTS = {
  directories: ['', 'test', 'tests'],
  isTest: (name: string, directory: string) => SOURCE.test(name) && (directory !== '' || TEST_NAME.test(name)),
};
/** Imports node:test and no other runner. A test of another runner may import helpers from node:test. */
const USES_IT =
  /^(?![^]*['"](?:vitest|@jest\/globals|ava|tape|mocha|bun:test)['"])[^]*(?:\bfrom|\bimport|\brequire\s*\()\s*['"]node:test['"]/;

/**
 * Detects a script that starts `node --test`, tests that import it, a package with tests and without dependencies, or
 * sources without a sign of another framework (the runner is part of Node).
 */
export function detectNodeTest(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  const started = scriptSign(manifest, nodeTestArguments);
  if (started !== null) return started;
  const importing = testWith(project, TESTS, USES_IT);
  const tests = project.names('').find((name) => TEST_NAME.test(name));
  if (tests !== undefined && manifest?.dependencies.size === 0)
    return {
      strength: 'tests',
      because: `there is ${tests}, and package.json has no dependencies`,
      args: [],
      ...(importing === undefined ? { named: testsIn(project) } : {}),
    };
  if (importing !== undefined) return { strength: 'tests', because: `${importing} imports node:test`, args: [] };
  const source = firstSource(project);
  if (source === null || (manifest !== null && namesTests(manifest))) return null;
  const strength = manifest === null ? 'sources' : 'language';
  return { strength, because: `there is ${source}, and nothing names another runner`, args: [] };
}

function testsIn(project: ProjectFiles): readonly string[] {
  return TESTS.directories.flatMap((directory) =>
    project
      .names(directory)
      .filter((name) => TESTS.isTest(name, directory))
      .map((name) => (directory === '' ? name : `${directory}/${name}`)),
  );
}

function namesTests({ scripts, dependencies }: PackageManifest): boolean {
  const named = SCRIPTS.some((name) => !NO_TESTS.test(scripts[name] ?? 'echo no test specified'));
  return named || [...dependencies].some((name) => OTHER_FRAMEWORK.test(name));
}

function firstSource(project: ProjectFiles): string | null {
  const paths = SOURCE_DIRECTORIES.flatMap((directory) =>
    project
      .names(directory)
      .filter((name) => SOURCE.test(name))
      .sort()
      .map((name) => (directory === '' ? name : `${directory}/${name}`)),
  );
  return paths[0] ?? null;
}
