import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { nodeJob } from '../node-job.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingBeside } from '../missing-module.ts';
import { plainEnvironment, withoutBuilt } from '../plain-command.ts';
import type { Runner } from '../runner.ts';
import { detectCTest } from './detect.ts';

const PROGRAM = 'ctest-run.mjs';
const OF_C = /^\.(?:c|cc|cpp|cxx|c\+\+|C)$/;
const SOURCES = '.{c,cc,cpp,cxx,c++,C}';
/** Usual names of tests in C and C++. CMakeLists.txt decides which of them run. */
const PATTERNS = [
  `**/{test,tests,unittest,unittests}/**/*${SOURCES}`,
  `**/*[_-]{test,tests,unittest,unittests}${SOURCES}`,
  `**/*{Test,Tests,UnitTest,UnitTests}${SOURCES}`,
  `**/{test,tests}[_-]*${SOURCES}`,
  `**/{test,tests}${SOURCES}`,
];
const NEVER = [
  ...[
    '**/build/**',
    '**/build[_-]*/**',
    '**/cmake-build-*/**',
    '**/out/**',
    '**/_deps/**',
    '**/CMakeFiles/**',
    '**/.*/**',
  ],
  ...['**/third_party/**', '**/3rdparty/**', '**/vendor/**', '**/extern/**', '**/external/**', '**/node_modules/**'],
  ...['**/googletest/**', '**/Catch2/**', '**/doctest/**'],
];
/** Flags for how the project is configured. The kernel sets the build directory, the generator and the target. */
const SETTINGS =
  /^(?:-D(?!CMAKE_(?:HOME|CACHEFILE|BINARY|\w+_(?:LAUNCHER|COMPILER|INCLUDE)\b)|FETCHCONTENT_|CTEST_)[\w.+-]+(?::\w+)?=.*|--preset=[\w.+-]+)$/;

/** Tests of C and C++ projects in CTest: cases of GoogleTest, Catch2 and doctest, and programs without a framework. */
export const ctest: Runner = {
  name: 'ctest',
  title: 'CTest',
  program: PROGRAM,
  builds: true,
  detect: detectCTest,

  collects: (path) => matchesAnyGlob(path, PATTERNS) && !matchesAnyGlob(path, NEVER),
  namedBy: () => [],
  pattern: 'files in test/ and tests/, *_test.cpp, *-test.cpp, *Test.cpp, test_*.cpp, and the same for .c, .cc, .cxx',
  cleansUp: 'in a fixture, or with a value of its own',
  fileName: (stem, extension) => `${stem}_test${OF_C.test(extension) ? extension : '.cpp'}`,
  whyNotRun: (path) =>
    `${path} is run only where a CMakeLists.txt has it among the sources of a program that add_test, gtest_discover_tests or catch_discover_tests names: add it there`,
  loadsFirst: ['CMakeLists.txt', '*.cmake', '*.cmake.in', 'CMakePresets.json', 'CMakeUserPresets.json', '.gdbinit'],

  plan(input) {
    const args = input.command.args.filter((arg) => SETTINGS.test(arg));
    return nodeJob(input, PROGRAM, { options: { args } });
  },

  plain: (command) => {
    const args = command.args.filter((arg) => SETTINGS.test(arg));
    const test = 'ctest --test-dir build --output-on-failure';
    const settings = '-DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=ALWAYS';
    const build = `built=$(mktemp -d) && cmake -S . -B "$built" ${shellWords([settings, ...args])} >/dev/null && cmake --build "$built" --parallel 2 >/dev/null && ctest --test-dir "$built" --output-on-failure`;
    return {
      words: `${shellWords(['cmake', '-B', 'build', ...args])} && cmake --build build && ${test}`,
      script: withoutBuilt(build, 'rm -rf "$built"'),
      build: null,
      env: plainEnvironment([]),
      image: 'node',
    };
  },

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, ({ index, message, place }) => {
      if (place !== 'project') return null;
      const name =
        /error: (?:'(?:[\w:]+::)?~?(\w+)|.*?(?:named|member of|function(?: for call to)?) '(?:[\w:]+::)?(\w+))/.exec(
          message,
        ) ?? /undefined reference to [`']([\w:]+)/.exec(message);
      const missing = name?.slice(1).find((each) => each !== undefined);
      return missingBeside(plan, index, missing);
    }),
};
