import { lstatSync, readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { errnoOf, throughFd } from './descriptors.ts';
import type { UnionDirectory, UnionEntry } from './union/union-lookup.ts';

/**
 * A directory that can be asked by name. Some file systems accept names that they do not list: `.ENV` for `.env`,
 * `SERVER~1.PEM` for `server-key.pem`.
 */
export interface NamedDirectory {
  /** The inode of a name, without following links; null if there is none. */
  inode(name: string): string | null;
  names(): readonly string[];
}

/**
 * The name that the directory lists for the entry found by `name`; `name` itself if it is listed. Policy decides by
 * names, so a file must not have a second one. Costs one lookup where case matters; only a directory that ignores case
 * is read.
 */
export function spelledOnDisk(directory: NamedDirectory, name: string): string {
  const otherCase = swapCase(name);
  if (otherCase === name) return name;
  const inode = directory.inode(name);
  if (inode === null || directory.inode(otherCase) !== inode) return name;
  // Either two hard links, or one name that ignores case.
  const names = directory.names();
  if (names.includes(name)) return name;
  const folded = name.normalize('NFC').toLowerCase();
  return (
    names.find((each) => each.normalize('NFC').toLowerCase() === folded) ??
    names.find((each) => directory.inode(each) === inode) ??
    name
  );
}

/** The name of an entry of a union, as its layer spells it. */
export function spelledInUnion(directory: UnionDirectory, name: string, entry: UnionEntry): string {
  const fromStaging = entry.kind === 'directory' ? entry.project === null : entry.layer === 'staging';
  const layer = fromStaging ? directory.staging : directory.project;
  return layer === null ? name : spelledOnDisk(directoryAt(layer), name);
}

function directoryAt(fd: number): NamedDirectory {
  return {
    inode: (name) => {
      const stat = lstatOrNull(throughFd(fd, name));
      return stat === null ? null : `${stat.dev}:${stat.ino}`;
    },
    names: () => readdirSync(throughFd(fd)),
  };
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG'].includes(errnoOf(error))) return null;
    throw error;
  }
}

/** Changes the case of the first letter that has two cases: enough to see whether case matters. */
function swapCase(name: string): string {
  for (const [index, letter] of [...name].entries()) {
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    if (other === letter || [...other].length !== 1) continue;
    return [...name].with(index, other).join('');
  }
  return name;
}
