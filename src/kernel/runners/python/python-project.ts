import type { ProjectFiles } from '../runner.ts';

/** Files that say what a project depends on, or how it is built. */
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

/** The files that say what the project needs, as far as they exist and are not empty. */
export function pythonManifests(project: ProjectFiles): readonly PythonFile[] {
  return MANIFESTS.map((path) => ({ path, text: project.text(path) })).filter(({ text }) => text.trim() !== '');
}

/** Paths in the directories where tests usually are. */
export function pathsBesideTests(project: ProjectFiles): readonly string[] {
  return TEST_DIRECTORIES.flatMap((directory) =>
    project.names(directory).map((name) => (directory === '' ? name : `${directory}/${name}`)),
  );
}

/** Test files by the names of both Python runners; the first ones where there are many. */
export function pythonTests(project: ProjectFiles): readonly PythonFile[] {
  return pathsBesideTests(project)
    .filter((path) => /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/.test(path))
    .slice(0, MAX_READ_TESTS)
    .map((path) => ({ path, text: project.text(path) }));
}

/** Whether a test is one that unittest would not find: a function, or one that uses pytest. */
export function needsPytest({ text }: PythonFile): boolean {
  return /^(?:import|from)\s+pytest\b|^(?:async\s+)?def\s+test_/m.test(text);
}
