import { lchown, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Creates a directory of mode 0700 that belongs to `owner`, or checks that it is one. An existing directory that differs is refused and not repaired,
 * because another user may have put it there.
 *
 * @throws FluffyError `directory_unsafe`
 */
export async function ownDirectory(path: string, owner: Owner): Promise<void> {
  const there = await lstat(path).catch(ignore('ENOENT'));
  if (there === undefined) await makeWhole(path, owner);
  const problem = await directoryProblem(path, owner.uid);
  if (problem !== null) throw unsafe(path, problem);
}

/** The directory never has another owner under its name: two processes may create it at once, and each may die half-way. */
async function makeWhole(path: string, owner: Owner): Promise<void> {
  if (isInvoker(owner)) await mkdir(path, 0o700).catch(ignore('EEXIST'));
  else await placeWhole(path, (draft) => lchown(draft, owner.uid, owner.gid));
}

/**
 * Creates the directory `path` of this user with all its subdirectories at once, if it does not exist. Each has mode 0700. Its name never refers to
 * an empty directory, so another process that creates it at the same time cannot replace it: rename(2) replaces an empty directory without an error.
 */
export async function makeTree(path: string, subdirectories: ReadonlyMap<string, Owner>): Promise<void> {
  if ((await lstat(path).catch(ignore('ENOENT'))) !== undefined) return;
  await placeWhole(path, async (draft) => {
    for (const [name, owner] of subdirectories) {
      await mkdir(join(draft, name), 0o700);
      if (!isInvoker(owner)) await lchown(join(draft, name), owner.uid, owner.gid);
    }
  });
}

/** Creates a directory of mode 0700 under a temporary name, and renames it when it is complete; an existing one stays. */
async function placeWhole(path: string, complete: (draft: string) => Promise<void>): Promise<void> {
  const draft = await mkdtemp(`${path}.new-`);
  await complete(draft);
  const placed = await rename(draft, path).then(() => true, ignore('ENOTEMPTY', 'EEXIST', 'ENOTDIR'));
  if (placed === undefined) await rm(draft, { recursive: true });
}

function isInvoker({ uid }: Owner): boolean {
  return uid === process.getuid?.();
}

/** Returns undefined for these system errors, and rethrows all others. */
function ignore(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  };
}

/** Why a directory is not usable by `uid` only, or null. */
export async function directoryProblem(path: string, uid: number): Promise<string | null> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return 'it is a symbolic link';
  if (!info.isDirectory()) return 'it is not a directory';
  if (info.uid !== uid) return `it belongs to uid ${info.uid}, not to uid ${uid}`;
  if ((info.mode & 0o077) !== 0) return `others may use it (mode ${(info.mode & 0o777).toString(8)})`;
  return null;
}

export function unsafe(path: string, why: string): FluffyError {
  return new FluffyError({
    code: 'directory_unsafe',
    what: `The directory ${path} cannot be used`,
    why,
    fix: `check its content, then remove it or change its owner: ls -la ${JSON.stringify(path)}`,
    exitCode: EXIT.usage,
  });
}
