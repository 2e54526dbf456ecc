import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PACKAGES = 'node_modules';

/**
 * The file that `name` of a test runner is for a project whose command runs in `directory`. It has to be installed: a workspace that is linked into
 * `node_modules`, and the project itself under that name (Node resolves a package's own name to its own files), are sources that a change can
 * write, and would be judged by themselves.
 */
export function installedFile(directory: string, name: string): string {
  const [runner = name] = name.split('/');
  let path: string;
  try {
    path = createRequire(join(directory, 'package.json')).resolve(name);
  } catch (error) {
    throw new Error(`${runner} is not installed: it is not in the node_modules of ${directory} or above it`, {
      cause: error,
    });
  }
  if (!isInstalled(path))
    throw new Error(
      `${runner} is not an installed package: ${path} is a file of the project itself, and the project cannot judge its own tests`,
    );
  return path;
}

/** Whether what is at a path, links followed, is in a directory of installed packages. */
export function isInstalled(path: string): boolean {
  return realpathSync(path).split('/').includes(PACKAGES);
}

/** @throws Error if an older major version of a runner than `oldest` is installed */
export function requireMajor(directory: string, runner: string, oldest: number): void {
  const text = readFileSync(installedFile(directory, `${runner}/package.json`), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  if (Number.parseInt(version, 10) >= oldest) return;
  throw new Error(
    `${runner} ${version} is installed, and results can be judged from ${runner} ${oldest} on. Update ${runner}, or make its command one of your own (test.commands)`,
  );
}
