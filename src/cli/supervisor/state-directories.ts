import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ProjectDirs } from '../../contracts/host-layout.ts';
import { makeTree, ownDirectory, type Owner } from './owned-directory.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

/**
 * Creates the project's state directories: `host/` only for the invoking user, `kernel/` for the owner of the project, as whom L1 runs.
 *
 * @throws FluffyError `directory_unsafe`, also if the project has changed its owner since
 */
export async function makeStateDirectories(dirs: ProjectDirs, owner: Owner): Promise<void> {
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const project = dirname(dirs.host);
  await makeDirectories(dirname(project), 0o700);
  await makeTree(
    project,
    new Map([
      [basename(dirs.host), me],
      [basename(dirs.kernel), owner],
    ]),
  );
  await ownDirectory(project, me);
  await ownDirectory(dirs.host, me);
  await ownDirectory(dirs.kernel, owner);
}

/** The real path of a directory that may not exist yet: its nearest existing ancestor is resolved. */
export async function realPathOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || path === '/') return real ?? path;
  return `${await realPathOf(dirname(path))}/${path.slice(path.lastIndexOf('/') + 1)}`.replace('//', '/');
}
