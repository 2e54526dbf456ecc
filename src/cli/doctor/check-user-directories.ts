import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { UserDirs } from '../../contracts/host-layout.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { unusableDirectory } from '../user-directories.ts';
import { failure } from './doctor-report.ts';
import type { DoctorCheck } from './doctor-report.ts';

type Access = (path: string, mode: number) => Promise<void>;

/** The user's directories that this user can neither write nor create. */
export async function unwritable(
  { config, stateHome }: Pick<UserDirs, 'config' | 'stateHome'>,
  mayUse: Access = access,
): Promise<readonly DoctorCheck[]> {
  const checks = await Promise.all([config, stateHome].map((path) => writeProblem(path, path, mayUse)));
  return checks.filter((check) => check !== null);
}

async function writeProblem(path: string, at: string, mayUse: Access): Promise<DoctorCheck | null> {
  try {
    await mayUse(at, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && at !== '/')
      return writeProblem(path, dirname(at), mayUse);
    return failure('home', unusableDirectory(path, messageOf(error), error));
  }
}
