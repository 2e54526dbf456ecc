import { closeSync, mkdirSync, renameSync } from 'node:fs';
import { posix } from 'node:path';
import { errnoOf, pinRoot, throughFd, withDescriptors } from '../descriptors.ts';
import { makeDirectory } from '../make-directory.ts';
import { scanScratch } from '../scratch/scan-scratch.ts';
import type { ScratchDirectory, ScratchLimits, ScratchNode } from '../scratch/scan-scratch.ts';
import type { OpaqueMarks } from '../xattr.ts';

/** Where installed packages are, and which targets their links may have. Paths are relative to the project root. */
export interface PackagePlaces {
  /** The first always exists; it is empty if nothing was installed. */
  readonly directories: readonly string[];
  /** Directories of the project's own packages: a link may lead to one of them, but not to a path inside it. */
  readonly members: readonly string[];
  /** Programs of the image, by absolute path. */
  readonly programs: readonly string[];
}

interface Limits {
  readonly marks: OpaqueMarks;
  readonly limits: ScratchLimits;
}

/**
 * Moves the directories that a package manager has left to a place where nobody else writes, and examines them there.
 * Returns why they may not be kept, or null.
 */
export async function takePackages(
  tree: string,
  to: string,
  places: PackagePlaces,
  { marks, limits }: Limits,
): Promise<string | null> {
  const from = pinRoot(tree);
  const made = pinRoot(to);
  try {
    for (const [index, directory] of places.directories.entries()) {
      const isMoved = move(from, made, directory);
      if (!isMoved && index === 0) mkdirSync(throughFd(made, directory), { mode: 0o755 });
    }
    const scanned = await scanScratch(made, marks, limits);
    if (scanned.kind === 'refused') return scanned.reason;
    const unlike = places.directories.find(
      (each) => !['directory', undefined].includes(nodeAt(scanned.root, each)?.kind),
    );
    if (unlike !== undefined) return `${unlike} is not a directory`;
    return firstUnfit(scanned.root, '', places);
  } finally {
    closeSync(from);
    closeSync(made);
  }
}

/**
 * False if the directory does not exist. No link is followed on the way: a link in place of a member would move files
 * from elsewhere.
 */
function move(from: number, made: number, directory: string): boolean {
  return withDescriptors((descriptors) => {
    const names = directory.split('/');
    const last = names.pop() ?? '';
    let parent = from;
    for (const name of names) {
      const found = descriptors.pin(parent, name);
      if (found.kind !== 'pinned' || !found.pinned.stat.isDirectory()) return false;
      parent = found.pinned.fd;
    }
    makeDirectory(throughFd(made, names.join('/')), 0o755);
    try {
      renameSync(throughFd(parent, last), throughFd(made, directory));
      return true;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      return false;
    }
  });
}

function nodeAt(root: ScratchDirectory, path: string): ScratchNode | undefined {
  let node: ScratchNode | undefined = root;
  for (const name of path.split('/')) node = node?.kind === 'directory' ? node.children.get(name) : undefined;
  return node;
}

/**
 * Links may lead from package to package (links to programs do), to the project and its workspace members, and to
 * programs of the image, and nowhere else.
 */
function firstUnfit(directory: ScratchDirectory, path: string, places: PackagePlaces): string | null {
  for (const [name, node] of directory.children) {
    const at = path === '' ? name : `${path}/${name}`;
    switch (node.kind) {
      case 'file':
        break;
      case 'unfit':
        return node.reason;
      case 'whiteout':
        return `${JSON.stringify(at)} is a device`;
      case 'symlink':
        if (leavesPackages(at, node.state.target, places))
          return `${JSON.stringify(at)} is a link that leads out of the installed packages`;
        break;
      case 'directory': {
        const why = firstUnfit(node, at, places);
        if (why !== null) return why;
      }
    }
  }
  return null;
}

/** Judged by its text alone: `..` only at the front, and from there into a package directory, to a member or to the project itself. */
function leavesPackages(path: string, target: string, { directories, members, programs }: PackagePlaces): boolean {
  if (programs.includes(target)) return false;
  if (target === '' || target.startsWith('/')) return true;
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const climbs = names.findIndex((name) => name !== '..');
  if (climbs !== -1 && names.slice(climbs).includes('..')) return true;
  const end = posix.join(posix.dirname(path), names.join('/'));
  return (
    end !== '.' && !members.includes(end) && !directories.some((each) => end === each || end.startsWith(`${each}/`))
  );
}
