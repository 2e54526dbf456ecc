# The gems of a project, as its Gemfile.lock names them: found in a process of its own, because a Gemfile is code of the project.

require "rbconfig"

module RubyGems
  FIND = <<~'RUBY'
    require "bundler/setup"
    found = Gem.loaded_specs.values.reject { |spec| spec.name == "bundler" }
    specs = found.map { |spec| [spec.name, spec.version.to_s, spec.full_require_paths] }
    STDOUT.reopen(IO.for_fd(3))
    STDOUT.binmode.write(Marshal.dump([Gem.dir, Gem.path, specs]))
  RUBY

  # Makes the gems ready to be required. Answers the directories of gems that are in the project itself, which come later.
  def self.activate(run)
    gemfile = [run.cwd, run.root].map { |directory| File.join(directory, "Gemfile") }.find { |each| File.file?(each) }
    return [] if gemfile.nil?

    home, path, specs = find(gemfile)
    if specs.nil?
      warn "fluffy: Bundler cannot load the gems of #{gemfile} (see above): tests run with the gems that are installed"
      return []
    end
    Gem.paths = { "GEM_HOME" => home, "GEM_PATH" => path.join(File::PATH_SEPARATOR) }
    inside, installed = specs.partition { |_, _, paths| paths.any? { |each| run.ours?(each) } }
    installed.each { |name, version, paths| activate_one(name, version, paths) }
    inside.flat_map(&:last)
  end

  def self.activate_one(name, version, paths)
    gem(name, version)
  rescue LoadError
    $LOAD_PATH.unshift(*paths)
  end

  def self.find(gemfile)
    reader, writer = IO.pipe
    pid = spawn({ "BUNDLE_GEMFILE" => gemfile }, ENV.fetch("RUBY", RbConfig.ruby), "-e", FIND,
                chdir: File.dirname(gemfile), in: File::NULL, out: :err, 3 => writer)
    writer.close
    data = reader.binmode.read
    _, status = Process.wait2(pid)
    status.success? ? Marshal.load(data) : nil
  rescue TypeError, ArgumentError
    nil
  end
end
