# The gems of a project. The runner's own come from where gems are installed, in the version that the text of Gemfile.lock names, before any code of the
# project runs. The others are found in a process of its own, because a Gemfile and what it loads are code of the project: its answer is text, and only the
# processes of the files act on it.

require "rbconfig"

module RubyGems
  OF_RUNNERS = %w[minitest rspec-support diff-lcs rspec-core rspec-expectations rspec-mocks].freeze
  FIND = <<~'RUBY'
    require "bundler/setup"
    specs = Gem.loaded_specs.values.reject { |spec| spec.name == "bundler" }
    lines = [[Gem.dir, *Gem.path], *specs.map { |spec| [spec.name, spec.version.to_s, *spec.full_require_paths] }]
    IO.for_fd(3).binmode.syswrite(lines.map { |each| each.join("\0") }.join("\n"))
  RUBY

  # The gems that a project asks for, as Bundler found them.
  class Found
    def initialize(path, specs)
      @path = path
      @specs = specs
    end

    # Makes them ready to be required in this process. Answers the directories of gems that are the project's own, which come later.
    def activate(run)
      return [] if @specs.empty?

      home, *path = @path
      Gem.paths = { "GEM_HOME" => home, "GEM_PATH" => path.join(File::PATH_SEPARATOR) }
      inside, installed = @specs.partition { |_, _, *paths| paths.any? { |each| run.ours?(each) } }
      installed.each { |name, version, *paths| activate_one(name, version, paths) }
      inside.flat_map { |_, _, *paths| paths }
    end

    private

    def activate_one(name, version, paths)
      gem(name, version)
    rescue LoadError
      $LOAD_PATH.unshift(*paths) unless Gem.loaded_specs.key?(name)
    end
  end

  # The runner, of the version that the project has, ready to be required.
  def self.activate_runner(run)
    unless run.bundled.empty?
      Gem.paths = { "GEM_HOME" => Gem.dir, "GEM_PATH" => [*run.bundled, *Gem.path].join(File::PATH_SEPARATOR) }
    end
    OF_RUNNERS.each do |name|
      version = run.lock[/^ {4}#{name} \(([^)]+)\)$/, 1]
      gem(name, version) if version
    rescue LoadError
      # The one that is installed.
    end
  end

  def self.find(run)
    gemfile = [run.cwd, run.root].map { |directory| File.join(directory, "Gemfile") }.find { |each| File.file?(each) }
    return Found.new([], []) if gemfile.nil?

    path, *specs = answer(gemfile)
    if path.nil?
      warn "fluffy: Bundler cannot load the gems of #{gemfile} (see above): tests run with the gems that are installed"
      return Found.new([], [])
    end
    Found.new(path, specs)
  end

  def self.answer(gemfile)
    reader, writer = IO.pipe
    pid = spawn({ "BUNDLE_GEMFILE" => gemfile }, ENV.fetch("RUBY", RbConfig.ruby), "-e", FIND,
                chdir: File.dirname(gemfile), in: File::NULL, out: :err, 3 => writer)
    writer.close
    text = reader.binmode.read.force_encoding(Encoding::UTF_8).scrub("?")
    _, status = Process.wait2(pid)
    status.success? ? text.split("\n").map { |line| line.split("\0") } : []
  end
end
