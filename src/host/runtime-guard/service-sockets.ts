import { chmod, lchown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxId } from '../../contracts/ids.ts';
import type { OpenServiceSockets, ServiceSockets, SocketRequest } from '../../contracts/ports/host-services.ts';
import type { GuardContext } from './guard-context.ts';
import type { ReleaseStack } from './release-stack.ts';

export interface SandboxSocketsOptions {
  readonly openSockets: OpenServiceSockets;
  /** `<runtime>/guard`, which L1 does not see. */
  readonly socketsRoot: string;
  readonly context: Pick<GuardContext, 'uid' | 'gid'>;
}

/** Creates the host-only directory of one sandbox and opens its service sockets in it, only for the sandbox's uid. Undone by `releases`. */
export async function openSandboxSockets(
  { openSockets, socketsRoot, context }: SandboxSocketsOptions,
  sandbox: SandboxId,
  request: Omit<SocketRequest, 'directory'>,
  releases: ReleaseStack,
): Promise<ServiceSockets> {
  const directory = join(socketsRoot, sandbox);
  await mkdir(directory, { mode: 0o700 });
  releases.add(() => rm(directory, { recursive: true, force: true }));
  const sockets = await openSockets({ ...request, directory });
  releases.add(() => sockets.close());
  for (const name of await readdir(directory)) {
    await chmod(join(directory, name), 0o600);
    await handOver(join(directory, name), context);
  }
  await handOver(directory, context);
  return sockets;
}

/** A sandbox runs as the project's owner; a supervisor that runs as root gives it what it must reach. The mount is still read-only. */
async function handOver(path: string, { uid, gid }: Pick<GuardContext, 'uid' | 'gid'>): Promise<void> {
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}
