import { lstat } from 'node:fs/promises';

const ATTEMPTS = 30;
const PAUSE_MS = 100;

/**
 * The first of these locks that another program holds for longer than a short command takes (such as an editor's `git
 * status` in the background), or null. A lock of a merge is a hard link, as git's never is; the kernel removes such a
 * lock after a crash when it starts.
 */
export async function foreignLock(
  paths: readonly string[],
  pause: (ms: number) => Promise<unknown>,
): Promise<string | null> {
  for (const path of paths) {
    for (let attempt = 1; await isForeign(path); attempt += 1) {
      if (attempt === ATTEMPTS) return path;
      await pause(PAUSE_MS);
    }
  }
  return null;
}

async function isForeign(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.nlink === 1;
}
