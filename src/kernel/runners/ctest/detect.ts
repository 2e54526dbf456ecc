import type { ProjectFiles, Sign } from '../runner.ts';

const COMMENT = /#\[(=*)\[[\s\S]*?\]\1\]|#[^\n]*/g;
/** Commands by which a project registers tests with CTest. */
const MENTIONS =
  /\b(?:enable_testing|add_test|gtest_discover_tests|gtest_add_tests|catch_discover_tests|doctest_discover_tests)\s*\(|\binclude\s*\(\s*CTest\b/i;
/** Directories that usually contain tests and have a CMakeLists.txt of their own. */
const DIRECTORIES = ['', 'test', 'tests', 'unittest', 'unittests'];
/** Options that build tests and are off by default. */
const OFF = /\boption\s*\(\s*(\w*TESTS?(?:ING)?)\s+(?:"[^"]*"|[^\s")]+)\s+OFF\s*\)/gi;
/** Options for tests that need more than a compiler. */
const OTHER = /FUZZ|VALGRIND|COVERAGE|SANITI|BENCH|INSTALL/i;

/** Detects a CMake project that registers tests. Options that build tests are turned on. */
export function detectCTest(project: ProjectFiles): Sign | null {
  const own = codeAt(project, 'CMakeLists.txt');
  if (own === '') return null;
  const naming = DIRECTORIES.map((directory) => `${directory}${directory === '' ? '' : '/'}CMakeLists.txt`).find(
    (path) => MENTIONS.test(codeAt(project, path)),
  );
  if (naming === undefined) return null;
  const options = [...own.matchAll(OFF)].map(([, name = '']) => name).filter((name) => !OTHER.test(name));
  return {
    strength: 'declared',
    because: `${naming} registers tests with CTest`,
    args: [...new Set(options)].map((name) => `-D${name}=ON`),
  };
}

function codeAt(project: ProjectFiles, path: string): string {
  return project.text(path).replace(COMMENT, '');
}
