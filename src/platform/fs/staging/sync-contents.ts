import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { throughFd, withDescriptors } from '../descriptors.ts';
import { pinParent } from './staging-steps.ts';

/** Up to this many files are synced one by one; for more, syncing the whole file system is cheaper. */
const MAX_SINGLE_SYNCS = 16;

type AsyncSyncfs = (fd: number, done: (error: unknown, result: number) => void) => void;

/**
 * Makes the content of files durable, so that no later rename or record refers to content that is lost in a crash.
 * Paths are below the pinned `directory`; entries that are not regular files are skipped.
 */
export async function syncContents(directory: number, paths: readonly string[]): Promise<void> {
  if (paths.length > MAX_SINGLE_SYNCS) return syncFileSystem(directory);
  for (const path of paths) {
    withDescriptors((descriptors) => {
      const place = pinParent(descriptors, directory, path);
      const found = place === null ? null : descriptors.pin(place.parent, place.name);
      if (found?.kind === 'pinned' && found.pinned.stat.isFile()) fsyncSync(descriptors.reopen(found.pinned.fd));
    });
  }
}

/** Runs outside the main thread, because other programs may have much unsynced data. */
async function syncFileSystem(directory: number): Promise<void> {
  const { default: koffi } = await import('koffi');
  const syncfs: unknown = Reflect.get(koffi.load(null).func('int syncfs(int)'), 'async');
  const fd = openSync(throughFd(directory), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await new Promise<void>((resolve, reject) => {
      (syncfs as AsyncSyncfs)(fd, (error, result) => {
        if (error === null && result === 0) resolve();
        else reject(new Error('the state directory could not be synced', { cause: error }));
      });
    });
  } finally {
    closeSync(fd);
  }
}
