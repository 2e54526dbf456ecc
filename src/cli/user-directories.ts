import { stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { userDirs } from '../contracts/host-layout.ts';
import type { HostEnvironment, UserDirs } from '../contracts/host-layout.ts';
import { diskFull, isDiskFull } from '../lib/disk-full.ts';
import { messageOf } from '../lib/text/message-of.ts';

/**
 * Checks that the user's directories can be where the environment says. They need not exist.
 *
 * @throws FluffyError `home_unusable`
 */
export async function checkUserDirectories(env: HostEnvironment): Promise<void> {
  const xdg = [env.XDG_CONFIG_HOME, env.XDG_STATE_HOME];
  if (!xdg.every((path) => isAbsolute(path ?? '')) && !isAbsolute(env.HOME ?? '')) throw noHome(env.HOME);
  const { config, stateHome } = userDirs(env);
  for (const path of [config, stateHome]) await checkDirectory(path);
}

/** System errors that mean that the user has no access to a path. Other errors are bugs. */
const REFUSES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO']);
/** System errors for a directory that cannot be created. */
const REFUSES_TO_MAKE = new Set(['ENOENT', 'EEXIST']);

/** The meaning for the user of a system error about a path in the user's directories; null if it is about something else. */
export function userDirectoryError(error: unknown, { config, stateHome }: UserDirs): FluffyError | null {
  if (!(error instanceof Error)) return null;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) return null;
  const place = [config, stateHome].find((each) => isRelated(path, each));
  if (place === undefined) return null;
  if (isDiskFull(error)) return diskFull(place, error);
  const isRefused = REFUSES.has(code) || (syscall === 'mkdir' && REFUSES_TO_MAKE.has(code));
  return isRefused ? unusableDirectory(path, error.message, error) : null;
}

/** Inside the directory, or on the way to it. */
function isRelated(path: string, directory: string): boolean {
  return `${path}/`.startsWith(`${directory}/`) || `${directory}/`.startsWith(`${path}/`);
}

async function checkDirectory(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isDirectory()) throw unusableDirectory(path, 'it is not a directory');
  } catch (error) {
    if (error instanceof FluffyError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw unusableDirectory(path, await reasonAbove(path, error), error);
  }
}

/** Names a file in place of a directory, because the system's error does not say which path it is. */
async function reasonAbove(path: string, error: unknown): Promise<string> {
  for (let at = dirname(path); at !== '/'; at = dirname(at)) {
    const found = await stat(at).catch(() => null);
    if (found?.isDirectory() === false) return `${at} is not a directory`;
  }
  return messageOf(error);
}

function noHome(home: string | undefined): FluffyError {
  const now =
    home === undefined ? 'not set' : home === '' ? 'empty' : `${JSON.stringify(home)}, which is not a whole path`;
  return homeError('fluffy does not know your home directory', `HOME is ${now}`);
}

export function unusableDirectory(path: string, why: string, cause?: unknown): FluffyError {
  return homeError(`${path} cannot be used for fluffy's own files`, why, cause);
}

function homeError(what: string, why: string, cause?: unknown): FluffyError {
  return new FluffyError({
    code: 'home_unusable',
    what,
    why,
    fix: 'Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to a directory of yours in which you can write',
    exitCode: EXIT.usage,
    cause,
  });
}
