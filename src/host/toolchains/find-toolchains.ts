import { messageOf } from '../../lib/text/message-of.ts';
import { findBun } from './bun.ts';
import { findCxx } from './cxx.ts';
import { findDeno } from './deno.ts';
import { findGo } from './go/go.ts';
import { type ListedDirectory, listProject } from './listed-directories.ts';
import { findMaven } from './maven.ts';
import { findPhp } from './php.ts';
import { findPython } from './python/python.ts';
import { findRuby } from './ruby.ts';
import { findRust } from './rust.ts';
import type { Toolchain, ToolchainKind, ToolchainOptions } from './toolchain.ts';

/** Files of a project that request a toolchain, and how to find it on this host. */
const KINDS: readonly ToolchainKind[] = [
  { files: /^go\.(?:mod|work)$/, find: findGo },
  { files: /^Cargo\.toml$/, find: findRust },
  { files: /^pom\.xml$/, find: findMaven },
  { files: /^CMakeLists\.txt$/, find: findCxx },
  {
    files: /^(?:Gemfile|gems\.rb|Rakefile|\.rspec|\.ruby-version)$|\.gemspec$|(?:^test_.*|_test|_spec)\.rb$/,
    find: findRuby,
  },
  { files: /^(?:composer\.(?:json|lock)|phpunit(?:\.dist)?\.xml(?:\.dist)?)$|Test\.php$/, find: findPhp },
  {
    files:
      /^(?:pyvenv\.cfg|pyproject\.toml|setup\.(?:py|cfg)|.*requirements.*\.txt|Pipfile|tox\.ini)$|^test_.*\.py$|_test\.py$/,
    find: findPython,
  },
  { files: /^(?:deno\.(?:jsonc?|lock)|package\.json)$|_test\.[jt]sx?$/, find: findDeno },
  // Nothing else names Bun if only a script starts it.
  { files: /^(?:bun\.lockb?|bunfig\.toml|package\.json)$/, find: findBun },
];

/** The toolchains that files of the project request and that this host has. One that cannot be prepared is reported and left out. */
export async function findToolchains(
  options: ToolchainOptions,
  listed?: readonly ListedDirectory[],
): Promise<readonly Toolchain[]> {
  // Sandboxes run Linux programs.
  if (process.platform !== 'linux') return [];
  const directories = listed ?? (await listProject(options.projectRoot));
  const names = new Set(directories.flatMap(({ files }) => files));
  const found: Toolchain[] = [];
  for (const { files, find } of KINDS) {
    if (![...names].some((name) => files.test(name))) continue;
    try {
      const toolchain = await find(options, directories);
      if (toolchain !== null) found.push(toolchain);
    } catch (error) {
      options.onProgress(`a toolchain is left out: ${messageOf(error)}`);
    }
  }
  return found;
}
