import { afterAll, expect, it } from 'vitest';
import type { Toolchain } from '../../../src/host/toolchains/toolchain.ts';
import { bunTest } from '../../../src/kernel/runners/bun-test/runner.ts';
import { cargoTest } from '../../../src/kernel/runners/cargo-test/runner.ts';
import { ctest } from '../../../src/kernel/runners/ctest/runner.ts';
import { denoTest } from '../../../src/kernel/runners/deno-test/runner.ts';
import { generic } from '../../../src/kernel/runners/generic/runner.ts';
import { goTest } from '../../../src/kernel/runners/go-test/runner.ts';
import { maven } from '../../../src/kernel/runners/maven/runner.ts';
import { minitest } from '../../../src/kernel/runners/minitest/runner.ts';
import { phpunit } from '../../../src/kernel/runners/phpunit/runner.ts';
import { rspec } from '../../../src/kernel/runners/rspec/runner.ts';
import type { Runner } from '../../../src/kernel/runners/runner.ts';
import { bunToolchain } from '../../support/bun-toolchain.ts';
import { C_PROJECT, GTEST_PROJECT } from '../../support/c-project.ts';
import { cxxOfHost } from '../../support/cxx-tools.ts';
import { denoToolchain } from '../../support/deno-toolchain.ts';
import { goToolchain } from '../../support/go-toolchain.ts';
import { JUPITER, mavenToolchain, pom } from '../../support/maven-toolchain.ts';
import { phpToolchain } from '../../support/php-toolchain.ts';
import { hasRspec, rubyToolchain } from '../../support/ruby-toolchain.ts';
import { rustToolchain } from '../../support/rust-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files, HostRunOptions } from './runner-on-host.ts';

const DEADLINE_MS = 600_000;
const hosts: RunnerOnHost[] = [];
afterAll(() => {
  for (const host of hosts) host.close();
});

interface Suite {
  readonly runner: Runner;
  /** null: this machine does not have it. */
  readonly toolchain: Toolchain | null;
  readonly files: Files;
  readonly counts: string;
  readonly options?: HostRunOptions;
}

const ruby = await rubyToolchain();
const none: Toolchain = { forTests: { name: 'none', path: [], env: {} }, mounts: [] };
const TAP = "printf '1..4\\nok 1 - a\\n    ok 1 - inner\\nnot ok 2 - b\\n# ok 9\\nok 3 - c # SKIP\\nok 4\\n'; exit 1";
const JAVA = 'package job;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\n';

