import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { copyLinked, writeScript } from './linked-program.ts';
import { madeOnce } from './made-once.ts';
import { isBelow } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;
/** Version of the copy's layout: another version is stored under another name. */
const KIT_VERSION = 1;
/** PHP programs that a sandbox finds by name, if this host has them. */
const SCRIPTS = ['phpunit', 'composer'];
/** Asks a PHP for its program, version, extensions, settings, and the paths of installed code. */
const ASK = `echo json_encode([
  "program" => PHP_BINARY, "version" => PHP_VERSION, "extensions" => ini_get("extension_dir") ?: PHP_EXTENSION_DIR,
  "settings" => array_values(array_filter(array_map("trim", [php_ini_loaded_file() ?: "", ...explode(",", php_ini_scanned_files() ?: "")]))),
  "include" => explode(PATH_SEPARATOR, get_include_path())]);`;

interface Php {
  readonly program: string;
  readonly version: string;
  readonly extensions: string;
  readonly settings: readonly string[];
  readonly include: readonly string[];
}

/**
 * The host's PHP: the first in PATH, never one in the project. It is copied with its extensions, settings and libraries. Packages that are installed
 * for all projects, such as Debian's PHPUnit, are visible at their own path. null if there is none.
 */
export async function findPhp(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env, caches, onProgress } = options;
  await makeDirectories(caches, 0o755);
  const searched = (env['PATH'] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const php = await firstPhp(searched, options);
  if (php === null) return null;
  const native = await extensionsOf(php);
  const settings = await Promise.all(php.settings.map((path) => readFile(path, 'utf8').catch(() => '')));
  const hash = createHash('sha256')
    .update(JSON.stringify([KIT_VERSION, php.program, php.version, native, settings]))
    .digest('hex')
    .slice(0, 16);
  const final = join(await realpath(caches), `php-${hash}`);
  const kit = await madeOnce(
    final,
    { making: "copying this machine's PHP, once", waiting: 'waiting for PHP' },
    onProgress,
    (made) => fill({ made, final, searched }, php, native, settings),
  );
  const libraries = await Promise.all(php.include.filter(isAbsolute).map((path) => realpath(path).catch(() => null)));
  const seen = libraries.flatMap((path) =>
    path === null || isBelow(path, projectRoot) || isBelow(projectRoot, path) ? [] : [path],
  );
  return {
    forTests: {
      name: 'php',
      path: [join(kit, 'bin')],
      env: { PHPRC: join(kit, 'php.ini'), PHP_INI_SCAN_DIR: join(kit, 'conf.d') },
    },
    mounts: [...new Set([kit, ...seen])],
  };
}

async function firstPhp(
  searched: readonly string[],
  { projectRoot, caches, env }: ToolchainOptions,
): Promise<Php | null> {
  for (const directory of searched) {
    const real = await realpath(join(directory, 'php')).catch(() => null);
    if (real === null || isBelow(real, projectRoot)) continue;
    const asked = await ask(join(directory, 'php'), caches, env).catch(() => null);
    if (asked !== null && !isBelow(asked.program, projectRoot)) return asked;
  }
  return null;
}

/** Runs outside of the project, whose files could change its settings. */
async function ask(program: string, cwd: string, env: ToolchainOptions['env']): Promise<Php> {
  const { stdout } = await run(program, ['-r', ASK], {
    cwd,
    env: { PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '' },
    timeout: ASK_DEADLINE_MS,
  });
  const asked = JSON.parse(stdout) as Php;
  return { ...asked, program: await realpath(asked.program) };
}

/** Extensions in separate files. */
async function extensionsOf({ extensions }: Php): Promise<string[]> {
  const names = await readdir(extensions).catch(() => []);
  return names
    .filter((name) => name.endsWith('.so'))
    .sort()
    .map((name) => join(extensions, name));
}

async function fill(
  kit: { readonly made: string; readonly final: string; readonly searched: readonly string[] },
  php: Php,
  native: readonly string[],
  settings: readonly string[],
): Promise<void> {
  const { made, final } = kit;
  await copyLinked(kit, 'php', php.program, native);
  for (const name of ['extensions', 'conf.d', 'scripts']) await mkdir(join(made, name));
  for (const path of native) await copyFile(path, join(made, 'extensions', basename(path)));
  const [main = '', ...more] = settings;
  await writeFile(join(made, 'php.ini'), `${main}\nextension_dir = "${final}/extensions"\n`);
  for (const [index, text] of more.entries())
    await writeFile(
      join(made, 'conf.d', `${String(index).padStart(3, '0')}.ini`),
      text.replaceAll(php.extensions, `${final}/extensions`),
    );
  for (const name of SCRIPTS) {
    for (const directory of kit.searched) {
      const bytes = await readFile(join(directory, name)).catch(() => null);
      if (bytes === null || !/^#!.*php/.test(bytes.toString('latin1', 0, 100))) continue;
      await writeFile(join(made, 'scripts', name), bytes);
      await writeScript(join(made, 'bin', name), `exec "${final}/bin/php" "${final}/scripts/${name}" "$@"`);
      break;
    }
  }
}
