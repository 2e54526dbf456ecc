import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import type { PackageManager } from './manager.ts';
import { npm } from './npm.ts';
import { pnpm } from './pnpm.ts';
import { pip } from './pip.ts';
import { yarn } from './yarn.ts';
import { pdm, pylock, pyproject, uv } from './python-project.ts';

export const MANAGERS: Readonly<Record<PackageManagerName, PackageManager>> = {
  npm,
  pnpm,
  yarn,
  pip,
  pyproject,
  uv,
  pdm,
  pylock,
  cargo,
  go,
};
