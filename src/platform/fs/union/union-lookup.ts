import { readdirSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { isAscii } from '../../../lib/text/is-ascii.ts';
import type { Descriptors, Pinned } from '../descriptors.ts';
import { throughFd } from '../descriptors.ts';
import type { OpaqueMarks } from '../xattr.ts';

/**
 * File names are bytes on Linux; paths here are NFC. `any` accepts the only entry that is normalised differently if the
 * exact name does not exist. `exact` is for paths that were read from a directory.
 */
export type Spelling = 'any' | 'exact';

export type Layer = 'staging' | 'project';

/** A directory of the union: its entries in the layers, at least one of them present. */
export interface UnionDirectory {
  readonly kind: 'directory';
  readonly staging: number | null;
  readonly project: number | null;
  /** Stat of the topmost layer that has the directory. */
  readonly stat: Stats;
}

export interface UnionLeaf {
  readonly kind: 'file' | 'symlink' | 'special';
  readonly layer: Layer;
  readonly fd: number;
  readonly stat: Stats;
  /**
   * The directory in which it was found and its name there, for data that a descriptor does not give, such as a link's
   * target.
   */
  readonly parent: number;
  readonly name: string;
}

export type UnionEntry = UnionDirectory | UnionLeaf;

/** `unreachable`: the entry exists, but this process has no permission to read it. */
export type UnionLookup = UnionEntry | { readonly kind: 'missing' } | { readonly kind: 'unreachable' };

const MISSING = { kind: 'missing' } as const;
const UNREACHABLE = { kind: 'unreachable' } as const;

/**
 * One step down the union, by the rules of overlayfs: a staged entry hides the project's; a whiteout (character device
 * 0/0) hides it and counts as missing; directories merge unless the staged one is opaque or the project's entry is not
 * a directory.
 */
export function lookUp(
  descriptors: Descriptors,
  marks: OpaqueMarks,
  directory: UnionDirectory,
  name: string,
  spelling: Spelling = 'any',
): UnionLookup {
  if (directory.staging !== null) {
    const staged = pinByName(descriptors, directory.staging, name, spelling);
    if (staged.kind === 'unreachable') return UNREACHABLE;
    if (staged.kind === 'pinned') {
      const { fd, stat } = staged.pinned;
      if (isWhiteout(stat)) return MISSING;
      if (!stat.isDirectory()) return leaf('staging', staged.pinned, directory.staging, staged.name);
      const beneath = marks.isOpaque(fd) ? null : projectDirectory(descriptors, directory.project, name);
      return { kind: 'directory', staging: fd, project: beneath, stat };
    }
  }
  if (directory.project === null) return MISSING;
  const found = pinByName(descriptors, directory.project, name, spelling);
  if (found.kind !== 'pinned') return found.kind === 'unreachable' ? UNREACHABLE : MISSING;
  const { fd, stat } = found.pinned;
  if (isWhiteout(stat)) return MISSING;
  if (stat.isDirectory()) return { kind: 'directory', staging: null, project: fd, stat };
  return leaf('project', found.pinned, directory.project, found.name);
}

/** Names in a directory of the union, each with the entry that counts; unordered. */
export function listUnion(directory: UnionDirectory, descriptors: Descriptors): Map<string, Dirent> {
  const entries = new Map<string, Dirent>();
  const hidden = new Set<string>();
  if (directory.staging !== null) {
    for (const entry of readdirSync(throughFd(directory.staging), { withFileTypes: true })) {
      if (isWhiteoutEntry(descriptors, directory.staging, entry)) hidden.add(entry.name);
      else entries.set(entry.name, entry);
    }
  }
  if (directory.project !== null) {
    for (const entry of readdirSync(throughFd(directory.project), { withFileTypes: true })) {
      if (entries.has(entry.name) || hidden.has(entry.name)) continue;
      if (!isWhiteoutEntry(descriptors, directory.project, entry)) entries.set(entry.name, entry);
    }
  }
  return entries;
}

export function isWhiteout(stat: Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0;
}

function isWhiteoutEntry(descriptors: Descriptors, parent: number, entry: Dirent): boolean {
  if (!entry.isCharacterDevice()) return false;
  const pinned = descriptors.pin(parent, entry.name);
  return pinned.kind === 'pinned' && isWhiteout(pinned.pinned.stat);
}

function projectDirectory(descriptors: Descriptors, parent: number | null, name: string): number | null {
  if (parent === null) return null;
  const found = descriptors.pin(parent, name);
  return found.kind === 'pinned' && found.pinned.stat.isDirectory() ? found.pinned.fd : null;
}

type NamedPin =
  | { readonly kind: 'pinned'; readonly pinned: Pinned; readonly name: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable' };

/** Pins an entry by its name or by its only other spelling. If two spellings exist, only the exact name is found. */
function pinByName(descriptors: Descriptors, parent: number, name: string, spelling: Spelling): NamedPin {
  const exact = descriptors.pin(parent, name);
  if (exact.kind === 'pinned') return { ...exact, name };
  if (exact.kind === 'unreachable' || spelling === 'exact' || isAscii(name)) return exact;
  const other = otherSpelling(parent, name);
  if (other === null) return MISSING;
  const twin = descriptors.pin(parent, other);
  return twin.kind === 'pinned' ? { ...twin, name: other } : twin;
}

/**
 * The only entry of a directory that differs from `name` just in its Unicode normalisation; null if there is none or
 * more than one.
 */
function otherSpelling(parent: number, name: string): string | null {
  const wanted = name.normalize('NFC');
  const spellings = readdirSync(throughFd(parent)).filter(
    (entry) => entry !== name && entry.normalize('NFC') === wanted,
  );
  return spellings.length === 1 ? (spellings[0] ?? null) : null;
}

function leaf(layer: Layer, pinned: Pinned, parent: number, name: string): UnionLeaf {
  const { fd, stat } = pinned;
  const kind = stat.isFile() ? 'file' : stat.isSymbolicLink() ? 'symlink' : 'special';
  return { kind, layer, fd, stat, parent, name };
}
