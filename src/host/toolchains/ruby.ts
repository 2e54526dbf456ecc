import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { homeOf } from '../../contracts/host-layout.ts';
import { copyLinked, writeScript } from './linked-program.ts';
import { madeOnce } from './made-once.ts';
import { SYSTEM_DIRECTORIES, exists, isBelow, settingsText } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;
/** Version of the copy's layout: another version is stored under another name. */
const KIT_VERSION = 2;
/** Programs of gems that a sandbox finds by name, if this host has them. */
const SCRIPTS = ['bundle', 'gem', 'rake', 'rspec', 'rubocop', 'standardrb'];
/** Asks a Ruby for its program, version, libraries, gem directories, and the directories of gem programs. */
const ASK = `require "rbconfig"
config = RbConfig::CONFIG
puts RbConfig.ruby, RUBY_DESCRIPTION
puts "lib", config.values_at("rubylibdir", "rubyarchdir").map { |each| File.dirname(each) }, config.values_at("sitedir", "vendordir", "vendorarchdir")
puts "gem", Gem.path
puts "bin", config["bindir"], Gem.path.map { |each| File.join(each, "bin") }, Gem.bindir`;

interface Ruby {
  readonly program: string;
  readonly description: string;
  readonly libraries: readonly string[];
  readonly gems: readonly string[];
  readonly programs: readonly string[];
}

/**
 * The host's Ruby: the version in `.ruby-version` if a version manager has installed it, or the first in PATH; never one in the project. Its
 * libraries and gems are visible at their own paths; its program is copied with its libraries, because images have neither. null if there is none.
 */
export async function findRuby(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env, caches, onProgress } = options;
  await makeDirectories(caches, 0o755);
  const ruby = await firstRuby(options);
  if (ruby === null) return null;
  const seen = async (paths: readonly string[]): Promise<string[]> => {
    const real = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
    return real.flatMap((path, at) => {
      const isOwn =
        path !== null && (isBelow(path, projectRoot) || isBelow(projectRoot, path) || SYSTEM_DIRECTORIES.has(path));
      return path === null || isOwn ? [] : [...new Set([path, paths[at] ?? path])];
    });
  };
  const gems = await seen(ruby.gems);
  const libraries = await seen(ruby.libraries);
  const kit = await rubyKit(ruby, [...libraries, ...gems], { caches, onProgress });
  const all = [...new Set([...libraries, ...gems, kit])];
  return {
    forTests: {
      name: 'ruby',
      path: [join(kit, 'bin')],
      env: {
        RUBY: join(kit, 'bin/ruby'),
        RUBYOPT: `-r${join(kit, 'here.rb')}`,
        GEM_PATH: gems.join(':'),
        ...(env['GEM_HOME'] === undefined || !gems.includes(env['GEM_HOME']) ? {} : { GEM_HOME: env['GEM_HOME'] }),
      },
    },
    mounts: all.filter((path) => !all.some((other) => other !== path && isBelow(path, other))),
  };
}

