import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from '../file-lock.ts';

/** What is said while it is made, and while another process makes it. */
export interface MakingWords {
  readonly making: string;
  readonly waiting: string;
}

/** A directory that is made once, by one process: `make` fills a directory beside it, which takes its name when it is complete. */
export async function madeOnce(
  directory: string,
  { making, waiting }: MakingWords,
  onProgress: (text: string) => void,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const isThere = async (): Promise<boolean> => (await stat(directory).catch(() => undefined)) !== undefined;
  if (await isThere()) return directory;
  await mkdir(dirname(directory), { recursive: true, mode: 0o755 });
  return withFileLock(`${directory}.lock`, { onWait: () => onProgress(waiting) }, async () => {
    if (await isThere()) return directory;
    onProgress(making);
    const scratch = await mkdtemp(join(dirname(directory), 'making-'));
    try {
      const made = join(scratch, 'made');
      await mkdir(made);
      await make(made);
      await rename(made, directory);
      return directory;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
}
