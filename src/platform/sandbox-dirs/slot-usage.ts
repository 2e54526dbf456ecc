import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { exceedsBounds } from './directory-usage.ts';
import type { UsageBounds } from './directory-usage.ts';

export interface SlotUsageOptions extends UsageBounds {
  /** /var/lib/fluffy in L1: contains slots/. */
  readonly stateDir: string;
  /** Bytes that must stay free on the file system of the state directory, whichever program fills it. */
  readonly minFreeBytes: number;
}

/**
 * Measures what an overlay operation has written so far. Tests may lock directories of their own, so locked directories
 * are allowed; their hidden content is limited by the space that must stay free.
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

/** Whether less space is free on the file system of the state directory than must stay free. */
export async function isShortOfSpace({
  stateDir,
  minFreeBytes,
}: Pick<SlotUsageOptions, 'stateDir' | 'minFreeBytes'>): Promise<boolean> {
  return (await freeBytes(stateDir)) < minFreeBytes;
}

/** Bytes that are free for a user on the file system of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