async function firstRuby({ projectRoot, env, caches, onProgress }: ToolchainOptions): Promise<Ruby | null> {
  const searched = (env['PATH'] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const managed = await managedRubies(projectRoot, env, onProgress);
  for (const directory of [...managed, ...searched]) {
    const real = await realpath(join(directory, 'ruby')).catch(() => null);
    if (real === null || isBelow(real, projectRoot)) continue;
    const asked = await ask(join(directory, 'ruby'), caches, env).catch(() => null);
    if (asked !== null && !isBelow(asked.program, projectRoot)) return asked;
  }
  return null;
}

/** Runs outside of the project, whose files could choose another version. */
async function ask(program: string, cwd: string, env: ToolchainOptions['env']): Promise<Ruby> {
  const kept = ['PATH', 'HOME', 'GEM_HOME', 'GEM_PATH', 'RBENV_ROOT', 'ASDF_DATA_DIR'] as const;
  const { stdout } = await run(program, ['-e', ASK], {
    cwd,
    env: Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    timeout: ASK_DEADLINE_MS,
  });
  const [path = '', description = '', ...lines] = stdout.split('\n').filter((line) => line !== '');
  const between = (from: string, to?: string): string[] =>
    lines
      .slice(lines.indexOf(from) + 1, to === undefined ? undefined : lines.indexOf(to))
      .filter((each) => isAbsolute(each));
  return {
    program: await realpath(path),
    description,
    libraries: between('lib', 'gem'),
    gems: between('gem', 'bin'),
    programs: [...new Set([...between('bin'), dirname(program)])],
  };
}

/** Program directories of the version that the project requests. */
async function managedRubies(
  projectRoot: string,
  env: ToolchainOptions['env'],
  onProgress: ToolchainOptions['onProgress'],
): Promise<string[]> {
  const written = (await settingsText(join(projectRoot, '.ruby-version'))) ?? '';
  const version = /^(?:ruby-)?(\d+\.\d+\.\d+)\s*$/.exec(written)?.[1];
  if (version === undefined) return [];
  const home = homeOf(env);
  const places = [
    join(env['RBENV_ROOT'] ?? join(home, '.rbenv'), 'versions', version),
    join(env['ASDF_DATA_DIR'] ?? join(home, '.asdf'), 'installs/ruby', version),
    join(home, '.local/share/mise/installs/ruby', version),
    join(home, '.rubies', `ruby-${version}`),
    join('/opt/rubies', `ruby-${version}`),
  ];
  const found: string[] = [];
  for (const place of places) if (await exists(join(place, 'bin/ruby'))) found.push(join(place, 'bin'));
  if (found.length === 0)
    onProgress(`no version manager has Ruby ${version} of .ruby-version: the first Ruby in PATH is used`);
  return found;
}

/** A directory with a `ruby` that runs in any image, and the programs of gems. */
async function rubyKit(
  ruby: Ruby,
  directories: readonly string[],
  { caches, onProgress }: Pick<ToolchainOptions, 'caches' | 'onProgress'>,
): Promise<string> {
  const native = (await Promise.all(directories.map((path) => nativeLibraries(path)))).flat().sort();
  const hash = createHash('sha256')
    .update([KIT_VERSION, ruby.program, ruby.description, ...native].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const final = join(await realpath(caches), `ruby-${hash}`);
  return madeOnce(
    final,
    { making: "copying this machine's Ruby, once", waiting: 'waiting for Ruby' },
    onProgress,
    (made) => fill(made, final, ruby, native),
  );
}

async function fill(made: string, final: string, ruby: Ruby, native: readonly string[]): Promise<void> {
  await copyLinked({ made, final }, 'ruby', ruby.program, native);
  await mkdir(join(made, 'scripts'));
  // Corrects the path that this Ruby reports for its own program.
  await writeFile(
    join(made, 'here.rb'),
    `require "rbconfig"\nRbConfig::CONFIG.update("bindir" => "${final}/bin", "ruby_install_name" => "ruby", "RUBY_INSTALL_NAME" => "ruby")\n`,
  );
  for (const name of SCRIPTS) {
    for (const directory of ruby.programs) {
      const text = await readFile(join(directory, name), 'utf8').catch(() => '');
      if (!/^#!.*ruby/.test(text)) continue;
      await writeFile(join(made, 'scripts', name), text);
      await writeScript(join(made, 'bin', name), `exec "${final}/bin/ruby" "${final}/scripts/${name}" "$@"`);
      break;
    }
  }
}

/** Libraries that Ruby loads at run time, and those of gems. */
async function nativeLibraries(directory: string): Promise<string[]> {
  const isGems = await exists(join(directory, 'specifications'));
  const root = isGems ? join(directory, 'extensions') : directory;
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.so'))
    .map((entry) => join(entry.parentPath, entry.name));
}
