import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SessionId } from '../../contracts/ids.ts';
import type { PreparedObjects } from '../../contracts/ports/prepared-objects.ts';
import { encodeLooseObject } from '../../lib/git/loose-object.ts';
import { looseObjectName } from './object-database.ts';
import { makeDirectory } from '../fs/make-directory.ts';

/** An object directory like git's own, one per session, below the state directory. */
export function preparedObjectsDirectory(state: string, session: SessionId): string {
  return join(state, 'prepared', session);
}

export function openPreparedObjects(state: string): PreparedObjects {
  const directoryOf = (session: SessionId): string => preparedObjectsDirectory(state, session);
  return {
    async save(session, objects) {
      const directory = directoryOf(session);
      const fresh = `${directory}.new`;
      await rm(fresh, { recursive: true, force: true });
      makeDirectory(fresh);
      for (const [id, object] of objects)
        await writeDurably(join(fresh, looseObjectName(id)), encodeLooseObject(object));
      await rm(directory, { recursive: true, force: true });
      await rename(fresh, directory);
      await syncDirectory(dirname(directory));
    },
    async add(session, objects) {
      const directory = directoryOf(session);
      makeDirectory(directory);
      for (const [id, object] of objects) {
        const path = join(directory, looseObjectName(id));
        // Objects are named by their content: an existing one is the same, unless a crash cut it short.
        await rm(path, { force: true });
        await writeDurably(path, encodeLooseObject(object));
      }
      await syncDirectory(directory);
    },
    drop: (session) => rm(directoryOf(session), { recursive: true, force: true }),
  };
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  makeDirectory(dirname(path));
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
