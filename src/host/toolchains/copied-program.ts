import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, open, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isBelow } from './paths.ts';
import { madeOnce } from './made-once.ts';
import type { ToolchainOptions } from './toolchain.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

/** A toolchain that consists of one program. */
export interface SingleProgram {
  readonly name: string;
  /** Directories of its own installer, searched after PATH. */
  readonly places: readonly string[];
  /** Paths of the program relative to the npm script that starts it. */
  readonly beside: readonly string[];
}

const ELF = Buffer.from('\x7fELF');

/**
 * A directory with only a copy of a program of this host, made once, because the program's own directory may contain others. Never a program of the
 * project. null if there is none.
 */
export async function copiedProgram(
  { name, places, beside }: SingleProgram,
  { projectRoot, env, caches, onProgress }: ToolchainOptions,
): Promise<string | null> {
  const searched = [...(env['PATH'] ?? '').split(delimiter), ...places].filter((path) => isAbsolute(path));
  for (const directory of searched) {
    const program = await programAt(join(directory, name), beside);
    if (program === null || isBelow(program, projectRoot)) continue;
    return copyOnce(program, name, { caches, onProgress });
  }
  return null;
}

export interface CopyOptions extends Pick<ToolchainOptions, 'caches' | 'onProgress'> {
  /** Another value makes another copy. */
  readonly key?: string;
}

/** A directory with only a copy of a program, made once. Nothing is kept if `check`, which gets the directory, rejects. */
export async function copyOnce(
  program: string,
  name: string,
  { caches, onProgress, key = '' }: CopyOptions,
  check?: (directory: string) => Promise<void>,
): Promise<string> {
  const { size, mtimeMs } = await stat(program);
  const named = `${program}\n${size}\n${mtimeMs}${key === '' ? '' : `\n${key}`}`;
  const hash = createHash('sha256').update(named).digest('hex').slice(0, 16);
  await makeDirectories(caches, 0o755);
  const words = { making: `copying this machine's ${name}, once`, waiting: `waiting for the copy of ${name}` };
  return madeOnce(join(await realpath(caches), `${name}-${hash}`), words, onProgress, async (made) => {
    await copyFile(program, join(made, name), constants.COPYFILE_FICLONE);
    for (const path of [made, join(made, name)]) await chmod(path, 0o755);
    await check?.(made);
  });
}

async function programAt(path: string, beside: readonly string[]): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  for (const each of [real, ...beside.map((below) => join(dirname(real), below))]) if (await isElf(each)) return each;
  return null;
}

/** Whether the file is an ELF program and not a script. */
export async function isElf(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(ELF.length) });
    return bytesRead === ELF.length && buffer.equals(ELF);
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
