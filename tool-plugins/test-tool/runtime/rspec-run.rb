# Runs test files with RSpec, each in a process of its own, and reports every example: the main program of a test sandbox.
#
# Each file's examples come between canaries, which go through the same groups and reporter as the file's own.

require_relative "ruby_run"
require_relative "ruby_gems"

run = RubyRun::Run.new
RubyGems.activate_runner(run)
require "rspec/core"
require "rspec/expectations"
begin
  require "rspec/mocks"
rescue LoadError
  # Not every project installs it.
end
# Parts are loaded at their first use: all of them have to be known before code of the project is loaded.
RSpec::Matchers::BuiltIn.constants.each { |name| RSpec::Matchers::BuiltIn.const_get(name) }

module RubyRun
  # An example, and how it came out.
  class Examples
    attr_reader :kinds, :finished
    attr_writer :watch

    def initialize(run, index)
      @run = run
      @index = index
      @watch = nil
      @begun = nil
      @kinds = {}
      @finished = 0
      @tampered = false
      @canaries = Canaries.new(run, index)
    end

    # A part of the runner that was replaced makes the run tampered, even if it is put back later.
    def look(groups = [])
      return if @tampered

      replaced = @watch.changed(groups)
      tampered("something replaced #{replaced}, a part of the runner") if replaced
    end

    def begun(example)
      return tampered("an example began while another one ran") if @begun

      @begun = [example, Here.clock]
      @raised = nil
      look([example.example_group])
    end

    # What ends an example as failed, whatever becomes of it later.
    def raised(example, error)
      @raised ||= error if @begun&.first.equal?(example)
    end

    def ended(example)
      begun, since = @begun
      return unless begun.equal?(example)

      @begun = nil
      look
      @finished += 1
      status = status_of(example)
      error = example.exception || @raised
      kind = @kinds[example.example_group]
      return @canaries.note(kind, status, error.instance_of?(RSpec::Expectations::ExpectationNotMetError)) if kind

      fields = status == "failed" ? { failure: Here.failure_of(error, assertion?(error)) } : {}
      elapsed = [0.0, (Here.clock - since) * 1000].max
      @run.report("case", index: @index, name: name_of(example), status: status, duration_ms: elapsed, **fields)
    end

    def failed_outside(error, context)
      @run.report("crash", index: @index, message: "#{context}: #{error.class}: #{Here.message_of(error)}")
    end

    def report
      @canaries.report
    end

    def tampered(why)
      @tampered = true
      @run.report("tampered", index: @index, why: why)
    end

    private

    def status_of(example)
      return "failed" if example.exception
      return example.metadata[:skip] ? "skipped" : "todo" if example.metadata[:pending] || example.metadata[:skip]

      @raised.nil? && example.execution_result.status == :passed ? "passed" : "failed"
    end

    def assertion?(error)
      [RSpec::Expectations::ExpectationNotMetError, RSpec::Expectations::MultipleExpectationsNotMetError].any? { |each| error.is_a?(each) } ||
        (defined?(RSpec::Mocks::MockExpectationError) && error.is_a?(RSpec::Mocks::MockExpectationError))
    end

    def name_of(example)
      groups = example.example_group.parent_groups.reverse.map { |each| each.description.to_s }
      [*groups, example.description.to_s].join(" > ")
    end
  end

  # How RSpec tells of an example. Code under test can reach RSpec's reporter and the methods of an example, and by them nothing else: these are closures,
  # and what they know is in local variables.
  module Telling
    # A reporter that answers nothing.
    def self.reporter(examples)
      shown = Object.new
      shown.define_singleton_method(:notify_non_example_exception) { |error, context| examples.failed_outside(error, context) && nil }
      shown.define_singleton_method(:method_missing) { |*| nil }
      shown.define_singleton_method(:respond_to_missing?) { |*| true }
      { fail_fast_limit_met?: false, inspect: "#<RSpec::Core::Reporter>", class: RSpec::Core::Reporter }.each do |name, value|
        shown.define_singleton_method(name) { value }
      end
      shown.freeze
    end

    def self.listen(examples)
      RSpec::Core::Example.prepend(of_an_example(examples))
      RSpec::Support.singleton_class.prepend(of_a_failure(examples))
    end

    def self.of_an_example(examples)
      Module.new do
        define_method(:run) do |*given|
          examples.begun(self)
          super(*given)
        ensure
          examples.ended(self)
        end
        define_method(:set_exception) do |error|
          examples.raised(self, error)
          super(error)
        end
      end
    end

    # A failed expectation is raised, or gathered where `aggregate_failures` asks for it.
    def self.of_a_failure(examples)
      method = Kernel.instance_method(:method)
      usual = [RSpec::Support::DEFAULT_FAILURE_NOTIFIER, RSpec::Expectations::FailureAggregator.instance_method(:call)]
      Module.new do
        define_method(:notify_failure) do |*given|
          notifier = RSpec::Support.failure_notifier
          part = notifier.is_a?(Proc) ? notifier : method.bind_call(notifier, :call).unbind
          examples.tampered("something other than RSpec receives failures") unless usual.any? { |each| each == part }
          super(*given)
        end
      end
    end
  end

  # What has to fail, each by an expectation of the runner.
  module Expected
    ALL = [
      ->(it) { it.expect(1).to it.eq(2) },
      ->(it) { it.expect("a").to it.eq("b") },
      ->(it) { it.expect([1]).to it.eq([2]) },
      ->(it) { it.expect({ a: 1 }).to it.eq({ a: 2 }) },
      ->(it) { it.expect(1).not_to it.eq(1) },
      ->(it) { it.expect(1).to it.eql(1.0) },
      ->(it) { it.expect("a".dup).to it.equal("a".dup) },
      ->(it) { it.expect(1).to it.be(2) },
      ->(it) { it.expect(1).to it.be > 2 },
      ->(it) { it.expect(false).to it.be_truthy },
      ->(it) { it.expect(true).to it.be_falsey },
      ->(it) { it.expect(1).to it.be_nil },
      ->(it) { it.expect(nil).not_to it.be_nil },
      ->(it) { it.expect(1).to it.be_a(String) },
      ->(it) { it.expect(1).to it.be_instance_of(String) },
      ->(it) { it.expect([1]).to it.be_empty },
      ->(it) { it.expect(1.0).to it.be_within(0.1).of(2) },
      ->(it) { it.expect([1]).to it.include(2) },
      ->(it) { it.expect([1]).not_to it.include(1) },
      ->(it) { it.expect("a").to it.match(/b/) },
      ->(it) { it.expect([1]).to it.contain_exactly(2) },
      ->(it) { it.expect([1]).to it.match_array([2]) },
      ->(it) { it.expect("a").to it.start_with("b") },
      ->(it) { it.expect("a").to it.end_with("b") },
      ->(it) { it.expect({ a: 1 }).to it.have_key(:b) },
      ->(it) { it.expect(1).to it.respond_to(:nothing_such) },
      ->(it) { it.expect([1]).to it.all(it.eq(2)) },
      ->(it) { it.expect { nil }.to it.raise_error(ArgumentError) },
      ->(it) { it.expect { raise ArgumentError }.not_to it.raise_error },
      ->(it) { it.expect { nil }.to it.change { 1 } },
      ->(it) { it.expect { nil }.to it.throw_symbol(:a) }
    ].freeze

    # Fails as any other example fails, once it is known that each kind of expectation does. Those are raised even where the project gathers failures.
    def self.must_fail(example)
      raises = RSpec::Support.with_failure_notifier(RSpec::Support::DEFAULT_FAILURE_NOTIFIER) do
        ALL.all? { |falsehood| fails?(falsehood, example) }
      end
      return unless raises

      one = CHANCE.rand(1 << 40)
      example.expect(one).to example.eq(one + 1 + CHANCE.rand(1 << 7))
    end

    def self.must_hold(example)
      one = CHANCE.rand(1 << 40)
      example.expect(one).to example.eq(one)
      example.expect("ab").not_to example.be_empty
    end

    def self.fails?(falsehood, example)
      falsehood.call(example)
      false
    rescue RSpec::Expectations::ExpectationNotMetError
      true
    end
  end

  # The spec file itself: it is loaded, and its groups are run.
  class SpecFile
    def initialize(run, index, examples)
      @run = run
      @index = index
      @examples = examples
      @reporter = Telling.reporter(examples)
      reporter = @reporter
      RSpec.configuration.define_singleton_method(:reporter) { reporter }
    end

    def run(gems)
      # Nothing of such a file counts, and it may have changed what the canaries need to be loaded.
      return unless load_it(gems)

      groups = RSpec.world.ordered_example_groups.dup
      @examples.look(groups.flat_map(&:descendants))
      names = groups.flat_map(&:descendants).flat_map(&:examples).map { |each| each.description.to_s }.reject(&:empty?)
      first = canaries([])
      last = canaries(names)
      run_groups([*first, *groups, *last])
      @examples.look(groups.flat_map(&:descendants))
      @examples.report
    rescue SystemExit, NoMemoryError, SignalException => e
      @run.report("crash", index: @index, message: "#{e.class}: #{e.message}")
    end

    private

    def load_it(gems)
      Dir.chdir(@run.cwd)
      libs = @run.options["libs"].map { |each| File.expand_path(each, @run.cwd) }
      $LOAD_PATH.unshift(*(libs + gems.activate(@run)).uniq)
      path = @run.files[@index]
      Here.look_ordinary(path)
      required.each { |each| require each }
      RSpec.configuration.files_to_run = [path]
      load(path)
      true
    rescue Exception => e # rubocop:disable Lint/RescueException
      @run.report_load_failure(@index, e)
      false
    end

    # What `.rspec` loads before any file.
    def required
      return [] unless File.file?(".rspec")

      File.read(".rspec").scan(/(?:^|\s)(?:-r|--require)[=\s]*["']?([^\s"']+)/).flatten
    end

    def run_groups(groups)
      RSpec.configuration.with_suite_hooks { groups.each { |each| each.run(@reporter) } }
      return unless RSpec.world.wants_to_quit

      @examples.tampered("something asked RSpec to end before its examples were through")
    rescue StandardError => e
      @run.report("crash", index: @index, message: "#{e.class}: #{e.message}")
    end

    def canaries(own)
      { "pass" => :must_hold, "fail" => :must_fail }.map do |kind, body|
        title = Here.canary_name.tr("_", " ").capitalize
        name = own.empty? ? Here.canary_name.tr("_", " ") : Here.canary_name(own)
        group = RSpec.describe(title) { it(name) { Expected.public_send(body, self) } }
        RSpec.world.example_groups.delete(group)
        @examples.kinds[group] = kind
        group
      end
    end
  end

  # Of a group's own methods these decide; helpers and `let` may have the name of a matcher that is not asked.
  OF_GROUPS = %i[expect is_expected eq eql equal be be_nil raise_error run run_examples instance_exec new].freeze

  # RSpec as it is before code of the project is loaded: nothing of it starts by itself.
  def self.prepare
    RSpec::Core::Runner.disable_autorun!
    RSpec.configuration.force(order: "defined")
    RSpec.configuration.output_stream = File.open(File::NULL, "w")
  end

  def self.watch(run)
    core = [RSpec::Core::Example, RSpec::Core::ExampleGroup, RSpec::Core::Hooks, RSpec::Core::Pending, RSpec::Core::Configuration]
    expectations = [RSpec::Expectations, RSpec::Expectations::ExpectationTarget, RSpec::Expectations::BlockExpectationTarget]
    expectations += [RSpec::Expectations::PositiveExpectationHandler, RSpec::Expectations::NegativeExpectationHandler]
    expectations += [RSpec::Expectations::ExpectationHelper, RSpec::Expectations::ExpectationNotMetError, RSpec::Matchers]
    expectations += [RSpec::Expectations::ExpectationTarget::InstanceMethods]
    matchers = RSpec::Matchers::BuiltIn.constants.map { |name| RSpec::Matchers::BuiltIn.const_get(name) }.grep(Module)
    mocks = defined?(RSpec::Mocks) ? [RSpec::Mocks, RSpec::Mocks::MessageExpectation] : []
    parts = [*core, *expectations, *matchers, *mocks, Examples]
    Watch.new(parts, [RSpec::Core::ExampleGroup], run.method(:ours?), OF_GROUPS, RSpec::Matchers)
  end

  # Runs all files. By then the module has no name that code of the project would find.
  def self.main(run)
    gems = RubyGems.find(run)
    prepare
    Object.send(:remove_const, :RubyRun)
    Object.send(:remove_const, :RubyGems)
    run.each_in_a_process do |index|
      run.report("begin", index: index)
      examples = Examples.new(run, index)
      Telling.listen(examples)
      examples.watch = Here.watch(run)
      SpecFile.new(run, index, examples).run(gems)
    end
    # The canaries fail in every run. No exit hook of the project can change this exit code.
    exit!(1)
  end
end

RubyRun.main(run)
