import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import type { EngineClient } from '../../host/runtime-guard/engine-client.ts';
import { objectsOfInstance, removeObjects } from '../../host/runtime-guard/instance-objects.ts';
import { instanceOf } from './instance.ts';
import { supervisorLock } from './runtime-directory.ts';

export interface SweepOptions {
  readonly engine: EngineClient;
  readonly stateHome: string;
  /** The project of the calling supervisor; null for any other caller. */
  readonly ownProject: string | null;
}

/**
 * Removes what a killed supervisor of any project of this state directory left in the engine: its kernel, sandboxes, volumes. A living supervisor
 * holds its project's lock. The sweep holds it too while it removes, so a supervisor that starts meanwhile waits. Resolves to the number of removed
 * containers and volumes.
 */
export async function sweepOrphans({ engine, stateHome, ownProject }: SweepOptions): Promise<number> {
  const instance = instanceOf(stateHome);
  let removed = 0;
  for (const project of (await objectsOfInstance(engine, instance)).keys()) {
    if (project === ownProject) continue;
    const sweep = async (): Promise<void> => {
      // Listed again: objects seen before may have belonged to a supervisor that was alive then.
      const objects = (await objectsOfInstance(engine, instance)).get(project);
      if (objects !== undefined) removed += await removeObjects(engine, objects);
    };
    const host = join(stateHome, 'projects', project, 'host');
    const isThere = await stat(host).then(
      () => true,
      () => false,
    );
    // Without a state directory there is no lock that a supervisor could hold.
    await (isThere ? withoutWaiting(supervisorLock(host), sweep) : sweep());
  }
  return removed;
}

async function withoutWaiting(lock: string, action: () => Promise<void>): Promise<void> {
  const held = new AbortController();
  await withFileLock(lock, { signal: held.signal, onWait: () => held.abort() }, action).catch((error: unknown) => {
    if (!held.signal.aborted) throw error;
  });
}
