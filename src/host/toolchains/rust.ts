import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { exists, isBelow, ownDirectories, settingsText } from './paths.ts';
import { linkerKit } from './linker.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';
import { cargoHome, RUST_FILES } from './version-places.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;
/** A toolchain must have a directory of its own; these directories are the whole system. */
const SYSTEM = new Set(['/', '/usr', '/usr/local']);

/**
 * The host's Rust: the toolchain that the project's `rust-toolchain` names, if it is installed, or the default one. Never one in the project. null if
 * there is none. The user's cargo configuration is not shown, because it may contain keys.
 */
export async function findRust(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env, caches, onProgress } = options;
  await makeDirectories(caches, 0o755);
  const sysroot = await sysrootOf(options);
  if (sysroot === null || isBelow(sysroot, projectRoot) || !(await exists(join(sysroot, 'bin/cargo')))) return null;
  if (SYSTEM.has(sysroot)) {
    onProgress(
      `Rust in ${sysroot} is left out: only a toolchain with a directory of its own, as rustup makes it, can be shown to sandboxes`,
    );
    return null;
  }
  const linker = await linkerKit(caches, onProgress);
  const home = await realpath(cargoHome(env)).catch(() => cargoHome(env));
  const downloads = await ownDirectories(home, ['registry', 'git'], projectRoot);
  return {
    forTests: {
      name: 'rust',
      path: [join(sysroot, 'bin'), ...(linker === null ? [] : [join(linker, 'bin')])],
      env: {
        ...(downloads.length === 0 ? {} : { CARGO_HOME: home }),
        CARGO_NET_OFFLINE: 'true',
        CARGO_TERM_COLOR: 'never',
        CARGO_INCREMENTAL: '0',
      },
    },
    mounts: [sysroot, ...(linker === null ? [] : [linker]), ...downloads],
  };
}

/** Runs outside of the project, whose files could make rustup download a toolchain or start a program. */
async function sysrootOf({ projectRoot, env, caches, onProgress }: ToolchainOptions): Promise<string | null> {
  const cargoBin = join(cargoHome(env), 'bin');
  const searched = [...(env['PATH'] ?? '').split(delimiter), cargoBin, '/usr/local/bin', '/usr/bin'];
  const channel = await wantedChannel(projectRoot);
  for (const directory of searched.filter((path) => isAbsolute(path))) {
    const rustc = join(directory, 'rustc');
    const real = await realpath(rustc).catch(() => null);
    if (real === null || isBelow(real, projectRoot)) continue;
    const ask = async (more: Readonly<Record<string, string>>): Promise<string> => {
      const { stdout } = await run(rustc, ['--print', 'sysroot'], {
        cwd: caches,
        env: { ...env, RUSTUP_AUTO_INSTALL: '0', ...more },
        timeout: ASK_DEADLINE_MS,
      });
      return realpath(stdout.trim());
    };
    if (channel !== null) {
      const wanted = await ask({ RUSTUP_TOOLCHAIN: channel }).catch(() => null);
      if (wanted !== null) return wanted;
      onProgress(`the toolchain ${channel} of rust-toolchain is not installed: the default one is used`);
    }
    return ask({});
  }
  return null;
}

/** The channel in the project's own `rust-toolchain` file; null without one, or if it names a directory. */
async function wantedChannel(projectRoot: string): Promise<string | null> {
  for (const name of RUST_FILES) {
    const text = await settingsText(join(projectRoot, name));
    if (text === null) continue;
    const found = /^[ \t]*channel[ \t]*=[ \t]*"([\w.-]+)"/m.exec(text)?.[1] ?? /^\s*([\w.-]+)\s*$/.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
