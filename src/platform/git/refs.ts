import { lstat, readdir } from 'node:fs/promises';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import { parsePackedRefs, parseRefFile } from '../../lib/git/packed-refs.ts';
import { isRefName } from '../../lib/git/ref-name.ts';
import { readWholeFile } from './read-file.ts';

const MAX_REF_BYTES = 4096;
const MAX_PACKED_REFS_BYTES = 64 * 1024 * 1024;
/** Git's own limit for chains of symbolic refs. */
const MAX_SYMBOLIC_DEPTH = 5;

export type ResolvedRef =
  /** `name` is the last ref of the chain; for HEAD, its branch. */
  | { readonly kind: 'found'; readonly name: string; readonly id: ObjectId }
  /** The chain ends in a ref that does not exist: a branch without a commit. */
  | { readonly kind: 'unborn'; readonly name: string }
  | { readonly kind: 'invalid'; readonly name: string };

/** Follows `name` (HEAD, or a ref) through symbolic refs. A loose ref takes precedence over a packed one. */
export async function resolveRef(git: GitDirectories, name: string): Promise<ResolvedRef> {
  let current = name;
  for (let depth = 0; depth <= MAX_SYMBOLIC_DEPTH; depth++) {
    const file = await readLooseRef(git, current);
    if (file === null) {
      const id = current === 'HEAD' ? undefined : (await packedRefs(git)).get(current);
      return id === undefined ? { kind: 'unborn', name: current } : { kind: 'found', name: current, id };
    }
    const value = parseRefFile(file.toString('utf8'));
    if (value.kind === 'id') return { kind: 'found', name: current, id: value.id };
    if (value.kind === 'invalid') return { kind: 'invalid', name: current };
    current = value.target;
  }
  return { kind: 'invalid', name: current };
}

/** The object in a ref's own file or packed entry, without following symbolic refs; null if there is none. */
export async function readRef(git: GitDirectories, name: string): Promise<ObjectId | null> {
  const file = await readLooseRef(git, name);
  if (file === null) return (await packedRefs(git)).get(name) ?? null;
  const value = parseRefFile(file.toString('utf8'));
  return value.kind === 'id' ? value.id : null;
}

/**
 * Every ref below `prefix` (`refs/…/`) by name, in order, without following any; at most `max`. A loose ref takes
 * precedence over a packed one.
 */
export async function refsBelow(
  git: GitDirectories,
  prefix: string,
  max: number,
): Promise<ReadonlyMap<string, ObjectId>> {
  const packed = await packedRefs(git);
  const files = await readdir(gitFile(git, prefix), { recursive: true }).catch(() => []);
  const loose = new Set(files.map((file) => `${prefix}${file}`));
  const names = new Set([...packed.keys(), ...loose].filter((name) => name.startsWith(prefix) && isRefName(name)));
  const refs = new Map<string, ObjectId>();
  for (const name of [...names].sort()) {
    const file = loose.has(name) ? await readLooseRef(git, name) : null;
    const value = file === null ? null : parseRefFile(file.toString('utf8'));
    const id = value === null ? packed.get(name) : value.kind === 'id' ? value.id : undefined;
    if (id !== undefined) refs.set(name, id);
    if (refs.size === max) break;
  }
  return refs;
}

/** null also if the name is a directory: then other refs are, or were, below it. */
async function readLooseRef(git: GitDirectories, name: string): Promise<Buffer | null> {
  const path = gitFile(git, name);
  const stat = await lstat(path).catch(() => null);
  return stat?.isDirectory() === true ? null : readWholeFile(path, MAX_REF_BYTES);
}

async function packedRefs(git: GitDirectories): Promise<Map<string, ObjectId>> {
  const file = await readWholeFile(gitFile(git, 'packed-refs'), MAX_PACKED_REFS_BYTES);
  return file === null ? new Map() : parsePackedRefs(file.toString('utf8'));
}
