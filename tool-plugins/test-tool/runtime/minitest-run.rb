# Runs test files with Minitest, each in a process of its own, and reports every case: the main program of a test sandbox.
#
# Each file's cases come between canaries, which go through the same classes and reporter as the file's own.

require_relative "ruby_run"
require_relative "ruby_gems"

run = RubyRun::Run.new
RubyGems.activate_runner(run)
require "minitest"
%w[minitest/spec minitest/mock].each do |part|
  require part
rescue LoadError
  # A part that this version does not have.
end

module RubyRun
  # A case of the runner, and how it came out.
  class Recorder
    attr_accessor :kinds
    attr_writer :watch

    def initialize(run, index)
      @run = run
      @index = index
      @watch = nil
      @kinds = {}
      @begun = nil
      @tampered = false
      @canaries = Canaries.new(run, index)
    end

    # A part of the runner that was replaced makes the run tampered, even if it is put back later.
    def look(classes = [])
      return if @tampered

      replaced = @watch.changed(classes)
      tampered("something replaced #{replaced}, a part of the runner") if replaced
    end

    def start; end

    # What ends a case as failed, whatever becomes of it later.
    def raised(error)
      @raised ||= error.is_a?(Minitest::Assertion) ? error : Minitest::UnexpectedError.new(error)
    end

    def synchronize
      yield
    end

    def passed?
      true
    end

    def prerecord(klass, name)
      look([klass])
      @raised = nil
      @begun = [klass, name, Here.clock]
    end

    def record(result)
      klass, name, since = @begun
      @begun = nil
      look
      return tampered("a result was reported of a case that did not run") unless klass && result.name.to_s == name.to_s

      status, failure = outcome(result)
      error = failure.is_a?(Minitest::UnexpectedError) ? failure.error : failure
      if @kinds.key?(klass)
        @canaries.note(@kinds[klass], status, failure.instance_of?(Minitest::Assertion))
      else
        fields = status == "failed" ? { failure: Here.failure_of(error, error.equal?(failure)) } : {}
        elapsed = [0.0, (Here.clock - since) * 1000].max
        @run.report("case", index: @index, name: Names.of(klass, name), status: status, duration_ms: elapsed, **fields)
      end
    end

    def report
      @canaries.report
    end

    def tampered(why)
      @tampered = true
      @run.report("tampered", index: @index, why: why)
    end

    private

    def outcome(result)
      failures = [*result.failures, *@raised]
      return ["passed", nil] if failures.empty?

      worst = failures.find { |each| !each.is_a?(Minitest::Skip) }
      worst.nil? ? ["skipped", nil] : ["failed", worst]
    end
  end

  # `Class > test_name`; for a spec, `what > it does`, without the number of its place.
  module Names
    def self.of(klass, name)
      described = descriptions(klass)
      return [klass.name, name].join(" > ") if described.empty?

      [*described, name.to_s.sub(/\Atest_\d{4}_/, "")].join(" > ")
    end

    def self.descriptions(klass)
      found = []
      while defined?(Minitest::Spec) && klass < Minitest::Spec && klass.respond_to?(:desc) && klass.desc
        found.unshift(klass.desc.to_s)
        klass = klass.superclass
      end
      found
    end
  end

  # Runs what is to be run side by side at once, in its order.
  class InOrder
    def start; end

    def shutdown; end

    def size
      1
    end

    def <<(work)
      klass, name, reporter = work
      reporter.prerecord(klass, name)
      reporter.record(Minitest.run_one_method(klass, name))
    end
  end

  # What has to fail, each by an assertion of the runner.
  module Falsehoods
    ALL = [
      ->(test) { test.assert(false) },
      ->(test) { test.refute(true) },
      ->(test) { test.assert_equal(1, 2) },
      ->(test) { test.assert_equal("a", "b") },
      ->(test) { test.assert_equal([1], [2]) },
      ->(test) { test.assert_equal({ a: 1 }, { a: 2 }) },
      ->(test) { test.refute_equal(1, 1) },
      ->(test) { test.assert_nil(1) },
      ->(test) { test.refute_nil(nil) },
      ->(test) { test.assert_same("a".dup, "a".dup) },
      ->(test) { test.assert_in_delta(1.0, 2.0) },
      ->(test) { test.assert_includes([1], 2) },
      ->(test) { test.refute_includes([1], 1) },
      ->(test) { test.assert_empty([1]) },
      ->(test) { test.refute_empty([]) },
      ->(test) { test.assert_match(/a/, "b") },
      ->(test) { test.refute_match(/a/, "a") },
      ->(test) { test.assert_instance_of(String, 1) },
      ->(test) { test.assert_kind_of(String, 1) },
      ->(test) { test.assert_respond_to(1, :nothing_such) },
      ->(test) { test.assert_operator(1, :>, 2) },
      ->(test) { test.assert_predicate(1, :zero?) },
      ->(test) { test.assert_output("a") { print "" } },
      ->(test) { test.assert_raises(ArgumentError) { nil } },
      ->(test) { test.assert_throws(:a) { nil } },
      ->(test) { test.flunk },
      ->(test) { Expected.new(1, test).must_equal(2) },
      ->(test) { Expected.new(1, test).wont_equal(1) },
      ->(test) { Expected.new(1, test).must_be_nil },
      ->(test) { Expected.new([1], test).must_include(2) },
      ->(test) { Expected.new(-> {}, test).must_raise(ArgumentError) }
    ].freeze
    Expected = Minitest::Expectation if defined?(Minitest::Expectation)

    # Fails as any other case fails, once it is known that each kind of assertion does.
    def self.must_fail(test)
      return unless ALL.all? { |falsehood| fails?(falsehood, test) } && mocks_ask?

      one = CHANCE.rand(1 << 40)
      test.assert_equal(one, one + 1 + CHANCE.rand(1 << 7))
    end

    def self.must_hold(test)
      one = CHANCE.rand(1 << 40)
      test.assert_equal(one, one)
      test.assert(!"ab".empty?)
    end

    def self.fails?(falsehood, test)
      falsehood.call(test)
      false
    rescue Minitest::Assertion
      true
    end

    def self.mocks_ask?
      return true unless defined?(Minitest::Mock)

      Minitest::Mock.new.expect(:size, 1).verify
      false
    rescue MockExpectationError
      true
    end
  end

  # The test file itself: it is loaded, and its classes are run.
  class TestFile
    def initialize(run, index, recorder)
      @run = run
      @index = index
      @recorder = recorder
    end

    def run(gems)
      # Nothing of such a file counts, and it may have changed what the canaries need to be loaded.
      return unless load_it(gems)

      suites = Minitest::Runnable.runnables.uniq.select { |each| each.is_a?(Class) && each.name != "Minitest::Result" }
      @recorder.look(suites)
      canaries([])
      suites.each { |each| run_suite(each) }
      canaries(suites.flat_map { |each| test_names(each) })
      @recorder.look(suites)
      @recorder.report
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
      load(path)
      true
    rescue Exception => e # rubocop:disable Lint/RescueException
      @run.report_load_failure(@index, e)
      false
    end

    def run_suite(suite)
      suite.public_send(suite.respond_to?(:run_suite) ? :run_suite : :run, @recorder, {})
    rescue StandardError => e
      @run.report("crash", index: @index, message: "#{e.class}: #{e.message}")
    end

    def test_names(suite)
      suite.public_instance_methods(true).map(&:to_s).grep(/\Atest_/)
    end

    def canaries(own)
      { "pass" => :must_hold, "fail" => :must_fail }.each do |kind, body|
        name = own.empty? ? "test_#{Here.canary_name}" : Here.canary_name(own)
        suite = Class.new(Minitest::Test) { define_method(name) { Falsehoods.public_send(body, self) } }
        Minitest::Runnable.runnables.delete(suite)
        title = "#{Here.canary_name.split("_").map(&:capitalize).join}Test"
        suite.define_singleton_method(:name) { title }
        @recorder.kinds[suite] = kind
        run_suite(suite)
      end
    end
  end

  # Minitest as it is before code of the project is loaded: nothing of it starts by itself.
  def self.prepare
    Minitest.class_variable_set(:@@installed_at_exit, true)
    Minitest.seed = 1
    Minitest.parallel_executor = InOrder.new
  end

  def self.watch(run)
    parts = [Minitest, Minitest::Runnable, Minitest::Test, Minitest::Assertions, Minitest::Result, Minitest::Reportable]
    parts += [Minitest::Assertion, Minitest::Skip, Minitest::UnexpectedError, Recorder]
    parts << Minitest::Expectation << Minitest::Expectations << Minitest::Spec if defined?(Minitest::Spec)
    parts << Minitest::Mock if defined?(Minitest::Mock)
    bases = [defined?(Minitest::Spec) ? Minitest::Spec : nil, Minitest::Test].compact
    Watch.new(parts, bases, run.method(:ours?))
  end

  # Tells `recorder` of each failure as it is raised. What the method knows is in local variables, which code under test cannot reach.
  def self.listen(recorder)
    passed_on = Minitest::Test::PASSTHROUGH_EXCEPTIONS
    told = Module.new do
      define_method(:capture_exceptions) do |&body|
        super() do
          body.call
        rescue Exception => e # rubocop:disable Lint/RescueException
          recorder.raised(e) unless e.is_a?(Minitest::Skip) || passed_on.any? { |each| each === e }
          raise
        end
      end
    end
    Minitest::Test.prepend(told)
  end

  # Runs all files. By then the module has no name that code of the project would find.
  def self.main(run)
    gems = RubyGems.find(run)
    prepare
    Object.send(:remove_const, :RubyRun)
    Object.send(:remove_const, :RubyGems)
    run.each_in_a_process do |index|
      run.report("begin", index: index)
      recorder = Recorder.new(run, index)
      listen(recorder)
      recorder.watch = Here.watch(run)
      TestFile.new(run, index, recorder).run(gems)
    end
    # The canaries fail in every run. No exit hook of the project can change this exit code.
    exit!(1)
  end
end

RubyRun.main(run)
