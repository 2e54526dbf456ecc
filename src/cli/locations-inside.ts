import { realpath } from 'node:fs/promises';
import type { ProjectDirs, UserDirs } from '../contracts/host-layout.ts';
import { protectedLocations } from '../contracts/protected-locations.ts';
import type { ProtectedLocations } from '../contracts/protected-locations.ts';

/** What is Fluffy's own inside the project, wherever links to it lead. */
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

/** What is not there yet has no links in its name. */
async function real(path: string): Promise<string> {
  const parent = path.slice(0, path.lastIndexOf('/'));
  try {
    return await realpath(path);
  } catch {
    return parent === '' ? path : `${await real(parent)}${path.slice(parent.length)}`;
  }
}
