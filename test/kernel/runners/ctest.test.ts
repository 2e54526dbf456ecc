import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { ctest } from '../../../src/kernel/runners/ctest/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { compiledHeader, hasCxx, hasFramework } from '../../support/cxx-tools.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';

const DEADLINE_MS = 600_000;
const describeGtest = describe.skipIf(!hasFramework('gtest'));
const describeC = describe.skipIf(!hasCxx());

let projects = 0;
const together = {
  get 'CMakeLists.txt'(): string {
    const below = Array.from({ length: projects }, (_, at) => `add_subdirectory(p${String(at).padStart(3, '0')})`);
    return `cmake_minimum_required(VERSION 3.14)\nproject(all C CXX)\nenable_testing()\n${below.join('\n')}\n`;
  },
};
const header = hasFramework('gtest') ? compiledHeader('gtest') : null;
/** Small projects, as directories of one: it is configured once. */
const host = new RunnerOnHost(ctest, {
  program: process.execPath,
  packages: together,
  env: header === null ? {} : { CPATH: header.path },
  deadlineMs: DEADLINE_MS,
});
const alone = new RunnerOnHost(ctest, { program: process.execPath, deadlineMs: DEADLINE_MS });
beforeAll(async () => {
  if (hasFramework('gtest')) await host.playTogether();
}, DEADLINE_MS);
afterAll(() => {
  host.close();
  alone.close();
  header?.remove();
});

const ADD = {
  'add.cpp': '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
  'add.h': '#pragma once\nnamespace shop { struct Cart { int size() const { return 1; } }; }\nint add(int, int);\n',
};
const TEST = 'tests/add_test.cpp';
const HEAD = '#include <gtest/gtest.h>\n#include "../add.h"\n';

function lists(name: string, more = ''): string {
  return `find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(${name}_test ${TEST} add.cpp)
target_link_libraries(${name}_test GTest::gtest_main)
gtest_discover_tests(${name}_test)
${more}`;
}

/** The run of a project with one test file, together with those of other tests. */
function played(body: string, files: Files = {}, more = '', head = HEAD): () => Promise<TestRun> {
  const name = `p${(projects += 1)}`;
  return host.together({ 'CMakeLists.txt': lists(name, more), ...ADD, [TEST]: `${head}${body}\n`, ...files });
}

function statuses(of: TestRun): Record<string, string> {
  return Object.fromEntries(of.cases.map((each) => [each.name, each.status]));
}

const BAD = 'TEST(Add, Bad) { EXPECT_EQ(1, 2); }';

