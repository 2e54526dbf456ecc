import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxImage } from '../../contracts/sandbox/sandbox-templates.ts';
import { ownPrograms } from '../../lib/packages/own-programs.ts';
import type { GuardContext } from '../runtime-guard/guard-context.ts';
import type { Toolchain } from './toolchain.ts';

/**
 * What sandboxes see of toolchains and of other directories of the user. The guard follows no link, so a directory to which one leads is mounted from its real place.
 */
export async function toolchainMounts(
  toolchains: readonly Pick<Toolchain, 'mounts' | 'placed'>[],
  others: readonly string[],
): Promise<Pick<GuardContext, 'dependencyMounts' | 'placedMounts'>> {
  const paths = new Set([...others, ...toolchains.flatMap(({ mounts }) => mounts)]);
  const mounts = await Promise.all(
    [...paths].map(async (target) => ({ source: await realpath(target).catch(() => target), target })),
  );
  const isReal = ({ source, target }: { readonly source: string; readonly target: string }): boolean =>
    source === target;
  return {
    dependencyMounts: mounts.filter(isReal).map(({ target }) => target),
    placedMounts: [...mounts.filter((mount) => !isReal(mount)), ...toolchains.flatMap(({ placed = [] }) => placed)],
  };
}

/** Directories of the project's own Node or Python, real paths: a package manager that works in that image installs for it. Pure. */
export function ownProgramMounts(
  toolchains: readonly Pick<Toolchain, 'forTests'>[],
  image: SandboxImage,
): readonly string[] {
  const { node, python } = ownPrograms({ toolchains: toolchains.map(({ forTests }) => forTests) });
  if (image === 'node') return node === null ? [] : [dirname(node)];
  const prefix = python === null ? null : dirname(dirname(python));
  return prefix === null ? [] : ['bin', 'lib'].map((name) => join(prefix, name));
}
