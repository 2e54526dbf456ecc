import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import type { ChangeFacts } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);
const FACTS: ChangeFacts = { reported: [], isTest: (path) => path.startsWith('test/'), isCode: () => true, unread: [] };

type Runner = 'minitest' | 'define_method' | 'pytest' | 'unittest' | 'node:test';

/** A case with this body, in the form of its runner. */
const CASES: Readonly<Record<Runner, (body: string) => readonly [path: string, text: string]>> = {
  minitest: (body: string) => [
    'test/f_test.rb',
    `require "minitest/autorun"\nclass TestF < Minitest::Test\n  def test_f\n${body}\n  end\nend\n`,
  ],
  define_method: (body: string) => [
    'test/f_test.rb',
    `class TestF < Minitest::Test\n  [1, 2].each do |n|\n    define_method("test_#{n}") do\n${body}\n    end\n  end\nend\n`,
  ],
  pytest: (body: string) => ['test/test_f.py', `def test_f():\n${body.replace(/^/gm, '    ')}\n`],
  unittest: (body: string) => [
    'test/test_f.py',
    `import unittest\n\n\nclass TestF(unittest.TestCase):\n${body.replace(/^/gm, '    ')}\n`,
  ],
  'node:test': (body: string) => [
    'test/f.test.js',
    `import test from 'node:test';\nimport assert from 'node:assert';\ntest('f', () => {\n${body}\n});\n`,
  ],
};

async function kindsOf(runner: Runner, body: string): Promise<string[]> {
  const [path, after] = CASES[runner](body);
  const found = await inspectChange([{ path, role: 'test', before: null, after }], parse, FACTS);
  return [...new Set(found.map(({ kind }) => kind))];
}

const MAYBE = 'conditional-assertion';
const SWALLOWED = 'swallowed-assertion';

describe('a case whose assertions may not run, or may not count', () => {
  it.each<readonly [Runner, string, string]>([
    ['minitest', MAYBE, 'if f(1)\n  assert_equal 2, f(1)\nend'],
    ['minitest', MAYBE, 'unless f(1).nil?\n  assert_equal 2, f(1)\nend'],
    ['minitest', MAYBE, 'assert_equal 2, f(1) if f(2)'],
    ['minitest', MAYBE, 'while f(1)\n  assert_equal 2, f(1)\nend'],
    ['minitest', MAYBE, 'case f(1)\nwhen 2\n  assert_equal 2, f(1)\nend'],
    ['minitest', MAYBE, 'case f(1)\nin Integer\n  assert_equal 2, f(1)\nend'],
    ['minitest', MAYBE, 'begin\n  f(1)\nrescue ArgumentError => e\n  assert_equal "bad", e.message\nend'],
    ['minitest', MAYBE, '[].each do |n|\n  assert_equal 2, f(n)\nend'],
    ['minitest', MAYBE, '0.times do\n  assert_equal 2, f(1)\nend'],
    ['minitest', MAYBE, 'return\nassert_equal 2, f(1)'],
    ['minitest', MAYBE, 'return if f(2)\nassert_equal 2, f(1)'],
    ['minitest', MAYBE, 'skip "later"\nassert_equal 2, f(1)'],
    ['define_method', 'no-assertion', 'f(n)'],
    ['define_method', MAYBE, 'assert_equal 2, f(n) if f(2)'],
    ['define_method', SWALLOWED, 'assert_equal(2, f(n)) rescue nil'],
    ['pytest', MAYBE, 'if f(1):\n    assert f(1) == 2'],
    ['pytest', MAYBE, 'if f(1):\n    assert f(1) == 2\nelse:\n    f(2)'],
    ['pytest', MAYBE, 'return\nassert f(1) == 2'],
    ['pytest', MAYBE, 'if f(2):\n    return\nassert f(1) == 2'],
    ['pytest', MAYBE, 'try:\n    f(1)\nexcept ValueError as error:\n    assert str(error) == "bad"'],
    ['node:test', MAYBE, 'switch (f(1)) { case 2: assert.equal(f(1), 2); }'],
    ['node:test', MAYBE, 'f(1) ? assert.equal(f(1), 2) : null;'],
    ['node:test', MAYBE, 'f(1) || assert.equal(f(1), 2);'],
    ['node:test', MAYBE, 'f(1) ?? assert.equal(f(1), 2);'],
    ['minitest', 'unawaited-assertion', 'Thread.new { assert_equal 2, f(1) }'],
    ['minitest', 'unawaited-assertion', 'check = -> { assert_equal 2, f(1) }'],
    ['minitest', SWALLOWED, 'assert_equal(2, f(1)) rescue nil'],
    ['minitest', SWALLOWED, 'catch(:done) do\n  assert_equal 2, f(1)\nend'],
    ['minitest', SWALLOWED, 'begin\n  assert_equal 2, f(1)\nrescue Exception\nend'],
    ['minitest', SWALLOWED, 'assert_equal 2, f(1)\nensure\n  return'],
    ['minitest', SWALLOWED, 'assert_raises(Exception) do\n  assert_equal 2, f(1)\nend'],
    ['pytest', SWALLOWED, 'try:\n    assert f(1) == 2\nexcept:\n    pass'],
    ['pytest', SWALLOWED, 'try:\n    assert f(1) == 2\nexcept AssertionError:\n    pass'],
    ['pytest', SWALLOWED, 'with contextlib.suppress(AssertionError):\n    assert f(1) == 2'],
    ['pytest', SWALLOWED, 'with pytest.raises(AssertionError):\n    assert f(1) == 2'],
  ])('%s: %s in %j', async (runner, kind, body) => {
    expect(await kindsOf(runner, body)).toContain(kind);
  });
});

describe('a case whose assertions run and count', () => {
  it.each<readonly [Runner, string]>([
    ['minitest', 'assert_equal 2, f(1)'],
    ['minitest', 'if f(1)\n  assert_equal 2, f(1)\nelse\n  assert_nil f(1)\nend'],
    ['minitest', 'assert_equal 2, f(1)\nreturn'],
    ['minitest', 'assert_equal 2, f(1)\nensure\n  f(0)'],
    ['minitest', '[1, 2].each do |n|\n  assert_equal 2, f(n)\nend'],
    ['minitest', 'Thread.new { assert_equal 2, f(1) }.join'],
    ['minitest', 'check = -> { assert_equal 2, f(1) }\ncheck.call'],
    ['minitest', 'error = assert_raises(ArgumentError) { f(nil) }\nassert_equal "bad", error.message'],
    ['define_method', 'assert_equal 2, f(n)'],
    ['pytest', 'if f(1):\n    assert f(1) == 2\nelse:\n    assert f(1) is None'],
    ['pytest', 'try:\n    assert f(1) == 2\nfinally:\n    f(0)'],
    ['pytest', 'with open(f(1)) as file:\n    assert file.read() == "x"'],
    ['pytest', 'with pytest.raises(ValueError):\n    f(None)'],
    ['unittest', 'def test_f(self):\n    self.assertEqual(f(1), 2)'],
    ['node:test', 'assert.equal(f(1), 2);'],
    ['node:test', 'if (f(1)) assert.equal(f(1), 2); else assert.equal(f(1), 0);'],
    ['node:test', 'try { f(1); assert.fail("no error"); } catch (error) { assert.match(error.message, /bad/); }'],
  ])('%s: %j', async (runner, body) => {
    expect(await kindsOf(runner, body)).toEqual([]);
  });
});
