import { revise, testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const LIB = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const LARGEST =
  'pub fn largest(a: i32, b: i32) -> i32 {\n    if a < b {\n        b\n    } else {\n        a\n    }\n}\n';
const OLD_TESTS =
  '\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n';
const BOTH_TESTS =
  '\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n\n    #[test]\n    fn takes_the_second() {\n        assert_eq!(largest(1, 2), 2);\n    }\n\n    #[test]\n    fn takes_the_first() {\n        assert_eq!(largest(7, 3), 7);\n    }\n}\n';
const LARGEST_TESTS =
  '\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn takes_the_second() {\n        assert_eq!(largest(1, 2), 2);\n    }\n\n    #[test]\n    fn takes_the_first() {\n        assert_eq!(largest(7, 3), 7);\n    }\n}\n';

export const CARGO_WAYS: RunnerWays = {
  runner: 'cargo-test',
  project: {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': LIB,
    '.gitignore': 'target\n',
  },
  ways: [
    {
      name: 'unit tests in the source, the first of the crate',
      steps: testFirst(['src/lib.rs', `${LIB}${LARGEST_TESTS}`], ['src/lib.rs', `${LIB}\n${LARGEST}${LARGEST_TESTS}`]),
    },
    {
      name: 'cases added to the unit tests of a source',
      files: { 'src/lib.rs': `${LIB}${OLD_TESTS}` },
      steps: testFirst(['src/lib.rs', `${LIB}${BOTH_TESTS}`], ['src/lib.rs', `${LIB}\n${LARGEST}${BOTH_TESTS}`]),
    },
    {
      name: 'a new module with its unit tests',
      steps: [
        ['src/largest.rs', LARGEST_TESTS.trimStart()],
        ['src/lib.rs', `pub mod largest;\n\n${LIB}`],
        'run',
        ['src/largest.rs', `${LARGEST}${LARGEST_TESTS}`],
        'run',
      ],
    },
    {
      name: 'source and tests written at once',
      steps: [
        ['src/lib.rs', `${LIB}\n${LARGEST}${LARGEST_TESTS}`],
        ['src/lib.rs', `${LIB}${LARGEST_TESTS}`],
        'run',
        ['src/lib.rs', `${LIB}\n${LARGEST}${LARGEST_TESTS}`],
        'run',
      ],
      refused: [/only the part under #\[cfg\(test\)\] can be written/],
    },
    {
      name: 'a fault that a unit test shows',
      kind: 'fix',
      files: { 'src/lib.rs': `${LIB.replace('a + b', 'a + b + 1')}` },
      steps: testFirst(
        ['src/lib.rs', `${LIB.replace('a + b', 'a + b + 1')}${OLD_TESTS}`],
        ['src/lib.rs', `${LIB}${OLD_TESTS}`],
      ),
    },
    {
      name: 'unit tests that are revised',
      steps: [
        ['src/lib.rs', `${LIB}${LARGEST_TESTS.replace('3), 7', '3), 8')}`],
        'run',
        ['src/lib.rs', `${LIB}\n${LARGEST}${LARGEST_TESTS}`],
        ['src/lib.rs', `${LIB}\n${LARGEST}${LARGEST_TESTS.replace('3), 7', '3), 8')}`],
        'run',
        revise('the larger of 7 and 3 is 7'),
        ['src/lib.rs', `${LIB}\n${LARGEST}${LARGEST_TESTS}`],
        'run',
        'run',
      ],
      refused: [/tests in src\/lib.rs are frozen/, /takes_the_first fails/],
      reasons: [/the larger of 7 and 3 is 7/],
    },
    {
      name: 'a refactoring under unit tests',
      kind: 'refactor',
      files: { 'src/lib.rs': `${LARGEST}${LARGEST_TESTS}` },
      steps: [
        'run',
        [
          'src/lib.rs',
          `pub fn largest(a: i32, b: i32) -> i32 {\n    if b > a {\n        b\n    } else {\n        a\n    }\n}\n${LARGEST_TESTS}`,
        ],
        'run',
      ],
    },
    {
      name: 'unit tests alone',
      kind: 'tests',
      files: { 'src/lib.rs': LARGEST },
      steps: [['src/lib.rs', `${LARGEST}${LARGEST_TESTS}`], 'run'],
    },
    {
      name: 'an integration test',
      steps: testFirst(
        [
          'tests/largest.rs',
          'use shop::largest;\n\n#[test]\nfn takes_the_second() {\n    assert_eq!(largest(1, 2), 2);\n}\n\n#[test]\nfn takes_the_first() {\n    assert_eq!(largest(7, 3), 7);\n}\n',
        ],
        ['src/lib.rs', `${LIB}\n${LARGEST}`],
      ),
    },
  ],
};
