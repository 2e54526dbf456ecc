import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findInTree } from '../../../lib/files/find-in-tree.ts';

/** A search that takes longer may be waiting for such a file. */
const SLOW_AFTER_MS = 500;

/**
 * Searches a project by its ignore files, or without them if one is a pipe, a device or a link: ripgrep would wait for
 * a pipe, read a device without end, and follow a link, which git does not. The top directory is checked first; all
 * others are checked only if the search does not end.
 */
export async function searchByIgnoreFiles<T>(
  directory: string,
  signal: AbortSignal,
  search: (goBy: 'ignore files' | 'nothing', signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (['.gitignore', '.git/info/exclude'].some((name) => isOdd(join(directory, name))))
    return search('nothing', signal);
  const stop = new AbortController();
  const running = search('ignore files', AbortSignal.any([signal, stop.signal]));
  try {
    const first = await Promise.race([running.then(isOver, isOver), foundWhenSlow(directory, stop.signal)]);
    if (first === 'plain') return await running;
  } finally {
    stop.abort();
  }
  await running.then(isOver, isOver);
  return search('nothing', signal);
}

const isOver = () => 'plain' as const;

async function foundWhenSlow(directory: string, signal: AbortSignal): Promise<'plain' | 'odd'> {
  try {
    await sleep(SLOW_AFTER_MS, undefined, { signal });
  } catch {
    return 'plain';
  }
  const found = await findInTree(
    directory,
    (entry) => entry.name === '.gitignore' && !entry.isFile() && !entry.isDirectory(),
    signal,
  );
  return found === null ? 'plain' : 'odd';
}

/**
 * A missing file, a regular file and a directory mean the same to ripgrep and git. If `.git` is a file, as in a linked
 * worktree, there is nothing below it.
 */
function isOdd(path: string): boolean {
  try {
    const found = lstatSync(path);
    return !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}
