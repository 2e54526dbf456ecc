import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function kinds(role: 'test' | 'source', path: string, after: string): Promise<string[]> {
  const facts = { reported: [], isTest: () => role === 'test', isCode: () => true, unread: [] };
  const found = await inspectChange([{ path, role, before: null, after }], parse, facts);
  return [...new Set(found.map(({ kind }) => kind))];
}

describe('a source of C or C++', () => {
  it.each([
    ['a counter in a function', 'int mul(int a, int b) {\n  static int n = 0;\n  n += 1;\n  return n;\n}\n'],
    ['a counter of the file', 'static int n = 0;\n\nint mul(int a, int b) { return ++n; }\n'],
    ['the environment', 'int mul(int a, int b) { return getenv("A") ? a * b : 0; }\n'],
    ['the end of the process', 'int mul(int a, int b) { _exit(0); }\n'],
    ['an attribute', '__attribute__((constructor)) static void f(void) { g(); }\n'],
    ['an operator of comparison', 'bool operator==(const A &, const A &) { return true; }\n'],
    ['none of its arguments', 'int mul(int a, int *b) { return 42; }\n'],
    ['a macro', '#define assert(x) ((void)0)\n'],
    ['a header of tests', '#include <gtest/gtest.h>\n'],
    ['a function of the C library', 'void __assert_fail(const char *a) {}\n'],
    ['the name of the program', 'int f(void) { return program_invocation_name[0]; }\n'],
  ])('with %s is not examined', async (_, after) => {
    expect(await kinds('source', 'src/mul.cpp', after)).toContain('not-examined');
  });

  it.each([
    ['a function', '#include "shop.h"\n\nint mul(int a, int b) { return a * b; }\n'],
    [
      'a class in a header',
      '#ifndef SHOP_MUL_H\n#define SHOP_MUL_H\n\n#include <vector>\n\nclass Mul {\npublic:\n  int of(int a, int b) const { return a * b; }\n\nprivate:\n  std::vector<int> seen;\n};\n\n#endif\n',
    ],
    [
      'constants and loops',
      'constexpr int kMost = 7;\nstatic const int sizes[] = {1, 2};\n\nint sum(int n) {\n  int all = 0;\n  for (int i = 0; i < n; i++) all += sizes[i % 2];\n  return all;\n}\n',
    ],
  ])('with %s has no findings', async (_, after) => {
    expect(await kinds('source', 'src/mul.h', after)).toEqual([]);
  });
});

describe('a test of C or C++', () => {
  const google = (body: string): string => `#include "mul.h"\n\n#include <gtest/gtest.h>\n\n${body}\n`;
  it.each([
    ['a case of GoogleTest', google('TEST(Mul, Of) { EXPECT_EQ(mul(6, 7), 42); }')],
    ['a case of Catch2', '#include <catch2/catch.hpp>\n\nTEST_CASE("mul") { REQUIRE(mul(6, 7) == 42); }\n'],
    ['assertions in main', '#include <assert.h>\n\nint main(void) {\n  assert(mul(6, 7) == 42);\n  return 0;\n}\n'],
    [
      'a main that returns early',
      '#include <assert.h>\n\nvoid main(void) {\n  assert(mul(6, 7) == 42);\n  return;\n}\n',
    ],
    ['a result of main', 'int main(void) { return mul(6, 7) != 42; }\n'],
  ])('with %s has no findings', async (_, after) => {
    expect(await kinds('test', 'tests/mul_test.cpp', after)).toEqual([]);
  });

  it('compares constants alone where main returns such a comparison', async () => {
    const text = 'int main(void) {\n  mul(6, 7);\n  return 42 != 42;\n}\n';
    expect(await kinds('test', 'tests/mul_test.cpp', text)).toContain('constant-assertion');
    const called = 'int main(void) {\n  return mul(6, 7) != 42;\n}\n';
    expect(await kinds('test', 'tests/mul_test.cpp', called)).not.toContain('constant-assertion');
  });

  it.each([
    ['no assertion', google('TEST(Mul, Of) { mul(6, 7); }')],
    ['an assertion that is caught', google('TEST(Mul, Of) { try { ASSERT_EQ(mul(6, 7), 42); } catch (...) { } }')],
    ['an assertion in a branch', google('TEST(Mul, Of) { if (mul(6, 7) == 42) EXPECT_EQ(mul(6, 7), 42); }')],
    ['constants alone in main', '#include <assert.h>\n\nint main(void) {\n  mul(6, 7);\n  assert(42 == 42);\n}\n'],
    ['constants alone', google('TEST(Mul, Of) { EXPECT_EQ(42, 42); }')],
    ['a case that is off', google('TEST(Mul, DISABLED_Of) { EXPECT_EQ(mul(6, 7), 42); }')],
    [
      'a macro in place of an assertion',
      google('#define EXPECT_EQ(a, b)\nTEST(Mul, Of) { EXPECT_EQ(mul(6, 7), 42); }'),
    ],
    ['a result of main without a question', 'int main(void) {\n  mul(6, 7);\n  return 0;\n}\n'],
  ])('with %s has a finding', async (_, after) => {
    expect(await kinds('test', 'tests/mul_test.cpp', after)).not.toEqual([]);
  });
});
