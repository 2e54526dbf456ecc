import { dirname } from 'node:path';
import { diskFull, MIN_FREE_BYTES } from '../../lib/disk-full.ts';
import { freeBytes } from '../../platform/sandbox-dirs/slot-usage.ts';
import { failure, ok, problem } from './doctor-report.ts';
import type { DoctorCheck } from './doctor-report.ts';

type FreeBytes = (directory: string) => Promise<number>;

/** Whether there is enough free space to start a session at the (future) state directory. */
export async function checkSpace(stateHome: string, free: FreeBytes = freeBytes): Promise<DoctorCheck> {
  const bytes = await freeAt(stateHome, free);
  if (bytes === null)
    return problem('warn', 'space', `The free space at ${stateHome} is not known`, 'statfs failed', '');
  if (bytes >= MIN_FREE_BYTES) return ok('space', `${Math.floor(bytes / 1024 / 1024)} MiB are free at ${stateHome}`);
  return failure('space', diskFull(stateHome));
}

async function freeAt(directory: string, free: FreeBytes): Promise<number | null> {
  try {
    return await free(directory);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing && dirname(directory) !== directory ? await freeAt(dirname(directory), free) : null;
  }
}
