import { accessSync, chmodSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A fresh directory in memory where the system has such a place: these tests wait for the disk hundreds of times, and what they test
 * is the order of things, not the disk. Open to the ordinary user whose project it will hold.
 */
export function makeFastDirectory(prefix: string): string {
  const base = mkdtempSync(join(memory() ?? tmpdir(), prefix));
  chmodSync(base, 0o755);
  return base;
}

function memory(): string | null {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return null;
  }
}
