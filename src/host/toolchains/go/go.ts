import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findGoRoot } from './go-root.ts';
import { GO_SETTINGS, goWarmCache } from './go-warm-cache.ts';
import { isBelow } from '../paths.ts';
import type { Toolchain, ToolchainOptions } from '../toolchain.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;

/** The host's Go, from the user's PATH or from a usual directory, never one in the project; null if there is none. */
export async function findGo(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env, caches, onProgress } = options;
  const goRoot = await findGoRoot(env['PATH'] ?? '', (root) => !isBelow(root, projectRoot));
  if (goRoot === null) return null;
  const version = await readFile(join(goRoot, 'VERSION'), 'utf8');
  const name = `go-${createHash('sha256').update(`${goRoot}\n${version}`).digest('hex').slice(0, 16)}`;
  await makeDirectories(caches, 0o755);
  const buildCache = await realpath(await goWarmCache({ goRoot, directory: join(caches, name) }, onProgress));
  const modules = await moduleCache(goRoot, options);
  return {
    forTests: {
      name: 'go',
      path: [join(goRoot, 'bin')],
      env: {
        ...GO_SETTINGS,
        GOROOT: goRoot,
        GOCACHE: buildCache,
        ...(modules === null ? {} : { GOMODCACHE: modules }),
      },
    },
    mounts: [goRoot, buildCache, ...(modules === null ? [] : [modules])],
  };
}

/**
 * Where `go mod download` stores modules, as Go itself reports: it also reads the settings that `go env -w` wrote. It runs outside of the project,
 * whose `go.mod` could choose another toolchain. A cache inside the project is visible to the tests anyway.
 */
async function moduleCache(goRoot: string, { env, projectRoot, caches }: ToolchainOptions): Promise<string | null> {
  const { stdout } = await run(join(goRoot, 'bin/go'), ['env', 'GOMODCACHE'], {
    cwd: caches,
    env: { ...env, GOROOT: goRoot, GOTOOLCHAIN: 'local', GOWORK: 'off' },
    timeout: ASK_DEADLINE_MS,
  });
  const real = await realpath(stdout.trim()).catch(() => null);
  return real === null || isBelow(real, projectRoot) || isBelow(projectRoot, real) ? null : real;
}