describeGtest('a run of GoogleTest by CTest', () => {
  const all = played(`#include <stdexcept>
TEST(Add, Right) { EXPECT_EQ(3, add(1, 2)); }
TEST(Add, Wrong) { EXPECT_EQ(4, add(1, 2)) << "sum"; }
TEST(Add, DISABLED_Later) { EXPECT_EQ(4, add(1, 2)); }
TEST(Add, Skips) { GTEST_SKIP() << "not here"; }
TEST(Add, Throws) { throw std::runtime_error("no"); }
TEST(Add, Aborts) { __builtin_trap(); }
class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, AreSmall) { EXPECT_LT(GetParam(), 2); }
INSTANTIATE_TEST_SUITE_P(Some, Numbers, testing::Values(1, 2));
`);

  it('lists every case with its suite, its status and how it failed', async () => {
    const run = await all();
    expect(statuses(run)).toEqual({
      'Add > Right': 'passed',
      'Add > Wrong': 'failed',
      'Add > DISABLED_Later': 'skipped',
      'Add > Skips': 'skipped',
      'Add > Throws': 'failed',
      'Add > Aborts': 'failed',
      'Some/Numbers > AreSmall/0': 'passed',
      'Some/Numbers > AreSmall/1': 'failed',
    });
    expect(run.cases.every(({ file }) => file === TEST)).toBe(true);
    const failures = Object.fromEntries(run.cases.map(({ name, failure }) => [name, failure]));
    const says = (text: string) => expect.stringContaining(text) as unknown;
    expect(failures).toMatchObject({
      'Add > Wrong': { kind: 'assertion', message: says('add(1, 2)\n    Which is: 3\nsum') },
      'Add > Throws': { kind: 'error', message: says('C++ exception with description "no"') },
      'Add > Aborts': { kind: 'error', message: says('it was ended by SIG') },
    });
  });

  const two = played(
    'TEST(Add, One) { EXPECT_EQ(3, add(1, 2)); }',
    { 'tests/sub_test.cpp': `${HEAD}TEST(Sub, Two) { EXPECT_EQ(-1, add(1, -2)); }\n` },
    'add_executable(two_tests tests/add_test.cpp tests/sub_test.cpp add.cpp)\ntarget_link_libraries(two_tests GTest::gtest_main)\nadd_test(NAME two COMMAND two_tests)\n',
  );
  it('gives each case to the file that it is written in, by the program where there are two', async () => {
    const run = await two();
    expect(run.outcome).toBe('passed');
    expect(run.cases.map(({ file, name }) => `${file} ${name}`).sort()).toEqual([
      `${TEST} ${run.cases[0]?.name ?? ''}`,
      'tests/add_test.cpp two_tests > Add > One',
      'tests/sub_test.cpp Sub > Two',
    ]);
  });

  const unknown = played(BAD, { 'tests/other_test.cpp': `${HEAD}${BAD}\n` });
  it('leaves out a file that no program of a test is built of', async () => {
    const run = await unknown();
    expect(run.files).toEqual([TEST]);
    expect(run.cases).toContainEqual(expect.objectContaining({ file: 'tests/other_test.cpp', status: 'skipped' }));
  });

  it.each<[string, () => Promise<TestRun>, boolean]>(
    (
      [
        ['a function', 'TEST(Add, X) { EXPECT_EQ(1, missing(1)); }', true],
        ['a function of a namespace', 'TEST(Add, X) { EXPECT_EQ(1, shop::missing(1)); }', true],
        ['a type of a namespace', 'TEST(Add, X) { shop::Missing x; }', true],
        ['a member', 'TEST(Add, X) { EXPECT_EQ(1, shop::Cart().missing()); }', true],
        ['a parameter', 'TEST(Add, X) { EXPECT_EQ(1, add(1)); }', true],
        ['a header', '#include "../missing.h"\nTEST(Add, X) { EXPECT_EQ(1, 1); }', true],
        ['a definition', 'int missing(int);\nTEST(Add, X) { EXPECT_EQ(1, missing(1)); }', true],
        ['a header of somebody else', '#include <missing.h>\nTEST(Add, X) { EXPECT_EQ(1, 1); }', false],
        ['nothing but a bracket', 'TEST(Add, X) { EXPECT_EQ(1, 1);', false],
        ['a variable of its own', 'TEST(Add, X) { EXPECT_EQ(1, missing); }', false],
        ['a member of a library', 'TEST(Add, X) { EXPECT_EQ(1, std::string().missing()); }', false],
        ['the right type', 'TEST(Add, X) { int a = "a"; }', false],
      ] as const
    ).map(([name, body, inside]) => [name, played(body), inside]),
  )('a build that lacks %s is not loaded', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure).toMatchObject({ kind: 'load', message: expect.stringMatching(/error|undefined/) as unknown });
    const specifier = failure?.missing?.specifier ?? '';
    const root = `${specifier.split('/project/')[0] ?? ''}/project`;
    expect(resolvesInside(root, TEST, specifier)).toBe(inside);
  });

  it.each<[string, () => Promise<TestRun>, RegExp]>([
    [
      'an assertion that is another macro',
      played(BAD, {}, '', `${HEAD}#undef EXPECT_EQ\n#define EXPECT_EQ(a, b) (void)((a) == (b))\n`),
      /tampered/,
    ],
    [
      'a main that says that all is well',
      played(
        `${BAD}\nint main(int c, char **v) { testing::InitGoogleTest(&c, v); if (RUN_ALL_TESTS()) return 0; return 0; }`,
      ),
      /tampered/,
    ],
    ['a process that ends before it runs anything', played(`${BAD}\nstatic int ended = (std::exit(0), 1);`), / 0$/],
    ['a case that ends the process', played(`TEST(Add, Ends) { std::exit(0); }\n${BAD}`), /failed/],
    [
      'a filter of its own',
      played(
        `TEST(Add, Good) {}\n${BAD}\nint main(int c, char **v) { testing::InitGoogleTest(&c, v); testing::GTEST_FLAG(filter) = "*Good"; return RUN_ALL_TESTS(); }`,
      ),
      /tampered/,
    ],
  ])('%s hides no failure', async (_, result, outcome) => {
    const run = await result();
    expect(`${run.outcome} ${run.cases.filter(({ status }) => status === 'passed').length}`).toMatch(outcome);
    expect(run.cases.filter(({ name, status }) => /Bad|Ends/.test(name) && status === 'passed')).toEqual([]);
  });
});

const C_LISTS = 'cmake_minimum_required(VERSION 3.14)\nproject(shop C)\nenable_testing()\n';
const C_ADD = {
  'add.h': 'int add(int a, int b);\n',
  'add.c': '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
};

