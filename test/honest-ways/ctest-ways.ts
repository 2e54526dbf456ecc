import { C_PROJECT } from '../support/c-project.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const LARGEST =
  '#include "shop.h"\n\nint largest(int a, int b) {\n  if (a < b) {\n    return b;\n  }\n  return a;\n}\n';
const asks = (body: string): string =>
  `#include "shop.h"\n\n#include <assert.h>\n\nint main(void) {\n${body}  return 0;\n}\n`;
const LARGEST_TEST = asks('  assert(largest(1, 2) == 2);\n  assert(largest(7, 3) == 7);\n');

/** A program is one case by its `main`, which cannot be there twice. */
const ONE_CASE = [/no new test can be copied or changed/];

export const CTEST_WAYS: RunnerWays = {
  runner: 'ctest',
  project: C_PROJECT,
  ways: [
    {
      name: 'a new source with a test of its own',
      reasons: ONE_CASE,
      steps: testFirst(['tests/largest_test.c', LARGEST_TEST], ['src/largest.c', LARGEST]),
    },
    {
      name: 'a fault that a test shows',
      kind: 'fix',
      files: { 'src/largest.c': LARGEST.replace('a < b', 'a > b') },
      reasons: ONE_CASE,
      steps: testFirst(['tests/largest_test.c', LARGEST_TEST], ['src/largest.c', LARGEST]),
    },
    {
      name: 'a test that fails by what main returns',
      reasons: ONE_CASE,
      steps: testFirst(
        [
          'tests/largest_test.c',
          '#include "shop.h"\n\nint main(void) { return largest(1, 2) != 2 || largest(7, 3) != 7; }\n',
        ],
        ['src/largest.c', LARGEST],
      ),
    },
    {
      name: 'tests alone',
      kind: 'tests',
      files: { 'src/largest.c': LARGEST },
      reasons: ONE_CASE,
      steps: [['tests/largest_test.c', LARGEST_TEST], 'run'],
    },
    {
      name: 'a refactoring under a test',
      kind: 'refactor',
      files: { 'src/largest.c': LARGEST, 'tests/largest_test.c': LARGEST_TEST },
      steps: ['run', ['src/largest.c', LARGEST.replace('a < b', 'b > a')], 'run'],
    },
  ],
};
