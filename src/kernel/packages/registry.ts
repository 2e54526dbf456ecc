import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import type { PackageManager } from './manager.ts';
import { npm } from './npm.ts';
import { pip } from './pip.ts';

export const MANAGERS: Readonly<Record<PackageManagerName, PackageManager>> = { npm, pip, cargo, go };
