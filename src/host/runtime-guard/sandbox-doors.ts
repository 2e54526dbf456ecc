import { chmod, lchown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../../contracts/sandbox-programs.ts';
import type { SandboxId } from '../../contracts/ids.ts';
import type { OpenDoors } from '../../contracts/ports/host-doors.ts';
import type { GuardWorld } from './guard-world.ts';
import type { ReleaseStack } from './release-stack.ts';

/**
 * Makes the host-only directory of one sandbox and has its doors opened in it, for the sandbox's uid alone. Undone by `releases`.
 */
export async function openSandboxDoors(
  openDoors: OpenDoors,
  doorsRoot: string,
  request: {
    readonly sandbox: SandboxId;
    readonly program: Program;
    readonly networkGroups: readonly string[];
    readonly provider: string | null;
  },
  world: Pick<GuardWorld, 'uid' | 'gid'>,
  releases: ReleaseStack,
): Promise<void> {
  const directory = join(doorsRoot, request.sandbox);
  await mkdir(directory, { mode: 0o700 });
  releases.add(() => rm(directory, { recursive: true, force: true }));
  const doors = await openDoors(request.sandbox, request.program, directory, request.networkGroups, request.provider);
  releases.add(() => doors.close());
  for (const name of await readdir(directory)) {
    await chmod(join(directory, name), 0o600);
    await handOver(join(directory, name), world);
  }
  await handOver(directory, world);
}

/** A sandbox runs as the project's owner; a root invoker gives it what it must reach. The mount is read-only all the same. */
async function handOver(path: string, { uid, gid }: Pick<GuardWorld, 'uid' | 'gid'>): Promise<void> {
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}
