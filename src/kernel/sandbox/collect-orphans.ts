import type { SandboxId } from '../../contracts/ids.ts';
import type { ContainerRuntime } from '../../contracts/ports/container-runtime.ts';
import type { SandboxDirectories } from '../../contracts/ports/sandbox-directories.ts';

export interface OrphanServices {
  readonly runtime: ContainerRuntime;
  readonly directories: SandboxDirectories;
  readonly isLiving: (sandbox: SandboxId) => boolean;
}

/**
 * Removes containers, volumes and directories of sandboxes that nobody in this process owns: a killed kernel left them.
 * Returns the number of removed sandboxes. One that cannot be removed does not prevent the removal of others.
 * Containers are removed first; directories of a container that could not be removed stay, because it may still write
 * to them.
 */
export async function collectOrphans({ runtime, directories, isLiving }: OrphanServices): Promise<number> {
  const orphaned = new Set<SandboxId>();
  const resisting = new Set<SandboxId>();
  const remove = async <T extends { readonly sandbox: SandboxId }>(
    found: readonly T[],
    step: (orphan: T) => Promise<void>,
  ): Promise<void> => {
    for (const orphan of found) {
      if (isLiving(orphan.sandbox)) continue;
      orphaned.add(orphan.sandbox);
      await step(orphan).catch(() => resisting.add(orphan.sandbox));
    }
  };
  await remove(await runtime.list(), ({ id }) => runtime.remove(id));
  await remove(await runtime.listVolumes(), ({ name }) => runtime.removeVolume(name));
  const left = (await directories.list()).filter((sandbox) => !resisting.has(sandbox));
  await remove(
    left.map((sandbox) => ({ sandbox })),
    ({ sandbox }) => directories.remove(sandbox),
  );
  return [...orphaned].filter((sandbox) => !resisting.has(sandbox)).length;
}
