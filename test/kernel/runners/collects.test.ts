import { expect, it } from 'vitest';
import { requireRunner } from '../../../src/kernel/runners/registry.ts';

/** Runner, its arguments, and paths with whether they are test files of it. */
const CASES: readonly [string, string[], Readonly<Record<string, boolean>>][] = [
  ['node-test', [], { 'test/a.js': true, 'src/a.test.mjs': true, 'a-test.js': true, 'src/a.js': false }],
  ['node-test', [], { 'test/types/a.test-d.ts': false, 'test/a.d.ts': false, 'test/a.ts': true }],
  ['node-test', ['spec/'], { 'spec/a.js': true, 'spec/deep/a.ts': true, 'spec/a.json': false, 'test/a.js': false }],
  ['node-test', ['test'], { 'test/a.js': true, 'test/node_modules/a/test.js': false, 'src/a.test.js': false }],
  ['node-test', ['--import=tsx', 'src/**/*.check.ts'], { 'src/a/b.check.ts': true, 'src/a.test.ts': false }],
  ['node-test', ['test/all.js'], { 'test/all.js': true, 'test/a.js': false }],
  ['vitest', [], { 'src/a.spec.tsx': true, 'test/a.ts': false }],
  ['vitest', ['--config=x.ts', 'tests/**/*.ts'], { 'tests/a.ts': true, 'src/a.test.ts': false }],
  [
    'vitest',
    ['**/*.{test,spec}.?(c|m)[jt]s?(x)'],
    { 'a.test.ts': true, 'a.spec.cjs': true, 'a.test.jsx': true, 'a.ts': false },
  ],
  ['jest', [], { 'src/a.test.tsx': true, 'src/__tests__/a.mjs': true, 'spec.js': true, 'test/a.js': false }],
  ['jest', ['--testRegex=_check\\.js$', '--rootDir=.'], { 'a/b_check.js': true, 'a.test.js': false }],
  ['jest', ['checks/**/*.js'], { 'checks/a.js': true, 'a.test.js': false }],
  [
    'mocha',
    [],
    {
      'test.js': true,
      'a/test.js': false,
      'test/a.js': true,
      'test/a/b.js': false,
      'test/a.ts': false,
      'src/a.test.js': false,
    },
  ],
  [
    'bun-test',
    [],
    {
      'a.test.ts': true,
      'src/a_spec.mjs': true,
      'test/a.ts': false,
      '.cache/a.test.ts': false,
      'node_modules/a/a.test.js': false,
    },
  ],
  [
    'bun-test',
    ['--preload=./setup.ts', './checks', 'unit', './run.ts'],
    { 'checks/a.test.ts': true, 'x/unit/a.spec.js': true, 'run.ts': true, 'a.test.ts': false, 'unit/a.ts': false },
  ],
  [
    'deno-test',
    [],
    {
      'a_test.ts': true,
      'src/test.mts': true,
      'a.test.jsx': true,
      '__tests__/a.ts': true,
      'a.spec.ts': false,
      'vendor/a_test.ts': false,
      'latest.ts': false,
    },
  ],
  [
    'deno-test',
    ['--allow-all', 'checks/', './run.ts'],
    { 'checks/a/b_test.ts': true, 'run.ts': true, 'a_test.ts': false, 'checks/a.ts': false },
  ],
  ['mocha', ['--extension=ts', '--recursive', './spec/'], { 'spec/a/b.ts': true, 'test/a.js': false }],
  [
    'cargo-test',
    [],
    {
      'tests/a.rs': true,
      'crates/a/tests/b.rs': true,
      'tests/a/main.rs': true,
      'tests/common/mod.rs': false,
      'src/a/tests.rs': true,
      'src/lib.rs': false,
      'target/debug/tests/a.rs': false,
    },
  ],
  [
    'maven',
    [],
    {
      'src/test/java/job/AddTest.java': true,
      'core/src/test/java/TestAdd.java': true,
      'src/main/java/job/LoadTest.java': false,
      'src/test/java/job/AddIT.java': false,
      'target/generated-test-sources/AddTest.java': false,
    },
  ],
  [
    'ctest',
    [],
    {
      'tests/add.c': true,
      'test/deep/add.cpp': true,
      'src/add_test.cc': true,
      'src/add-tests.cxx': true,
      'src/AddTest.cpp': true,
      'src/test_add.c': true,
      'src/add.cpp': false,
      'tests/add.h': false,
      'src/latest.cpp': false,
      'build/tests/add.cpp': false,
      'cmake-build-debug/add_test.cpp': false,
      'third_party/googletest/test/add_test.cc': false,
    },
  ],
  [
    'minitest',
    [],
    {
      'test/a_test.rb': true,
      'core/test/models/test_b.rb': true,
      'two_fer_test.rb': true,
      'test/test_helper.rb': false,
      'lib/a/test_case.rb': false,
      'vendor/bundle/a/test/a_test.rb': false,
      'test/a.rb': false,
    },
  ],
  [
    'minitest',
    ['-Itest', './spec/**/*_spec.rb'],
    { 'spec/a/b_spec.rb': true, 'spec/spec_helper.rb': false, 'test/a_test.rb': false },
  ],
  [
    'phpunit',
    [],
    {
      'tests/MulTest.php': true,
      'src/Deep/MulTest.php': true,
      'tests/Mul.php': false,
      'vendor/a/b/tests/ATest.php': false,
      '.cache/ATest.php': false,
    },
  ],
  [
    'phpunit',
    ['--configuration=phpunit.ci.xml', 'tests/Unit/**/*Check.php', './spec/'],
    { 'tests/Unit/a/ACheck.php': true, 'spec/ATest.php': true, 'tests/ATest.php': false },
  ],
  [
    'rspec',
    [],
    {
      'spec/a/b_spec.rb': true,
      'core/spec/c_spec.rb': true,
      'two_fer_spec.rb': true,
      'spec/spec_helper.rb': false,
      'spec/support/a.rb': false,
    },
  ],
  [
    'go-test',
    [],
    { 'a_test.go': true, 'a/b_test.go': true, 'vendor/x/a_test.go': false, '_a/a_test.go': false, 'a.go': false },
  ],
  ['pytest', [], { 'test_a.py': true, 'pkg/a_test.py': true, '.venv/lib/test_a.py': false, 'a.py': false }],
  ['pytest', ['tests'], { 'tests/a/test_a.py': true, 'tests/helpers.py': false, 'test_a.py': false }],
  [
    'pytest',
    ['**/check_*.py'],
    { 'check_a.py': true, 'a/check_b.py': true, 'venv/lib/check_a.py': false, 'test_a.py': false },
  ],
  ['pytest', ['build/tests/*.py'], { 'build/tests/a.py': true }],
  ['django-test', [], { 'polls/tests.py': true, 'polls/tests/test_a.py': true, '.venv/test_a.py': false }],
  ['django-test', ['--pattern=*_check.py'], { 'polls/a_check.py': true, 'polls/tests.py': false }],
  ['unittest', [], { 'tests/test_a.py': true, 'testing.py': true, 'a_test.py': false }],
  ['unittest', ['-s', 'checks', '--pattern=*_check.py'], { 'checks/a_check.py': true, 'a_check.py': false }],
];

it.each(CASES)('%s %j collects what is its own', (runner, args, paths) => {
  const command = { runner, cwd: '', args };
  const collected = Object.keys(paths).filter((path) => requireRunner(runner).collects(path, command));
  expect(collected).toEqual(Object.keys(paths).filter((path) => paths[path]));
});
