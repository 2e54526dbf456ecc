import { createHash } from 'node:crypto';
import { installedLists, readPyproject } from './pyproject.ts';
import { PACKAGE_MANAGERS } from '../../contracts/sandbox/package-managers.ts';
import type { LayerId, PackageManagerName } from '../../contracts/sandbox/package-managers.ts';

/** The part of a lockfile that decides what is installed, if it is not the whole file. */
const INSTALLED_PART: Partial<Readonly<Record<PackageManagerName, (text: string) => string>>> = {
  pyproject: (text) => {
    const read = readPyproject(text);
    if (read.kind === 'unreadable') return text;
    const { name, version } = read.project;
    return JSON.stringify([name, version, ...installedLists(read.project)]);
  },
};

/** The id of the installed packages of a lockfile: equal lockfiles, for the same `python` if it is not the image's, give the same layer. */
export function layerIdOf(
  manager: PackageManagerName,
  lockfile: Buffer | string,
  python: string | null = null,
): LayerId {
  const part = INSTALLED_PART[manager]?.(lockfile.toString()) ?? lockfile;
  const by = python === null || PACKAGE_MANAGERS[manager].image !== 'python' ? manager : `${manager}\0${python}`;
  return createHash('sha256').update(`${by}\0`).update(part).digest('hex') as LayerId;
}
