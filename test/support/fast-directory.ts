import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const LEAST_BYTES = 2 * 1024 ** 3;

/**
 * A fresh directory in memory where the system has such a place: these tests write thousands of files or wait for the disk hundreds of times, and what
 * they test is not the disk. A sandbox's own `/tmp` is in memory too. Open to the ordinary user whose project it will hold.
 */
export function makeFastDirectory(prefix: string): string {
  const base = mkdtempSync(join(isUsable() ? MEMORY : tmpdir(), prefix));
  chmodSync(base, 0o755);
  return base;
}

/** Whether there is room in memory, and programs may be started there. */
function isUsable(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options =
      mounts
        .filter((line) => line.split(' ')[1] === MEMORY)
        .at(-1)
        ?.split(' ')[3] ?? 'noexec';
    return bavail * bsize >= LEAST_BYTES && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}
