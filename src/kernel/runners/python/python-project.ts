import type { ProjectFiles } from '../runner.ts';

/** Files that list the dependencies of a project or define its build. */
const MANIFESTS = [
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'Pipfile',
  'requirements.txt',
  'requirements-dev.txt',
  'requirements-test.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
];
const TEST_DIRECTORIES = ['', 'tests', 'test'];
const MAX_READ_TESTS = 50;

/** A file of a Python project. */
export interface PythonFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the manifests that exist and are not empty. */
export function pythonManifests(project: ProjectFiles): readonly PythonFile[] {
  return MANIFESTS.map((path) => ({ path, text: project.text(path) })).filter(({ text }) => text.trim() !== '');
}

/** Returns the paths in the usual test directories. */
export function pathsBesideTests(project: ProjectFiles): readonly string[] {
  return TEST_DIRECTORIES.flatMap((directory) =>
    project.names(directory).map((name) => (directory === '' ? name : `${directory}/${name}`)),
  );
}

/** Returns test files by the names of both Python runners. If there are many, only the first ones. */
export function pythonTests(project: ProjectFiles): readonly PythonFile[] {
  return pathsBesideTests(project)
    .filter((path) => /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/.test(path))
    .slice(0, MAX_READ_TESTS)
    .map((path) => ({ path, text: project.text(path) }));
}

/** Returns whether unittest would not run a test: it is a function, or it uses pytest. */
export function needsPytest({ text }: PythonFile): boolean {
  return /^(?:import|from)\s+pytest\b|^(?:async\s+)?def\s+test_/m.test(text);
}
