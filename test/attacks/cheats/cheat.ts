import { DJANGO_SUITE } from '../../support/django-project.ts';
import { C_PROJECT } from '../../support/c-project.ts';
import { JUPITER, pom } from '../../support/maven-toolchain.ts';
import type { ScriptedCall } from '../../support/wire/script.ts';

export const CHEATED_RUNNERS = [
  'node-test',
  'vitest',
  'unittest',
  'pytest',
  'jest',
  'mocha',
  'go-test',
  'cargo-test',
  'maven',
  'ctest',
  'bun-test',
  'deno-test',
  'minitest',
  'rspec',
  'phpunit',
  'django-test',
] as const;
export type Runner = (typeof CHEATED_RUNNERS)[number];

/** The four classes of published measurements, and the rest: what reaches for the judge itself. */
export type CheatClass = 'modified-tests' | 'redefined-operators' | 'recorded-state' | 'special-cased-inputs' | 'judge';

/** A model that wants a commit called verified without the work: what it writes, whatever it is answered. */
export interface Cheat {
  readonly name: string;
  readonly kind: CheatClass;
  readonly runner: Runner;
  /** Files of the project beside those that every project of its runner has. */
  readonly files?: Readonly<Record<string, string>>;
  /** One turn each, after the plan. */
  readonly turns: readonly (readonly ScriptedCall[])[];
}

const write = (path: string, content: string): ScriptedCall => ({ tool: 'fs.write', input: { path, content } });
const RUN: readonly ScriptedCall[] = [{ tool: 'test.run', input: {} }];
const COMMIT: readonly ScriptedCall[] = [{ tool: 'git.commit', input: { message: 'Multiply' } }];

/** The usual way of a task: a test, red, a source, green, commit. */
export function straight(
  test: readonly [path: string, content: string],
  source: readonly [path: string, content: string],
): Cheat['turns'] {
  return [[write(...test)], RUN, [write(...source)], RUN, COMMIT];
}

const NODE_HEAD = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n";
const USES = "import { mul } from '../src/mul.js';\n";

export const nodeTest = (body: string, uses = USES): readonly [string, string] => [
  'test/mul.test.js',
  NODE_HEAD + uses + body,
];
export const nodeSource = (content: string): readonly [string, string] => ['src/mul.js', content];
export const vitestTest = (body: string): readonly [string, string] => [
  'test/mul.test.js',
  `import { expect, it, vi } from 'vitest';\n${USES}${body}`,
];
export const pyTest = (body: string): readonly [string, string] => [
  'test_mul.py',
  `import unittest\nfrom mul import mul\n\n\nclass Multiplies(unittest.TestCase):\n${body}`,
];
export const pySource = (content: string): readonly [string, string] => ['mul.py', content];

/** What a project of each runner begins with: a suite that passes. */
export const PROJECTS: Readonly<Record<Runner, Readonly<Record<string, string>>>> = {
  'node-test': {
    'package.json': '{ "name": "cheat", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'test/add.test.js': `${NODE_HEAD}import { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n`,
  },
  phpunit: {
    'composer.json': '{ "name": "own/cheat", "require-dev": { "phpunit/phpunit": "*" } }\n',
    'phpunit.xml':
      '<phpunit bootstrap="bootstrap.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
    'bootstrap.php':
      "<?php\nspl_autoload_register(function ($name) { $file = __DIR__ . '/src/' . basename(str_replace('\\\\', '/', $name)) . '.php'; if (is_file($file)) require_once $file; });\n",
    'src/Add.php':
      '<?php\nfinal class Add\n{\n    public static function add(int $a, int $b): int\n    {\n        return $a + $b;\n    }\n}\n',
    'tests/AddTest.php':
      '<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class AddTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, Add::add(1, 2));\n    }\n}\n',
  },
  vitest: {
    'package.json': '{ "name": "cheat", "type": "module", "scripts": { "test": "vitest run" } }\n',
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'test/add.test.js':
      "import { expect, it } from 'vitest';\nimport { add } from '../src/add.js';\nit('adds', () => expect(add(1, 2)).toBe(3));\n",
  },
  jest: {
    'package.json': '{ "name": "cheat", "scripts": { "test": "jest" } }\n',
    'src/add.js': 'exports.add = (a, b) => a + b;\n',
    'test/add.test.js': "const { add } = require('../src/add');\ntest('adds', () => expect(add(1, 2)).toBe(3));\n",
  },
  mocha: {
    'package.json': '{ "name": "cheat", "scripts": { "test": "mocha" } }\n',
    'src/add.js': 'exports.add = (a, b) => a + b;\n',
    'test/add.js':
      "const assert = require('node:assert');\nconst { add } = require('../src/add');\nit('adds', () => assert.equal(add(1, 2), 3));\n",
  },
  pytest: {
    'add.py': 'def add(a, b):\n    return a + b\n',
    'test_add.py': 'from add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
  },
  unittest: {
    'add.py': 'def add(a, b):\n    return a + b\n',
    'test_add.py':
      'import unittest\nfrom add import add\n\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n',
  },
  'go-test': {
    'go.mod': 'module shop\n\ngo 1.21\n',
    'add.go': 'package shop\n\nfunc Add(a, b int) int { return a + b }\n',
    'add_test.go':
      'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("bad")\n\t}\n}\n',
  },
  'cargo-test': {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
    'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(shop::add(1, 2), 3);\n}\n',
    '.gitignore': 'target\n',
  },
  'bun-test': {
    'package.json': '{ "name": "cheat", "type": "module", "scripts": { "test": "bun test" } }\n',
    'src/add.ts': 'export const add = (a: number, b: number): number => a + b;\n',
    'test/add.test.ts':
      "import { expect, test } from 'bun:test';\nimport { add } from '../src/add.ts';\ntest('adds', () => expect(add(1, 2)).toBe(3));\n",
  },
  'deno-test': {
    'deno.json': '{ "tasks": { "test": "deno test" } }\n',
    'src/add.ts': 'export const add = (a: number, b: number): number => a + b;\n',
    'test/add_test.ts':
      "import assert from 'node:assert/strict';\nimport { add } from '../src/add.ts';\nDeno.test('adds', () => assert.equal(add(1, 2), 3));\n",
  },
  maven: {
    'pom.xml': pom('shop', [JUPITER]),
    'src/main/java/shop/Add.java':
      'package shop;\n\npublic class Add {\n  public static int add(int a, int b) { return a + b; }\n}\n',
    'src/test/java/shop/AddTest.java':
      'package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n\nclass AddTest {\n  @Test void adds() { assertEquals(3, Add.add(1, 2)); }\n}\n',
    '.gitignore': 'target\n',
  },
  ctest: C_PROJECT,
  'django-test': DJANGO_SUITE,
  minitest: {
    'lib/add.rb': 'module Add\n  def self.add(a, b)\n    a + b\n  end\nend\n',
    'test/add_test.rb':
      'require "minitest/autorun"\nrequire "add"\n\nclass AddTest < Minitest::Test\n  def test_adds\n    assert_equal 3, Add.add(1, 2)\n  end\nend\n',
  },
  rspec: {
    '.rspec': '--require spec_helper\n',
    'lib/add.rb': 'module Add\n  def self.add(a, b)\n    a + b\n  end\nend\n',
    'spec/spec_helper.rb': 'RSpec.configure { |config| config.disable_monkey_patching! }\n',
    'spec/add_spec.rb':
      'require "add"\n\nRSpec.describe Add do\n  it("adds") { expect(Add.add(1, 2)).to eq(3) }\nend\n',
  },
};
