import { afterAll, describe, expect, it } from 'vitest';
import { minitest } from '../../../src/kernel/runners/minitest/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { rubyToolchain } from '../../support/ruby-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const toolchain = await rubyToolchain();
/** Left out where the machine has no Ruby. */
const describeHere = describe.skipIf(toolchain === null);
const host = new RunnerOnHost(minitest, {
  env: { ...toolchain?.forTests.env, PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: 30_000,
});
const start = host.run.bind(host);
afterAll(() => {
  host.close();
});

/** A test file with one class; `body` is its methods. */
const tests = (body: string, head = ''): string =>
  `require "minitest/autorun"\n${head}\nclass OwnTest < Minitest::Test\n${body}\nend\n`;
const BAD = 'def test_bad = assert_equal(1, 2)';
const MUL = {
  'lib/mul.rb': 'module Mul\n  def self.mul(a, b)\n    a * b\n  end\n\n  def self.other\n    1\n  end\nend\n',
};

describeHere('a run of minitest', () => {
  it('lists every case with its file, its full name, its status and how it failed', async () => {
    const run = await start({
      ...MUL,
      'test/test_helper.rb': 'require "minitest/autorun"\nrequire "mul"\n',
      'test/mul_test.rb': `require "test_helper"
class MulTest < Minitest::Test
  parallelize_me!
  def test_right = assert_equal(42, Mul.mul(6, 7))
  def test_wrong = assert_equal(1, 2, "sum")
  def test_throwing = nil.nothing
  def test_later = skip
end
describe Mul do
  describe "of numbers" do
    it("multiplies") { _(Mul.mul(6, 7)).must_equal 42 }
    it("errs") { _(Mul.mul(6, 7)).must_equal 41 }
  end
end
`,
      'test/sub/test_other.rb': tests('def test_x = assert(true)'),
    });
    expect(run.outcome).toBe('failed');
    expect(statuses(run)).toEqual({
      'test/mul_test.rb MulTest > test_right': 'passed',
      'test/mul_test.rb MulTest > test_wrong': 'failed',
      'test/mul_test.rb MulTest > test_throwing': 'failed',
      'test/mul_test.rb MulTest > test_later': 'skipped',
      'test/mul_test.rb Mul > of numbers > multiplies': 'passed',
      'test/mul_test.rb Mul > of numbers > errs': 'failed',
      'test/sub/test_other.rb OwnTest > test_x': 'passed',
    });
    const failure = (name: string) => run.cases.find((each) => each.name.endsWith(name))?.failure;
    expect(failure('test_wrong')).toEqual({ kind: 'assertion', message: 'sum.\nExpected: 1\n  Actual: 2' });
    expect(failure('test_throwing')).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/^NoMethodError: undefined method/) as unknown,
    });
  });

  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const run = await start({ 'test_a.rb': tests('def test_x = assert(true)') });
    expect(run).toMatchObject({ outcome: 'passed', files: ['test_a.rb'] });
    expect(run.cases.map(({ name }) => name)).toEqual(['OwnTest > test_x']);
  });

  it.each([
    ['a file in lib', 'require "nothing/such"', '/lib/nothing/such.rb', undefined, true],
    ['a file beside it', 'require_relative "../lib/none"', '/lib/none.rb', undefined, true],
    ['a constant', 'Nothing', '/(package)', 'Nothing', true],
    ['a constant of a module of the project', 'require "mul"\nMul::Deep', '/(package)', 'Mul::Deep', true],
    ['a constant of the library', 'File::Nothing', undefined, undefined, false],
    ['a file of the library', 'require "json/nothing"', undefined, undefined, false],
    ['its helper', 'require "test_helper"', undefined, undefined, false],
  ])('says of %s that is missing whether the task may create it', async (_, line, path, name, inside) => {
    const run = await start({ ...MUL, 'test/a_test.rb': tests('def test_x = assert(true)', line) });
    expect(run.cases).toHaveLength(1);
    expect(run.cases[0]?.failure?.kind).toBe('load');
    const missing = run.cases[0]?.failure?.missing;
    expect(missing?.specifier.endsWith(path ?? '')).toBe(path === undefined ? undefined : true);
    expect(missing?.export).toBe(name);
    const root = missing?.specifier.replace(path ?? '', '') ?? '/project';
    expect(resolvesInside(root, 'test/a_test.rb', missing?.specifier ?? '')).toBe(inside);
  });

  it('counts the executed lines, and the line of a method only when it is called', async () => {
    const { lines } = await host.counted(
      { ...MUL, 'test/a_test.rb': tests('def test_x = assert_equal(6, Mul.mul(2, 3))', 'require "mul"') },
      ['lib/mul.rb'],
    );
    expect(lines).toEqual({ 'lib/mul.rb': [1, 2, 3, 4, 5] });
  });

  it('counts them beside a library for coverage', async () => {
    const { run, lines } = await host.counted(
      {
        ...MUL,
        'test/a_test.rb': tests(
          'def test_x = assert_equal(6, Mul.mul(2, 3))',
          'require "coverage"\nCoverage.start(oneshot_lines: true)\nrequire "mul"',
        ),
      },
      ['lib/mul.rb'],
    );
    expect(run.outcome).toBe('passed');
    expect(lines).toEqual({ 'lib/mul.rb': [1, 2, 3, 4, 5] });
  });

  it('lets tests have hooks, helpers, words for failures and assertions of their own', async () => {
    const run = await start({
      'test/a_test.rb': tests(
        'def setup = @a = 1\ndef mu_pp(value) = "<#{value}>"\ndef message(*) = super\ndef test_x = assert_one(@a)',
        'module Minitest::Assertions\n  def assert_one(value) = assert_equal(1, value)\nend\nclass Minitest::Test\n  def before_setup = super\nend',
      ),
    });
    expect(run).toMatchObject({ outcome: 'passed', cases: [{ name: 'OwnTest > test_x' }] });
  });
});

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [string, Files])[] = [
  ['failures that teardown takes away', { 'test_a.rb': tests(`def teardown = failures.clear\n${BAD}`) }],
  [
    'an assertion that a file in vendor replaces',
    {
      'vendor/tidy.rb': 'module Minitest::Assertions\n  def assert_equal(*) = true\nend\n',
      'test_a.rb': tests(BAD, 'require "./vendor/tidy"'),
    },
  ],
  ['exit!(0) in a test', { 'test_a.rb': tests(`def test_a = exit!(0)\n${BAD}`) }],
  ['exit!(0) while loading', { 'test_a.rb': 'exit!(0)\n' }],
  ['exit!(0) in the source', { 'lib/src.rb': 'exit!(0)\n', 'test_a.rb': tests(BAD, 'require "src"') }],
  ['exit(0) in a test', { 'test_a.rb': tests(`def test_a = exit(0)\n${BAD}`) }],
  ['exit(0) while loading', { 'test_a.rb': tests(BAD, 'exit(0)') }],
  ['at_exit that ends the process', { 'test_a.rb': tests(BAD, 'at_exit { exit!(0) }') }],
  ['exec of something that succeeds', { 'test_a.rb': tests(`def test_a = exec("/bin/true")\n${BAD}`) }],
  ['a thread that ends the process', { 'test_a.rb': tests('def test_a\n  Thread.new { exit!(0) }\n  sleep 0.2\nend') }],
  [
    'a stubbed assert_equal',
    { 'test_a.rb': tests(BAD, 'module Minitest::Assertions\n  def assert_equal(*) = true\nend') },
  ],
  [
    'a source that edits what is written to pipes',
    {
      'lib/src.rb': String.raw`module Tidy
  def syswrite(text) = super(text.sub(/"status":"failed"(.*),"failure":\{.*\}\}$/) { "\"status\":\"passed\"#{$1}}" })
end
$stderr.class.prepend(Tidy)
`,
      'test_a.rb': tests(BAD, 'require "src"'),
    },
  ],
  [
    'a source that stubs all assertions',
    {
      'lib/src.rb':
        'Minitest::Assertions.instance_methods.grep(/^assert/).each { |n| Minitest::Assertions.define_method(n) { |*| true } }\n',
      'test_a.rb': tests(BAD, 'require "src"'),
    },
  ],
  ['an assertion of the class itself', { 'test_a.rb': tests(`def assert_equal(*) = true\n${BAD}`) }],
  [
    'a stubbed assertion, written at the place of the real one',
    {
      'test_a.rb': tests(
        BAD,
        'file, line = Minitest::Assertions.instance_method(:assert_equal).source_location\nMinitest::Assertions.class_eval("def assert_equal(*) = true", file, line)',
      ),
    },
  ],
  [
    'a module in front of the tests',
    { 'test_a.rb': tests(BAD, 'module Quiet\n  def assert(*) = true\nend\nMinitest::Test.prepend(Quiet)') },
  ],
  [
    'an assertion that is stubbed while one test runs and put back by another',
    {
      'test_a.rb': tests(
        'def test_a\n  A.alias_method(:old, :assert_equal)\n  A.define_method(:assert_equal) { |*| true }\n  assert_equal(1, 2)\nend\ndef test_b = A.alias_method(:assert_equal, :old)',
        'A = Minitest::Assertions',
      ),
    },
  ],
  ['a class whose run is its own', { 'test_a.rb': tests(`def run = Minitest::Result.from(self)\n${BAD}`) }],
  [
    'a class that reports its own results',
    {
      'test_a.rb': tests(
        `def self.run(reporter, options = {})\n  reporter.prerecord(self, "test_bad")\n  result = Minitest::Result.new("test_bad")\n  result.klass = "OwnTest"\n  reporter.record(result)\nend\n${BAD}`,
      ),
    },
  ],
  ['failures that are thrown away', { 'test_a.rb': tests(BAD, 'class Minitest::Runnable\n  def failures = []\nend') }],
  [
    'exceptions that are not captured',
    {
      'test_a.rb': tests(
        BAD,
        'class Minitest::Test\n  def capture_exceptions\n    yield\n  rescue Exception\n  end\nend',
      ),
    },
  ],
  [
    'one method that is not run',
    {
      'test_a.rb': tests(
        BAD,
        'class << Minitest\n  alias_method :real, :run_one_method\n  def run_one_method(klass, name)\n    name == "test_bad" ? real(klass, "name") : real(klass, name)\n  end\nend',
      ),
    },
  ],
  ['numbers that are all equal', { 'test_a.rb': tests(BAD, 'class Integer\n  def ==(*) = true\nend') }],
  ['a raise that raises nothing', { 'test_a.rb': tests(BAD, 'module Kernel\n  def raise(*) = nil\nend') }],
  [
    'a line for the report, by all open files',
    {
      'test_a.rb': tests(
        'def test_a\n  ObjectSpace.each_object(IO) { |io| io.syswrite("{\\"event\\":\\"end\\"}\\n") rescue nil }\n  exit!(0)\nend',
      ),
    },
  ],
  ['the name of the runner itself', { 'test_a.rb': tests(BAD, 'RubyRun::Recorder.define_method(:record) { |*| }') }],
  [
    'the class of the reporter',
    {
      'test_a.rb': tests(
        BAD,
        'ObjectSpace.each_object(Class) { |c| c.define_method(:record) { |*| } if c.method_defined?(:prerecord) && c.name.to_s.end_with?("Recorder") }',
      ),
    },
  ],
  [
    'mocks that ask for nothing',
    {
      'test_a.rb': tests(
        'def test_a\n  m = Minitest::Mock.new\n  m.expect(:x, 1)\n  m.verify\nend',
        'class Minitest::Mock\n  def verify = true\nend',
      ),
    },
  ],
];

describeHere('a run that something meddles with is no green', () => {
  it.each(TRICKS)('%s', async (_, files) => {
    const run = await start(files);
    const green = run.outcome === 'passed' && run.cases.length > 0;
    expect(green, JSON.stringify(run)).toBe(false);
    const bad = run.cases.filter(({ name, status }) => name.endsWith('test_bad') && status === 'passed');
    expect(run.outcome === 'tampered' || bad.length === 0, JSON.stringify(run)).toBe(true);
  });
});

describeHere('a case that does not ask is no pass', () => {
  it.each([
    ['skip', 'def test_x = skip("later")'],
    ['skip in setup', 'def setup = skip\ndef test_x = assert(true)'],
    ['skip in teardown', 'def teardown = skip\ndef test_x = assert(true)'],
  ])('%s', async (_, body) => {
    const run = await start({ 'test_a.rb': tests(body) });
    expect(run.cases.map(({ status }) => status)).toEqual(['skipped']);
  });
});
