import { realpath } from 'node:fs/promises';
import type { ProjectDirs, UserDirs } from '../contracts/host-layout.ts';
import { protectedLocations } from '../contracts/protected-locations.ts';
import type { ProtectedLocations } from '../contracts/protected-locations.ts';

/** Fluffy's own files inside the project, with links resolved. */
export async function locationsInside(
  { root, database, anchors }: Pick<ProjectDirs, 'root' | 'database' | 'anchors'>,
  { config, stateHome }: Pick<UserDirs, 'config' | 'stateHome'>,
  installRoot: string,
): Promise<ProtectedLocations> {
  return protectedLocations({
    projectRoot: root,
    installRoot: await real(installRoot),
    user: { config: await real(config), stateHome: await real(stateHome) },
    project: { database: await real(database), anchors: await real(anchors) },
  });
}

/** For a missing path, resolves the existing part. */
async function real(path: string): Promise<string> {
  const parent = path.slice(0, path.lastIndexOf('/'));
  try {
    return await realpath(path);
  } catch {
    return parent === '' ? path : `${await real(parent)}${path.slice(parent.length)}`;
  }
}
