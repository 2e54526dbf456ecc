import { createHash } from 'node:crypto';
import { installedLists, readPyproject } from './pyproject.ts';
import type { LayerId, PackageManagerName } from '../../contracts/sandbox/package-managers.ts';

/** What of a lockfile says what is installed, where that is not all of it. */
const INSTALLED_PART: Partial<Readonly<Record<PackageManagerName, (text: string) => string>>> = {
  pyproject: (text) => {
    const read = readPyproject(text);
    if (read.kind === 'unreadable') return text;
    const { name, version } = read.project;
    return JSON.stringify([name, version, ...installedLists(read.project)]);
  },
};

/** Names the installed packages of a lockfile: the same lockfile, the same layer. */
export function layerIdOf(manager: PackageManagerName, lockfile: Buffer | string): LayerId {
  const part = INSTALLED_PART[manager]?.(lockfile.toString()) ?? lockfile;
  return createHash('sha256').update(`${manager}\0`).update(part).digest('hex') as LayerId;
}