describeC('a run of programs without a framework by CTest', () => {
  const program = (name: string, properties = ''): string =>
    `add_executable(${name} tests/${name}.c add.c)\nadd_test(NAME ${name} COMMAND ${name})\n${properties === '' ? '' : `set_tests_properties(${name} PROPERTIES ${properties})\n`}`;
  const asks = (condition: string): string =>
    `#include <assert.h>\n#include "../add.h"\nint main(void) {\n  assert(${condition});\n  return 0;\n}\n`;

  it('takes each test of ctest for a case, by what CMakeLists.txt sets of it', { timeout: DEADLINE_MS }, async () => {
    const run = await alone.run({
      ...C_ADD,
      'CMakeLists.txt': `${C_LISTS}${program('right')}${program('wrong')}${program('ends')}${program('off', 'DISABLED TRUE')}${program('planned', 'WILL_FAIL TRUE')}${program('skips', 'SKIP_RETURN_CODE 4')}${program('macro')}`,
      'tests/right.c': asks('add(1, 2) == 3'),
      'tests/wrong.c': asks('add(1, 2) == 4'),
      'tests/ends.c': '#include "../add.h"\nint main(int c, char **v) { (void)v; return add(c, 1); }\n',
      'tests/off.c': asks('add(1, 2) == 3'),
      'tests/planned.c': '#include "../add.h"\nint main() { return add(1, 0); }\n',
      'tests/skips.c': 'int main(void) { return 4; }\n',
      'tests/macro.c': '#define MAIN int main(void)\n#include <stdio.h>\nMAIN { puts("macro"); return 0; }\n',
    });
    expect({ outcome: run.outcome, ...statuses(run) }, run.output).toEqual({
      outcome: 'failed',
      right: 'passed',
      wrong: 'failed',
      ends: 'failed',
      off: 'skipped',
      planned: 'todo',
      skips: 'skipped',
      macro: 'passed',
    });
    const failures = Object.fromEntries(run.cases.map(({ name, failure }) => [name, failure]));
    expect(failures['wrong']).toMatchObject({
      kind: 'assertion',
      message: expect.stringContaining('add(1, 2) == 4') as unknown,
    });
  });

  it.each<[string, Files, string]>([
    ['an assertion without effect', { 'tests/a.c': `#define NDEBUG\n${asks('add(1, 2) == 4')}` }, ''],
    [
      'a process that ends well before its main',
      {
        'tests/a.c': asks('add(1, 2) == 4'),
        'add.c': `${C_ADD['add.c']}#include <unistd.h>\n__attribute__((constructor)) static void ends(void) { _exit(0); }\n`,
      },
      '',
    ],
    [
      'a process that ends well whatever it returns',
      {
        'tests/a.c': '#include "../add.h"\nint main(void) { return add(1, 2) != 4; }\n',
        'add.c': `${C_ADD['add.c']}#include <stdlib.h>\n#include <unistd.h>\nstatic void well(void) { _exit(0); }\n__attribute__((constructor)) static void ends(void) { atexit(well); }\n`,
      },
      '',
    ],
    ['assertions that are compiled away', { 'tests/a.c': asks('add(1, 2) == 4') }, 'add_compile_definitions(NDEBUG)\n'],
  ])('%s is tampered with', { timeout: DEADLINE_MS }, async (_, files, more) => {
    const run = await alone.run({ ...C_ADD, 'CMakeLists.txt': `${C_LISTS}${more}${program('a')}`, ...files });
    expect(run.outcome, run.output).toBe('tampered');
  });

  it('says what to do where a library is to be downloaded', { timeout: DEADLINE_MS }, async () => {
    const download =
      'include(FetchContent)\nFetchContent_Declare(thing GIT_REPOSITORY http://127.0.0.1:9/thing.git)\nFetchContent_MakeAvailable(thing)\n';
    const run = await alone.run({
      ...C_ADD,
      'CMakeLists.txt': `${C_LISTS}${download}${program('a')}`,
      'tests/a.c': asks('1'),
    });
    expect(run.cases[0]?.failure).toMatchObject({
      kind: 'load',
      message: expect.stringContaining('a sandbox has no network') as unknown,
    });
  });

  it(
    'takes a source that CMakeLists.txt names and nobody has written for missing',
    { timeout: DEADLINE_MS },
    async () => {
      const lists = `${C_LISTS}add_executable(a tests/a.c mul.c)\nadd_test(NAME a COMMAND a)\n`;
      const run = await alone.run({ ...C_ADD, 'CMakeLists.txt': lists, 'tests/a.c': asks('1') });
      expect(run.cases[0]?.failure?.missing).toBeDefined();
    },
  );
});
