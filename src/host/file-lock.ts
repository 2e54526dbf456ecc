import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectories } from '../lib/files/make-directories.ts';

const LOCK_EX = 2;
const LOCK_NB = 4;
const POLL_MS = 200;

/**
 * Runs `action` while holding an exclusive lock on `path`. The operating system holds the lock (flock): it is released when its holder ends in any
 * way, so there are no stale locks. The file itself stays.
 *
 * @throws Error if the file system has no locks, or if `signal` ends the wait.
 */
export async function withFileLock<T>(
  path: string,
  options: { readonly onWait?: () => void; readonly signal?: AbortSignal },
  action: () => Promise<T>,
): Promise<T> {
  await makeDirectories(dirname(path), 0o700);
  const file = await open(path, 'a', 0o600);
  try {
    const tryLock = await loadTryLock();
    for (let waits = 0; !tryLock(file.fd, path); waits++) {
      if (waits === 0) options.onWait?.();
      await sleep(POLL_MS, undefined, { ...(options.signal && { signal: options.signal }) });
    }
    return await action();
  } finally {
    await file.close();
  }
}

/** Loaded on demand, because most starts take no lock. */
async function loadTryLock(): Promise<(fd: number, path: string) => boolean> {
  const { default: koffi } = await import('koffi');
  const flock = koffi.load(null).func('int flock(int fd, int operation)') as (fd: number, operation: number) => number;
  return (fd, path) => {
    if (flock(fd, LOCK_EX | LOCK_NB) === 0) return true;
    const errno = koffi.errno();
    if (errno === constants.errno.EWOULDBLOCK || errno === constants.errno.EINTR) return false;
    throw new Error(`cannot lock ${path}: errno ${errno}`);
  };
}
