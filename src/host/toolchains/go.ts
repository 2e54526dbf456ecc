import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { GO_SETTINGS, goWarmCache } from './go-warm-cache.ts';
import { exists, isBelow } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';

const run = promisify(execFile);
const ASK_DEADLINE_MS = 30_000;

const USUAL_PLACES = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/opt/go/libexec/bin'];

/** The Go of this host: the one in the user's PATH, or in a usual place, never one in the project. null: there is none. */
export async function findGo(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env, caches, onProgress } = options;
  const searched = [...(env['PATH'] ?? '').split(delimiter), ...USUAL_PLACES].filter((path) => isAbsolute(path));
  const goRoot = await firstOf(searched, async (directory) => {
    const root = await goRootOf(directory);
    return root === null || isBelow(root, projectRoot) ? null : root;
  });
  if (goRoot === null) return null;
  const version = await readFile(join(goRoot, 'VERSION'), 'utf8');
  const name = `go-${createHash('sha256').update(`${goRoot}\n${version}`).digest('hex').slice(0, 16)}`;
  await mkdir(caches, { recursive: true, mode: 0o755 });
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

async function goRootOf(directory: string): Promise<string | null> {
  const go = await realpath(join(directory, 'go')).catch(() => null);
  if (go === null) return null;
  const root = dirname(dirname(go));
  return (await exists(join(root, 'VERSION'))) && (await exists(join(root, 'src/runtime'))) ? root : null;
}

/**
 * Where `go mod download` puts modules, as Go itself says: it also reads the settings that `go env -w` wrote. It is asked outside of the project, whose
 * `go.mod` could choose another toolchain. One in the project is there for the tests anyway.
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

async function firstOf(
  paths: readonly string[],
  find: (path: string) => Promise<string | null>,
): Promise<string | null> {
  for (const path of paths) {
    const found = await find(path);
    if (found !== null) return found;
  }
  return null;
}
