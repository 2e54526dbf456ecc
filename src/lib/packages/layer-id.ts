import { createHash } from 'node:crypto';
import type { LayerId, PackageManagerName } from '../../contracts/sandbox/package-managers.ts';

/** Names the installed packages of a lockfile: the same lockfile, the same layer. */
export function layerIdOf(manager: PackageManagerName, lockfile: Buffer | string): LayerId {
  return createHash('sha256').update(`${manager}\0`).update(lockfile).digest('hex') as LayerId;
}
