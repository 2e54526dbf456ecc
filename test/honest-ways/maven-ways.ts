import { JUPITER, pom } from '../support/maven-toolchain.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const TEST = 'src/test/java/shop/LargestTest.java';
const SOURCE = 'src/main/java/shop/Largest.java';
const HEAD = 'package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n';
const LARGEST =
  'package shop;\n\npublic class Largest {\n  public static int of(int a, int b) {\n    if (a < b) {\n      return b;\n    }\n    return a;\n  }\n}\n';
const TABLE = `${HEAD}import org.junit.jupiter.params.ParameterizedTest;\nimport org.junit.jupiter.params.provider.CsvSource;\n\nclass LargestTest {\n  @ParameterizedTest\n  @CsvSource({"1, 2, 2", "7, 3, 7", "-7, -9, -7"})\n  void isTheLargerOne(int a, int b, int want) {\n    assertEquals(want, Largest.of(a, b));\n  }\n}\n`;
const CASES = `${HEAD}\nclass LargestTest {\n  @Test\n  void takesTheSecond() {\n    assertEquals(2, Largest.of(1, 2));\n  }\n\n  @Test\n  void takesTheFirst() {\n    assertEquals(7, Largest.of(7, 3));\n  }\n}\n`;

export const MAVEN_WAYS: RunnerWays = {
  runner: 'maven',
  project: {
    'pom.xml': pom('shop', [JUPITER]),
    'src/main/java/shop/Add.java':
      'package shop;\n\npublic class Add {\n  public static int add(int a, int b) {\n    return a + b;\n  }\n}\n',
    'src/test/java/shop/AddTest.java': `${HEAD}\nclass AddTest {\n  @Test\n  void adds() {\n    assertEquals(3, Add.add(1, 2));\n  }\n}\n`,
    '.gitignore': 'target\n',
  },
  ways: [
    { name: 'cases of JUnit', steps: testFirst([TEST, CASES], [SOURCE, LARGEST]) },
    { name: 'a table of cases', steps: testFirst([TEST, TABLE], [SOURCE, LARGEST]) },
    {
      name: 'a refactoring',
      kind: 'refactor',
      files: { [SOURCE]: LARGEST, [TEST]: CASES },
      steps: ['run', [SOURCE, LARGEST.replace('a < b', 'b > a')], 'run'],
    },
    { name: 'tests alone', kind: 'tests', files: { [SOURCE]: LARGEST }, steps: [[TEST, CASES], 'run'] },
  ],
};
