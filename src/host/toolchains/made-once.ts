import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from '../file-lock.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

/** The messages while it is made, and while another process makes it. */
export interface MakingWords {
  readonly making: string;
  readonly waiting: string;
}

/**
 * A directory that is made once, by one process: `make` fills a temporary directory, which is renamed when it is complete. Everybody may read it:
 * sandboxes have the uid of the project's owner, and this process may be root with a umask of 077.
 */
export async function madeOnce(
  directory: string,
  { making, waiting }: MakingWords,
  onProgress: (text: string) => void,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const isThere = async (): Promise<boolean> => (await stat(directory).catch(() => undefined)) !== undefined;
  if (await isThere()) return directory;
  await makeDirectories(dirname(directory), 0o755);
  return withFileLock(`${directory}.lock`, { onWait: () => onProgress(waiting) }, async () => {
    if (await isThere()) return directory;
    onProgress(making);
    const scratch = await mkdtemp(join(dirname(directory), 'making-'));
    try {
      const made = join(scratch, 'made');
      await mkdir(made);
      await make(made);
      await letAllRead(made);
      await rename(made, directory);
      return directory;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

async function letAllRead(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const { name, parentPath } of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    const entry = await lstat(path);
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const runs = (entry.mode & 0o100) === 0 ? 0 : 0o111;
    await chmod(path, (entry.mode & 0o7777) | 0o444 | runs);
  }
}
