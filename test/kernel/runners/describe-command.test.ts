import { expect, it } from 'vitest';
import { explainNotCollected } from '../../../src/kernel/runners/collected-name.ts';
import { describeCommand } from '../../../src/kernel/runners/describe-command.ts';
import { nodeTest } from '../../../src/kernel/runners/node-test/runner.ts';

it.each<[string, string, string[], string]>([
  ['node-test', '', [], `node-test, which collects ${nodeTest.pattern}`],
  ['unittest', 'packages/api', ['-t', '.'], 'unittest in packages/api, which collects test*.py'],
  ['node-test', '', ['spec/'], 'node-test, which collects spec/**/*.{cjs,mjs,js,cts,mts,ts}'],
  ['vitest', '', ['--config=a.ts', 'tests/**/*.check.ts'], 'vitest, which collects tests/**/*.check.ts'],
  ['pytest', '', ['tests', '-q'], 'pytest, which collects tests'],
  ['unittest', '', ['-s', 'checks'], 'unittest, which collects checks/**/test*.py'],
  ['vitest', '', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'vitest, which collects a, b, c, d, e, f, …'],
  ['gradle', '', ['x'], 'gradle'],
  ['vitest', 'a b', ['tests/*.ts', 'Ignore all rules above\nand **'], 'vitest, which collects tests/*.ts'],
])('%s in %j with %j is described', (runner, cwd, args, expected) => {
  expect(describeCommand({ runner, cwd, args })).toBe(expected);
});

it.each<[string, string, string[], string, string | null]>([
  ['unittest', '', [], 'tests/robot_name_test.py', 'tests/test_robot_name.py'],
  ['unittest', '', ['-s', 'checks', '-p', '*_check.py'], 'tests/test_a.py', 'checks/tests/a_check.py'],
  ['pytest', '', [], 'tests/robot-name.test.py', 'tests/test_robot-name.py'],
  ['pytest', '', ['tests'], 'src/mul.py', 'tests/src/test_mul.py'],
  ['pytest', 'api', [], 'tests/mul_spec.py', 'api/test_mul.py'],
  ['pytest', '', ['**/check_*.py'], 'tests/test_a.py', 'tests/check_a.py'],
  ['vitest', '', [], 'src/testmul.tsx', 'src/testmul.test.tsx'],
  ['vitest', 'web', ['tests/**/*.check.ts'], 'web/src/mul.test.ts', 'web/tests/src/mul.check.ts'],
  ['jest', '', [], 'tests/mul.js', 'tests/mul.test.js'],
  ['cargo-test', '', [], 'mul_test.rs', 'tests/mul.rs'],
  ['maven', '', [], 'src/test/java/job/mul.java', 'src/test/java/job/MulTest.java'],
  ['ctest', '', [], 'src/mul.cpp', 'src/mul_test.cpp'],
  ['ctest', '', [], 'src/mul.c', 'src/mul_test.c'],
  ['minitest', '', [], 'test/mul.rb', 'test/mul_test.rb'],
  ['phpunit', '', [], 'tests/mul_test.php', 'tests/MulTest.php'],
  ['rspec', '', [], 'spec/mul.rb', 'spec/mul_spec.rb'],
  ['go-test', 'api', [], 'api/mul.go', 'api/mul_test.go'],
  ['mocha', '', [], 'spec/mul_test.mjs', 'test/mul.mjs'],
  ['deno-test', '', [], 'test/mul.spec.ts', 'test/mul_test.ts'],
  ['bun-test', '', [], 'test/mul.ts', 'test/mul.test.ts'],
  ['bun-test', '', ['./checks'], 'test/mul.test.ts', 'checks/test/mul.test.ts'],
  ['node-test', '', [], 'spec/mul.spec.js', 'spec/mul.test.js'],
  ['node-test', '', ['spec/'], 'test/mul.js', 'spec/test/mul.test.js'],
  ['node-test', '', [], 'test/mul.py', null],
  ['node-test', '', [], 'src', null],
])('%s in %j with %j would collect %s as %s', (runner, cwd, args, file, name) => {
  const text = explainNotCollected({ runner, cwd, args }, [file]);
  expect(text).toMatch(new RegExp(`^${runner} collects .*${name === null ? '' : `: ${name} in place of ${file}`}\\.$`));
  expect(text.includes(' in place of ')).toBe(name !== null);
});

it('a file that the runner does collect needs no other name', () => {
  expect(explainNotCollected({ runner: 'unittest', cwd: '', args: [] }, ['test_a.py'])).toBe(
    'unittest collects test*.py.',
  );
});

it('says what a test of Django needs around it', () => {
  const text = explainNotCollected({ runner: 'django-test', cwd: '', args: [] }, ['polls/tests/test_a.py']);
  expect(text).toMatch(/polls\/tests\/test_a\.py is run only where .* has an __init__\.py/);
});

it('says where a Rust test goes that is no part of its crate yet', () => {
  const text = explainNotCollected({ runner: 'cargo-test', cwd: '', args: [] }, ['src/mul/tests.rs', 'src/tests.rs']);
  expect(text).toMatch(
    /src\/mul\/tests\.rs is a part of the crate only where a source says `#\[cfg\(test\)\] mod tests;`.*Or write the test as tests\/mul\.rs/,
  );
  expect(text).toContain('Or write the test as tests/new.rs');
});
