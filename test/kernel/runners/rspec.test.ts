import { afterAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { rspec } from '../../../src/kernel/runners/rspec/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { hasRspec, rubyToolchain } from '../../support/ruby-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';

const toolchain = await rubyToolchain();
/** Left out where the machine has no Ruby, or no RSpec. */
const describeHere = describe.skipIf(!hasRspec(toolchain));
const host = new RunnerOnHost(rspec, {
  env: { ...toolchain?.forTests.env, PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: 30_000,
});
afterAll(() => {
  host.close();
});

const specs = (body: string, head = ''): string => `${head}\nRSpec.describe "own" do\n${body}\nend\n`;
const BAD = 'it("bad") { expect(1).to eq(2) }';
const MUL = {
  'lib/mul.rb': 'module Mul\n  def self.mul(a, b)\n    a * b\n  end\n\n  def self.other\n    1\n  end\nend\n',
};

function statuses(of: TestRun): Record<string, string> {
  return Object.fromEntries(of.cases.map((each) => [each.name, each.status]));
}

describeHere('a run of RSpec', () => {
  it('is started by a process whose command line does not name the judge', async () => {
    const run = await host.run({
      'spec/a_spec.rb': specs('it("a") { raise File.read("/proc/#{Process.ppid}/cmdline").scrub }'),
    });
    const message = run.cases[0]?.failure?.message ?? '';
    expect(message).toContain('/dev/fd/9');
    expect(message).not.toMatch(/rspec-run|test-tool/);
  });

  it('passes failures that are gathered, expected and pending on as RSpec does', async () => {
    const run = await host.run({
      ...MUL,
      'spec/a_spec.rb': specs(
        'it("ordinary") { expect(1).to eq(1) }\nit("aggregates", :aggregate_failures) { expect(1).to eq(1); expect(2).to eq(2) }\nit("matches") { expect { expect(1).to eq(2) }.to raise_error(RSpec::Expectations::ExpectationNotMetError) }\nit("waits") { pending; expect(1).to eq(2) }',
      ),
    });
    expect(statuses(run)).toEqual({
      'own > ordinary': 'passed',
      'own > aggregates': 'passed',
      'own > matches': 'passed',
      'own > waits': 'todo',
    });
  });

  it('has a load failure where a helper fails after it has changed what can be loaded', async () => {
    const run = await host.run({
      '.rspec': '--require spec_helper\n',
      'spec/spec_helper.rb':
        '$LOAD_PATH.clear\nGem.paths = { "GEM_HOME" => "/nowhere" }\nraise LoadError, "no such gem"\n',
      'spec/a_spec.rb': specs(BAD),
    });
    expect(run.outcome).toBe('failed');
    expect(run.cases.map(({ failure }) => [failure?.kind, failure?.message])).toEqual([
      ['load', expect.stringContaining('no such gem')],
    ]);
  });

  const GATHERING =
    'RSpec.configure { |config| config.define_derived_metadata { |meta| meta[:aggregate_failures] = true } }\n';

  it('counts in a project that gathers the failures of every example', async () => {
    const run = await host.run({
      '.rspec': '--require spec_helper\n',
      'spec/spec_helper.rb': GATHERING,
      'spec/a_spec.rb': specs(
        `it("good") { expect(1).to eq(1) }\n${BAD}\nit("two") { expect(1).to eq(2); expect(1).to eq(3) }`,
      ),
    });
    expect(statuses(run)).toEqual({ 'own > good': 'passed', 'own > bad': 'failed', 'own > two': 'failed' });
    expect(run.outcome).toBe('failed');
  });

  it.each([
    [
      'drops what it gathered of one example',
      'alias was aggregate; def aggregate(&block) = RSpec.current_example.description == "bad" ? RSpec::Support.with_failure_notifier(self, &block) : was(&block)',
    ],
    ['gathers nothing', 'def call(*) = nil'],
  ])('takes a run for tampered whose gatherer %s', async (_, method) => {
    const run = await host.run({
      '.rspec': '--require spec_helper\n',
      'spec/spec_helper.rb': `${GATHERING}class RSpec::Expectations::FailureAggregator; ${method}; end\n`,
      'spec/a_spec.rb': specs(BAD),
    });
    expect(run.outcome).toBe('tampered');
  });

  it('lists every example with its groups, its status and how it failed', async () => {
    const run = await host.run({
      ...MUL,
      '.rspec': '--require spec_helper\n--format documentation\n--only-failures\n',
      'spec/spec_helper.rb':
        'require "mul"\nRSpec.configure do |config|\n  config.filter_run_when_matching :focus\n  config.order = :random\n  config.disable_monkey_patching!\nend\n',
      'spec/mul_spec.rb': `RSpec.describe Mul do
  let(:output) { 42 }
  describe ".mul" do
    it("multiplies") { expect(described_class.mul(6, 7)).to eq(output) }
    it("errs") { expect(Mul.mul(6, 7)).to eq(41) }
    it("throws") { nil.nothing }
    it { is_expected.to respond_to(:mul) }
    xit("is off") {}
    it("waits") { skip }
    it("pends") { pending; expect(1).to eq(2) }
    it("is fixed") { pending; expect(1).to eq(1) }
    it("is sent") { expect(double).to receive(:x) }
  end
end
`,
    });
    expect(run.outcome).toBe('failed');
    const names = statuses(run);
    expect(names).toEqual({
      'Mul > .mul > multiplies': 'passed',
      'Mul > .mul > errs': 'failed',
      'Mul > .mul > throws': 'failed',
      'Mul > .mul > is expected to respond to #mul': 'passed',
      'Mul > .mul > is off': 'skipped',
      'Mul > .mul > waits': 'skipped',
      'Mul > .mul > pends': 'todo',
      'Mul > .mul > is fixed': 'failed',
      'Mul > .mul > is sent': 'failed',
    });
    const kinds = Object.fromEntries(
      run.cases.map(({ name, failure }) => [name.split(' > ').at(-1) ?? '', failure?.kind]),
    );
    expect(kinds).toMatchObject({ errs: 'assertion', throws: 'error', 'is sent': 'assertion' });
  });

  it('passes when every example passes, with nothing of the canaries left in it', async () => {
    const run = await host.run({ 'spec/a_spec.rb': specs('it("holds") { expect(1).to eq(1) }') });
    expect(run).toMatchObject({ outcome: 'passed', files: ['spec/a_spec.rb'] });
    expect(run.cases.map(({ name }) => name)).toEqual(['own > holds']);
  });

  it.each([
    ['a file in lib', 'require "nothing/such"', '/lib/nothing/such.rb', undefined, true],
    ['a constant', 'RSpec.describe(Nothing) {}', '/(package)', 'Nothing', true],
    ['its helper', 'require "spec_helper"', undefined, undefined, false],
  ])('says of %s that is missing whether the task may create it', async (_, line, path, name, inside) => {
    const run = await host.run({ ...MUL, 'spec/a_spec.rb': specs(BAD, line) });
    expect(run.cases).toHaveLength(1);
    expect(run.cases[0]?.failure?.kind).toBe('load');
    const missing = run.cases[0]?.failure?.missing;
    expect(missing?.export).toBe(name);
    const root = missing?.specifier.replace(path ?? '', '') ?? '/project';
    expect(resolvesInside(root, 'spec/a_spec.rb', missing?.specifier ?? '')).toBe(inside);
  });

  it('counts the lines that run', async () => {
    const files = { ...MUL, 'spec/a_spec.rb': specs('it("a") { expect(Mul.mul(2, 3)).to eq(6) }', 'require "mul"') };
    expect((await host.counted(files, ['lib/mul.rb'])).lines).toEqual({ 'lib/mul.rb': [1, 2, 3, 4, 5] });
  });
});

/** Each would end green, or leave the failing example out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [string, Files])[] = [
  [
    'a gemspec whose code puts a gem in place of the runner',
    {
      Gemfile: 'gemspec\n',
      'own.gemspec':
        'require_relative "lib/version"\nGem::Specification.new { |s| s.name = "own"; s.version = "1"; s.summary = "x"; s.authors = ["x"]; s.files = [] }\n',
      'lib/version.rb': `require "tmpdir"
at = File.join(Dir.tmpdir, "own-data-#{Process.pid}")
Dir.mkdir(at)
Dir.mkdir(File.join(at, "rspec"))
File.write(File.join(at, "rspec/core.rb"), "RubyRun::Json.define_singleton_method(:quoted) { |text| text == 'failed' ? '\"passed\"' : text.inspect }")
fake = Gem::Specification.new { |s| s.name = "rspec-core"; s.version = "99" }
fake.define_singleton_method(:full_require_paths) { [at] }
Gem.loaded_specs["rspec-core"] = fake
`,
      'spec/a_spec.rb': specs(BAD),
    },
  ],
  ...['vendor/tidy.rb', 'vendor/bundle/tidy.rb'].map((path): readonly [string, Files] => [
    `a matcher that ${path} of the project replaces`,
    {
      [path]: 'class RSpec::Matchers::BuiltIn::Eq\n  def match(*) = true\nend\n',
      'spec/a_spec.rb': specs(BAD, `require "./${path}"`),
    },
  ]),
  [
    'a matcher that a file of the temporary directory replaces',
    {
      'spec/a_spec.rb': specs(
        BAD,
        'require "tempfile"\nf = Tempfile.new(["tidy", ".rb"])\nf.write("class RSpec::Matchers::BuiltIn::Eq\\n  def match(*) = true\\nend\\n")\nf.close\nload f.path',
      ),
    },
  ],
  [
    'a reporter that is asked for the judge',
    {
      'spec/a_spec.rb': specs(
        'it("bad") { r = RSpec.configuration.reporter; (r.kinds || {})[self.class] = "fail"; (r.instance_variable_get(:@run) || r).report("case", index: 0, name: "own > bad", status: "passed"); expect(1).to eq(2) }',
      ),
    },
  ],
  [
    'an example that is reported and did not run',
    {
      'spec/a_spec.rb': specs(
        `${BAD}\nafter(:all) { e = self.class.examples.first; e.reporter.example_started(e); e.reporter.example_finished(e) }`,
      ),
    },
  ],
  [
    'an exception that a hook takes away',
    { 'spec/a_spec.rb': specs(`after { RSpec.current_example.instance_variable_set(:@exception, nil) }\n${BAD}`) },
  ],
  [
    'failures that go to another listener, for a time',
    {
      'spec/a_spec.rb': specs(
        `before { RSpec::Support.failure_notifier = ->(*) {} }\nafter { RSpec::Support.failure_notifier = nil }\n${BAD}`,
      ),
    },
  ],
  ['exit!(0) in an example', { 'spec/a_spec.rb': specs(`it("a") { exit!(0) }\n${BAD}`) }],
  ['exit(0) while loading', { 'spec/a_spec.rb': specs(BAD, 'exit(0)') }],
  ['exit(0) in a hook', { 'spec/a_spec.rb': specs(`before(:all) { exit(0) }\n${BAD}`) }],
  ['at_exit that ends the process', { 'spec/a_spec.rb': specs(BAD, 'at_exit { exit!(0) }') }],
  [
    'a matcher that is always right',
    { 'spec/a_spec.rb': specs(BAD, 'module RSpec::Matchers\n  def eq(*) = be_truthy\nend') },
  ],
  ['a matcher of the group itself', { 'spec/a_spec.rb': specs(`def eq(*) = be_truthy\n${BAD}`) }],
  ['an expectation of the group itself', { 'spec/a_spec.rb': specs(`def expect(*) = double(to: true)\n${BAD}`) }],
  [
    'a matcher that is defined again',
    { 'spec/a_spec.rb': specs(BAD, 'RSpec::Matchers.define(:eq) { |_| match { |_| true } }') },
  ],
  [
    'a class of matchers',
    { 'spec/a_spec.rb': specs(BAD, 'class RSpec::Matchers::BuiltIn::Eq\n  def match(*) = true\nend') },
  ],
  [
    'a handler that asks nothing',
    {
      'spec/a_spec.rb': specs(
        BAD,
        'RSpec::Expectations::PositiveExpectationHandler.define_singleton_method(:handle_matcher) { |*| true }',
      ),
    },
  ],
  [
    'failures that are not raised',
    { 'spec/a_spec.rb': specs(BAD, 'RSpec::Expectations.define_singleton_method(:fail_with) { |*| nil }') },
  ],
  [
    'an example whose exception is lost',
    { 'spec/a_spec.rb': specs(BAD, 'class RSpec::Core::Example\n  def set_exception(*) = nil\nend') },
  ],
  ['examples that do not run', { 'spec/a_spec.rb': specs(BAD, 'RSpec.configure { |c| c.dry_run = true }') }],
  [
    'an around hook that runs nothing',
    { 'spec/a_spec.rb': specs(BAD, 'RSpec.configure { |c| c.around { |_| nil } }') },
  ],
  [
    'a focus that leaves others out',
    {
      'spec/a_spec.rb': specs(
        `${BAD}\nfit("a") { expect(1).to eq(1) }`,
        'RSpec.configure { |c| c.filter_run_when_matching(:focus) }',
      ),
    },
  ],
  ['a request to end', { 'spec/a_spec.rb': specs(BAD, 'RSpec.world.wants_to_quit = true') }],
  [
    'a helper that skips all',
    {
      '.rspec': '-r spec_helper',
      'spec/spec_helper.rb': 'RSpec.configure { |c| c.before { skip } }',
      'spec/a_spec.rb': specs(BAD),
    },
  ],
  ['numbers that are all equal', { 'spec/a_spec.rb': specs(BAD, 'class Integer\n  def ==(*) = true\nend') }],
  [
    'the class of the reporter',
    {
      'spec/a_spec.rb': specs(
        BAD,
        'ObjectSpace.each_object(Class) { |c| c.define_method(:example_finished) { |*| } if c.method_defined?(:example_finished) && c.name.to_s.end_with?("Examples") }',
      ),
    },
  ],
];

describeHere('a run that something meddles with is no green', () => {
  it.each(TRICKS)('%s', async (_, files) => {
    const run = await host.run(files);
    expect(run.outcome === 'passed' && run.cases.length > 0, JSON.stringify(run)).toBe(false);
    const bad = run.cases.filter(({ name, status }) => name.endsWith('bad') && status === 'passed');
    expect(run.outcome === 'tampered' || bad.length === 0, JSON.stringify(run)).toBe(true);
  });
});
