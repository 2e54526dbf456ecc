import { describe, expect, it } from 'vitest';
import { withoutTest } from '../../bin/tryout/test-text.ts';

describe('a test file without one test', () => {
  it.each<[path: string, name: string, text: string, rest: string | null]>([
    [
      'tests/test_a.py',
      'TestA.test_b[1-2]',
      'class TestA:\n    def test_a(self):\n        pass\n\n    @each\n    def test_b(\n        self,\n    ):\n        pass\n\n    x = 1\n',
      null,
    ],
    [
      'tests/test_a.py',
      'test_b[1-2]',
      'def test_a():\n    pass\n\n\n@each\ndef test_b(\n    x\n):\n    pass\n\n\nx = 1\n',
      'def test_a():\n    pass\n\n\n\nx = 1\n',
    ],
    [
      'tests/test_a.py',
      'test_b[1]',
      'x = 1\n\n\n@each(\n    "n", [1]\n)\n@slow\ndef test_b(n):\n    pass\n',
      'x = 1\n\n',
    ],
    ['src/lib.rs', 'tests::b', 'fn b() {}\nmod tests {\n    #[test]\n    fn b_c() {\n        ok();\n    }\n}\n', null],
    [
      'tests/a.rs',
      'tests::b',
      'mod tests {\n    // About b.\n    #[test]\n    fn b() {\n        ok();\n    }\n}\n',
      'mod tests {\n}\n',
    ],
    ['a_test.go', 'TestB/first', 'func TestB(t *testing.T) {\n\tb()\n}\n\nvar x = 1\n', '\nvar x = 1\n'],
    [
      'test/a.js',
      'a > b',
      "describe('a', () => {\n  it('b', () => {\n    ok();\n  });\n});\n",
      "describe('a', () => {\n});\n",
    ],
    ['test/a.js', 'a > b', "it('b', one);\nit('b', two);\n", null],
    ['ATest.java', 'b()', 'class ATest {\n    @Test\n    void b() {\n        ok();\n    }\n}\n', 'class ATest {\n}\n'],
  ])('%s: %s', (path, name, text, rest) => {
    expect(withoutTest(path, text, name)).toBe(rest);
  });
});
