# What the programs for Ruby share: the description of the run, a process for each file, the report, the project's gems, and the canaries.
#
# It is loaded before any code of the project. The kernel uses nothing of the report unless its canaries are in it.

require "coverage"
require "rbconfig"

module RubyRun
  # The name of the module is taken away before code of the project is loaded.
  Here = self
  MAX_TEXT = 4000
  # Random bytes of the word with which a process signs its lines.
  TOKEN_BYTES = 16
  WAIT_S = 0.05
  VERBS = %w[keeps returns accepts sorts reads counts joins splits compares finds rounds merges].freeze
  THINGS = %w[order values names pairs lists words paths numbers keys dates lines totals].freeze
  CHANCE = Random.new
  # What a test defines for itself, or only shows a failure with.
  OWN = %i[
    setup teardown before_setup after_setup before_teardown after_teardown initialize inspect to_s name
    mu_pp mu_pp_for_diff diff things_to_diff message test_order
  ].freeze

  # The methods of Ruby itself that are called after code of the project was loaded, as they were before.
  OWNER = UnboundMethod.instance_method(:owner)
  PLACE = UnboundMethod.instance_method(:source_location)
  SAME = UnboundMethod.instance_method(:==)
  SYSWRITE = IO.instance_method(:syswrite)

  # Writes JSON. The library is a gem too, of which the project may want another version.
  module Json
    ESCAPES = { "\"" => "\\\"", "\\" => "\\\\", "\n" => "\\n", "\r" => "\\r", "\t" => "\\t" }.freeze

    def self.dump(value)
      case value
      when Hash then "{#{value.map { |key, each| "#{dump(key.to_s)}:#{dump(each)}" }.join(",")}}"
      when Integer, Float then value.to_s
      else quoted(value.to_s)
      end
    end

    def self.quoted(text)
      plain = text.dup.force_encoding(Encoding::UTF_8).scrub("?")
      "\"#{plain.gsub(/["\\\u0000-\u001f]/) { |each| ESCAPES[each] || format("\\u%04x", each.ord) }}\""
    end
  end

  # One run as the kernel described it on standard input, and its report: one JSON object a line.
  class Run
    # Ruby's own library.
    LIBRARIES = %w[rubylibdir rubyarchdir sitelibdir sitearchdir vendorlibdir vendorarchdir].freeze

    attr_reader :root, :cwd, :files, :options, :lock, :bundled

    def initialize
      @began = Time.now
      close_program
      described = Here.in_a_child { |text| require("json") && JSON.parse(text) }
      @root, @cwd, @files, @canary, @report, @progress = described.values_at("root", "cwd", "files", "canary", "report", "progress")
      @done = @failed = 0
      @options = described["options"] || {}
      @cover = described["cover"] || []
      @pipe = nil
      @pid = nil
      @lock = [@cwd, @root].map { |each| File.join(each, "Gemfile.lock") }.find { |each| File.file?(each) }.then { |each| each ? File.read(each) : "" }
      @bundled = directories_of_bundler
      @locked = @lock.scan(/^ {4}(\S+) \(([^)]+)\)$/).map { |name, version| "#{name}-#{version}" }
      @installed = [*RbConfig::CONFIG.values_at(*LIBRARIES), *Gem.path].compact.select { |each| File.directory?(each) }.map { |each| File.realpath(each) }
    end

    def canary(index, kind)
      "#{@canary}-#{index}-#{kind}"
    end

    # Sends a line at once: a process that ends too early leaves a report that breaks off there.
    def report(event, **fields)
      return unless Process.pid == @pid

      SYSWRITE.bind_call(@pipe, "#{@token} #{Json.dump({ event: event, **fields })}\n")
    end

    # Runs the block in a fork for each file, one after the other, and leaves the whole report once the last one has ended. Until then there is no
    # report that code under test could find. A line counts by the token of its file, which is made for this run.
    def each_in_a_process(&block)
      lines = files.each_index.flat_map { |index| in_a_process(index, &block) }
      File.open(@report, File::WRONLY | File::CREAT | File::EXCL, 0o600) do |file|
        file.write([*lines, Json.dump({ event: "end" })].join("\n"), "\n")
      end
    end

    # Where a name would be looked for that is missing: in the project, elsewhere, or nowhere.
    def report_load_failure(index, error)
      report("load", index: index, type: error.class.name, message: Here.message_of(error), **place_of(error))
    end

    # Whether a file is one of the project: all are but Ruby's library and installed gems. Of gems in the project itself those count as installed that the
    # lockfile names, as long as nothing has touched their files since this run began.
    def ours?(path)
      real = File.exist?(path) ? File.realpath(path) : File.expand_path(path)
      bundled = @bundled.find { |each| real.start_with?("#{each}/") }
      return !(named_by_lock?(real, bundled) && untouched?(real, bundled)) if bundled

      real.start_with?("#{root}/", "#{cwd}/") || @installed.none? { |each| real.start_with?("#{each}/") }
    end

    private

    # The command line of this process names a number in place of our program, and what is behind the number has been read.
    def close_program
      number = $PROGRAM_NAME[%r{\A/dev/fd/(\d+)\z}, 1]
      IO.for_fd(number.to_i).close if number
    end

    # Where Bundler keeps the gems of this project, if that is in the project.
    def directories_of_bundler
      settings = File.join(@root, ".bundle/config")
      named = File.file?(settings) ? File.read(settings)[/^BUNDLE_PATH: *"?([^"\n]+)"?$/, 1] : nil
      places = [@cwd, @root].uniq.product([named, "vendor/bundle"].compact).map { |each| File.expand_path(each.last, each.first) }
      places.map { |each| File.join(each, "ruby", RbConfig::CONFIG["ruby_version"]) }
            .select { |each| File.directory?(each) && each.start_with?("#{@root}/") }.map { |each| File.realpath(each) }.uniq
    end

    def named_by_lock?(path, bundled)
      kind, gem, = path.delete_prefix("#{bundled}/").split("/")
      kind == "gems" && @locked.include?(gem)
    end

    def untouched?(path, top)
      until path == top
        return false if File.ctime(path) > @began

        path = File.dirname(path)
      end
      true
    end

    def in_a_process(index)
      token = Random.urandom(TOKEN_BYTES).unpack1("H*")
      from_child, to_parent = IO.pipe
      $stdout.flush
      $stderr.flush
      pid = fork do
        from_child.close
        @pid, @pipe, @token, @report, @progress = Process.pid, to_parent, token, nil, nil
        executed = Executed.new(@cover)
        yield index
        lcov = executed.lcov
        report("coverage", index: index, lcov: lcov) unless lcov.empty?
        $stdout.flush
        $stderr.flush
        report("end")
        exit!(0)
      end
      to_parent.close
      data, status = Here.read_until_ended(from_child, pid) { |part| count(part) }
      from_child.close
      believed(index, token, data, status)
    end

    # Keeps how many cases have ended in a file, for people who wait. No result is read from it; a line that comes in two parts may be missed.
    def count(part)
      cases = part.lines.select { |line| line.include?('{"event":"case",') }
      return if @progress.nil? || cases.empty?

      @done += cases.size
      @failed += cases.count { |line| line.include?('"status":"failed"') }
      File.write(@progress, "#{@done} #{@failed}\n")
    rescue SystemCallError
      # A run that cannot be watched goes on.
    end

    def believed(index, token, data, status)
      line = ->(event, **fields) { Json.dump({ event: event, index: index, **fields }) }
      raw = data.split("\n").reject(&:empty?)
      unless raw.all? { |each| each.start_with?("#{token} ") }
        return [line.("tampered", why: "something else than the runner writes to the report")]
      end

      lines = raw.map { |each| each.delete_prefix("#{token} ") }
      return lines[0..-2] if lines.last == Json.dump({ event: "end" })
      if status.success?
        return [line.("tampered", why: "the process ended before its tests were through (an exit in a test, a hook or the source)")]
      end

      how = status.signaled? ? "signal #{status.termsig}" : "exit code #{status.exitstatus}"
      [*lines, line.("crash", message: "the process of the file ended with #{how} before its tests were through")]
    end

    def place_of(error)
      case error
      when LoadError then error.path ? { place: place_of_feature(error.path) } : {}
      when NoMethodError then {}
      when NameError then { place: place_of_constant(error) }
      else {}
      end
    end

    def place_of_feature(path)
      return ours?(path) ? "project" : "elsewhere" if path.start_with?("/")

      first = path.split("/").first
      found = $LOAD_PATH.map { |each| File.join(each.to_s, first) }.find { |each| File.exist?(each) || File.exist?("#{each}.rb") }
      return "nowhere" if found.nil?

      ours?(found) || ours?("#{found}.rb") ? "project" : "elsewhere"
    end

    # A constant of Object, or of a module that the project defines, may be the task's to make.
    def place_of_constant(error)
      owner = error.receiver
      return "nowhere" if owner.equal?(Object) || !owner.is_a?(Module)

      # Of what Ruby itself defines the place is empty.
      place = owner.name ? Object.const_source_location(owner.name) : nil
      place.nil? || (place.any? && ours?(place.first)) ? "project" : "elsewhere"
    rescue ArgumentError
      "elsewhere"
    end
  end

  # The lines of some files that this process runs. The line of a method counts only when the method is called, since its file's load runs it too.
  class Executed
    # What a library for coverage asks of Ruby, which counts already.
    module Shared
      def setup(*) = nil
      def start(*) = nil
      def resume(*) = nil
      def suspend(*) = nil
      def running? = true
      def result(*, **) = peek_result
    end

    def initialize(files)
      @files = files.to_h { |file| [File.exist?(file) ? File.realpath(file) : file, file] }
      return if files.empty?

      Coverage.start(lines: true, methods: true)
      Coverage.singleton_class.prepend(Shared)
    end

    # A file without lines was loaded, and none of its lines ran.
    def lcov
      return "" if @files.empty?

      Coverage.peek_result.filter_map { |path, counted| record(path, counted) }.join
    end

    private

    def record(path, counted)
      file = @files[path] || @files[File.exist?(path) ? File.realpath(path) : path]
      return if file.nil?

      calls = Hash.new(0)
      counted[:methods].each { |(_, _, line), count| calls[line] += count }
      hits = known(counted[:lines])
      ran = hits.each_index.select { |at| hits[at].positive? && (!calls.key?(at + 1) || calls[at + 1].positive?) }
      ["SF:#{file}", *ran.map { |at| "DA:#{at + 1},1" }, "end_of_record", ""].join("\n")
    end

    # Ruby counts some statements at a later line than their first one: a line that it does not count is as the next one.
    def known(lines)
      found = lines.dup
      (lines.size - 1).downto(0) { |at| found[at] ||= found[at + 1] || 0 }
      found
    end
  end

  # What the runner is made of, as it was before code of the project was loaded.
  class Watch
    # `bases`: what classes of tests inherit from, the nearest first. `own`: names that these may not have of their own, and a module that they will
    # include; nil: none of all names.
    def initialize(modules, bases, ours, own = nil, included = nil)
      @ours = ours
      @parts = modules.flat_map { |each| parts_of(each) + parts_of(each.singleton_class) }
      names = own || @parts.map { |_, name| name }.uniq
      @inherited = bases.map { |base| [base, known_of(base, names, included), known_of(base.singleton_class, names, nil)] }
    end

    # The name of a part that is another one now, or nil. An installed gem may extend the runner; code of the project may not.
    def changed(classes = [])
      @parts.each do |owner, name, method|
        now = found(owner, name)
        return "#{name} of #{owner.inspect}" unless now && (SAME.bind_call(now, method) || of_a_gem?(now, name, method))
      end
      classes.each { |each| (name = changed_for(each)) && (return "#{name} for #{each.inspect}") }
      nil
    end

    private

    def parts_of(owner)
      names = owner.instance_methods(false) + owner.private_instance_methods(false)
      (names - OWN).map { |name| [owner, name, owner.instance_method(name)] }
    end

    def found(owner, name)
      owner.instance_method(name)
    rescue NameError
      nil
    end

    def known_of(base, names, included)
      names.filter_map { |name| (method = found(base, name) || (included && found(included, name))) && [name, method] }
    end

    # What a class that inherits from the runner's has in place of its parts.
    def changed_for(heir)
      _, own, shared = @inherited.find { |base, _, _| heir <= base }
      own && (changed_in(heir, own) || changed_in(heir.singleton_class, shared))
    end

    def changed_in(heir, known)
      known.each do |name, method|
        now = found(heir, name)
        next if now && OWNER.bind_call(now).equal?(OWNER.bind_call(method))
        return name unless now && of_a_gem?(now, name, method)
      end
      nil
    end

    # It has to be written where it says that it is, and not where the runner's own is.
    def of_a_gem?(now, name, before)
      file, line = PLACE.bind_call(now)
      first, = PLACE.bind_call(before)
      return false if file.nil? || file == first || !File.file?(file) || @ours.call(file)

      File.readlines(file)[line - 1].to_s.include?(name.to_s.delete("?!="))
    end
  end

  # What became of the canaries of one file, of which there are two arrangements: both have to come out as they must.
  class Canaries
    ARRANGEMENTS = 2

    def initialize(run, index)
      @run = run
      @index = index
      @right = { "pass" => [], "fail" => [] }
    end

    # `failed`: by the runner's own error for an assertion.
    def note(kind, status, failed)
      @right[kind] << (kind == "pass" ? status == "passed" : status == "failed" && failed)
    end

    def report
      { "pass" => %w[passed failed], "fail" => %w[failed passed] }.each do |kind, (right, wrong)|
        next if @right[kind].size < ARRANGEMENTS

        @run.report("canary", index: @index, name: @run.canary(@index, kind), status: @right[kind].all? ? right : wrong)
      end
    end
  end

  # Answers of code that runs in a process of its own, which gets all of standard input.
  def self.in_a_child
    text = $stdin.read
    $stdin.reopen(File::NULL)
    reader, writer = IO.pipe
    pid = fork do
      reader.close
      writer.binmode
      writer.write(Marshal.dump(yield(text)))
      writer.close
      exit!(0)
    end
    writer.close
    data = reader.binmode.read
    Process.wait(pid)
    Marshal.load(data)
  end

  # What a process wrote and how it ended. A process that it started may hold the pipe open for longer.
  def self.read_until_ended(pipe, pid, &on_part)
    data = +""
    loop do
      _, status = Process.wait2(pid, Process::WNOHANG)
      closed = drained?(pipe, data, &on_part)
      status = Process.wait2(pid).last if status.nil? && closed
      return [data, status] if status

      IO.select([pipe], nil, nil, WAIT_S)
    end
  end

  # Takes what is there; answers whether nothing more can come.
  def self.drained?(pipe, data)
    loop do
      part = pipe.read_nonblock(1 << 20, exception: false)
      return false if part == :wait_readable
      return true if part.nil?

      data << part
      yield part
    end
  end

  def self.message_of(error)
    text = begin
      error.message.to_s
    rescue Exception => broken # rubocop:disable Lint/RescueException
      "a message that cannot be read (#{broken.class})"
    end
    (text.empty? ? error.class.name : text)[0, MAX_TEXT]
  end

  def self.failure_of(error, assertion)
    text = message_of(error)
    { kind: assertion ? "assertion" : "error", message: (assertion ? text : "#{error.class}: #{text}")[0, MAX_TEXT] }
  end

  # One of the file's own names, or one that any test could have; it differs in every run.
  def self.canary_name(own = [])
    own.empty? ? "#{VERBS.sample(random: CHANCE)}_#{THINGS.sample(random: CHANCE)}" : own.sample(random: CHANCE)
  end

  # The command line of this process as that of somebody who starts the runner by hand.
  def self.look_ordinary(path)
    $PROGRAM_NAME = path
    ARGV.clear
    $LOADED_FEATURES.reject! { |each| each.start_with?("#{__dir__}/") }
  end

  def self.clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
