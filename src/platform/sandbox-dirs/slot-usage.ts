import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { exceedsBounds } from './directory-usage.ts';
import type { UsageBounds } from './directory-usage.ts';

export interface SlotUsageOptions extends UsageBounds {
  /** /var/lib/fluffy in L1: holds slots/. */
  readonly stateDir: string;
  /** What must stay free on the file system of the state directory, whoever fills it. */
  readonly minFreeBytes: number;
}

/**
 * Looks at what an overlay operation has written so far. Tests may lock directories of their own, so those are not held against
 * them; what could hide in one is bounded by the space that must stay free.
 */
export function createSlotUsage(
  options: SlotUsageOptions,
): (slot: number) => Promise<'within' | 'exceeded' | 'disk-full'> {
  return async (slot) => {
    if (await isShortOfSpace(options)) return 'disk-full';
    const upper = join(options.stateDir, 'slots', String(slot), 'upper');
    return (await exceedsBounds(upper, options, 'is-ignored')) ? 'exceeded' : 'within';
  };
}

/** Whether less is free on the file system of the state directory than must stay free. */
export async function isShortOfSpace({
  stateDir,
  minFreeBytes,
}: Pick<SlotUsageOptions, 'stateDir' | 'minFreeBytes'>): Promise<boolean> {
  return (await freeBytes(stateDir)) < minFreeBytes;
}

/** What is free for a user on the file system of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
