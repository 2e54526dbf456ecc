import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findInTree } from '../../../lib/files/find-in-tree.ts';
import { readRegularText } from '../../../lib/files/read-regular-file.ts';

/** A search that takes longer may be waiting for such a file. */
const SLOW_AFTER_MS = 500;
const POINTER = { maxBytes: 8192, links: 'followed' } as const;

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
  const rules = [
    join(directory, '.gitignore'),
    join(directory, '.git/info/exclude'),
    ...(await sharedRules(directory)),
  ];
  if (rules.some(isOdd)) return search('nothing', signal);
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

/** The rules of a linked worktree, which ripgrep reads wherever its `.git` file says that they are. */
async function sharedRules(directory: string): Promise<readonly string[]> {
  const named = /^gitdir: (.+)/.exec((await readRegularText(join(directory, '.git'), POINTER)) ?? '')?.[1];
  if (named === undefined) return [];
  const own = resolve(directory, named);
  const shared = await readRegularText(join(own, 'commondir'), POINTER);
  return shared === null ? [] : [join(resolve(own, shared.trimEnd()), 'info/exclude')];
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