const SUITES: Readonly<Record<string, Suite>> = {
  'go test': {
    runner: goTest,
    toolchain: await goToolchain(),
    files: {
      'go.mod': 'module example.com/job\n\ngo 1.24\n',
      'a/a_test.go':
        'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Run("in", func(t *testing.T) {}) }\nfunc TestB(t *testing.T) { t.Error("no") }\nfunc TestC(t *testing.T) { panic("no") }\nfunc TestD(t *testing.T) { t.Skip() }\n',
      'b/b_test.go': 'package b\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
    },
    counts: '6 2\n',
  },
  'cargo test': {
    runner: cargoTest,
    toolchain: await rustToolchain(),
    files: {
      'Cargo.toml': '[package]\nname = "job"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '',
      'tests/a.rs': '#[test] fn a() {}\n#[test] fn b() { assert_eq!(1, 2); }\n#[test] #[ignore] fn c() {}\n',
      'tests/b.rs': '#[test] fn a() {}\n',
    },
    counts: '4 1\n',
  },
  'bun test': {
    runner: bunTest,
    toolchain: await bunToolchain(),
    files: {
      'a.test.js':
        "import { describe, test } from 'bun:test';\ndescribe('s', () => { test('a', () => {}); test('b', () => { throw new Error('no'); }); });\ntest.skip('c', () => {});\n",
      'b.test.js': "import { test } from 'bun:test';\ntest('d', () => {});\n",
    },
    counts: '4 1\n',
  },
  'deno test': {
    runner: denoTest,
    toolchain: await denoToolchain(),
    files: {
      'a_test.js':
        "Deno.test('a', () => {});\nDeno.test('b', async (t) => { await t.step('in', () => { throw new Error('no'); }); });\nDeno.test({ name: 'c', ignore: true, fn() {} });\n",
      'b_test.js': "Deno.test('d', () => {});\n",
    },
    counts: '5 2\n',
  },
  'ctest without a framework': {
    runner: ctest,
    toolchain: cxxOfHost(),
    files: { ...C_PROJECT, 'tests/bad_test.c': 'int main(void) { return 1; }\n' },
    counts: '2 1\n',
  },
  'ctest with GoogleTest': {
    runner: ctest,
    toolchain: cxxOfHost('gtest'),
    files: {
      ...GTEST_PROJECT,
      'tests/bad_test.cpp':
        '#include <gtest/gtest.h>\nTEST(Bad, Fails) { EXPECT_EQ(1, 2); }\nTEST(Bad, Skips) { GTEST_SKIP(); }\n',
    },
    counts: '3 1\n',
  },
  'ctest with doctest': {
    runner: ctest,
    toolchain: cxxOfHost('doctest'),
    files: {
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.14)\nproject(shop CXX)\nenable_testing()\nadd_executable(a tests/a_test.cpp)\nadd_test(NAME a COMMAND a)\n',
      'tests/a_test.cpp':
        '#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\nTEST_CASE("a") { CHECK(1 == 1); }\nTEST_CASE("b") { CHECK(1 == 2); }\n',
    },
    counts: '2 1\n',
  },
  Maven: {
    runner: maven,
    toolchain: await mavenToolchain(),
    files: {
      'pom.xml': pom('job', [JUPITER]),
      'src/test/java/job/ATest.java': `${JAVA}class ATest { @Test void a() {} @Test void b() { assertEquals(1, 2); } @Test @Disabled void c() {} }\n`,
      'src/test/java/job/BTest.java': `${JAVA}class BTest { @Test void a() {} }\n`,
    },
    counts: '4 1\n',
  },
  minitest: {
    runner: minitest,
    toolchain: ruby,
    files: {
      'test/a_test.rb':
        'require "minitest/autorun"\nclass ATest < Minitest::Test\n  def test_a = assert(true)\n  def test_b = assert_equal(1, 2)\n  def test_c = skip\nend\n',
      'test/b_test.rb': 'require "minitest/autorun"\nclass BTest < Minitest::Test\n  def test_a = assert(true)\nend\n',
    },
    counts: '4 1\n',
  },
  rspec: {
    runner: rspec,
    toolchain: hasRspec(ruby) ? ruby : null,
    files: {
      'spec/a_spec.rb':
        'RSpec.describe "own" do\n  it("a") { expect(1).to eq(1) }\n  it("b") { expect(1).to eq(2) }\n  it("c") { skip }\nend\n',
      'spec/b_spec.rb': 'RSpec.describe "other" do\n  it("a") { expect(1).to eq(1) }\nend\n',
    },
    counts: '4 1\n',
  },
  PHPUnit: {
    runner: phpunit,
    toolchain: await phpToolchain(),
    files: {
      'ATest.php':
        '<?php\nclass ATest extends PHPUnit\\Framework\\TestCase\n{\npublic function testA() { $this->assertTrue(true); }\npublic function testB() { $this->assertSame(1, 2); }\npublic function testC() { $this->markTestSkipped(); }\n}\n',
      'BTest.php':
        '<?php\nclass BTest extends PHPUnit\\Framework\\TestCase\n{\npublic function testA() { $this->assertTrue(true); }\n}\n',
    },
    counts: '4 1\n',
  },
  'a command with TAP': {
    runner: generic,
    toolchain: none,
    files: { 'tests/a.sh': '' },
    counts: '4 1\n',
    options: { args: ['sh', '-c', TAP], command: { report: 'tap' } },
  },
};

it.for(Object.entries(SUITES))(
  '%s: the cases that have ended are counted, without canaries and repetitions',
  { timeout: DEADLINE_MS },
  async ([, { runner, toolchain, files, counts, options }], { skip }) => {
    if (toolchain === null) return skip();
    const { env, path } = toolchain.forTests;
    const host = new RunnerOnHost(runner, {
      ...(runner.program.endsWith('.mjs') ? { program: process.execPath } : {}),
      env: { ...env, PATH: [...path, process.env['PATH'] ?? ''].join(':') },
      deadlineMs: DEADLINE_MS,
    });
    hosts.push(host);
    expect(await host.counts(files, options)).toBe(counts);
  },
);
