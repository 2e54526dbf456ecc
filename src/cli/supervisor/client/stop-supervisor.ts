import { runtimeDirs } from '../../../contracts/host-layout.ts';
import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { withFileLock } from '../../../host/file-lock.ts';
import { connectSupervisor } from './connect-supervisor.ts';
import { statusResult } from '../supervisor-protocol.ts';
import { recordedRuntimeRoot, supervisorLock } from '../runtime-directory.ts';

/** Like `stopSupervisor`, but only if no CLI is attached and no session runs; otherwise false. */
export async function stopIdleSupervisor(dirs: ProjectDirs): Promise<boolean> {
  const root = await recordedRuntimeRoot(dirs.host).catch(() => null);
  if (root === null) return true;
  const peer = await connectSupervisor(runtimeDirs(root).supervisorSocket, () => undefined).catch(() => null);
  if (peer === null) return true;
  const { attached, sessions } = await peer.request('status', {}, { result: statusResult });
  peer.close();
  if (attached > 0 || (sessions ?? 0) > 0) return false;
  await stopSupervisor(dirs);
  return true;
}

/** Ends a project's supervisor and its kernel, and waits until they are gone. Does nothing if there is none. */
export async function stopSupervisor(dirs: ProjectDirs): Promise<void> {
  const root = await recordedRuntimeRoot(dirs.host).catch(() => null);
  if (root === null) return;
  const peer = await connectSupervisor(runtimeDirs(root).supervisorSocket, () => undefined).catch(() => null);
  if (peer === null) return;
  await peer.request('stop', {}).catch(() => undefined);
  await peer.closed;
  // It holds its lock until everything it made is gone.
  await withFileLock(supervisorLock(dirs.host), {}, () => Promise.resolve());
}
