import { readlinkSync } from 'node:fs';
import type { GitDirectories } from '../../../contracts/git-directories.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ResolveOptions, ResolveOutcome } from '../../../contracts/ports/workspace.ts';
import type { Descriptors } from '../descriptors.ts';
import { errnoOf, throughFd } from '../descriptors.ts';
import { parsePath, whyNotCreated } from '../path-rules.ts';
import { spelledInUnion } from '../spelled-on-disk.ts';
import type { Spelling, UnionDirectory, UnionEntry } from './union-lookup.ts';
import { lookUp } from './union-lookup.ts';
import type { OpaqueMarks } from '../xattr.ts';

/** Both roots, pinned for the lifetime of the workspace. */
export interface UnionRoots {
  readonly projectRoot: string;
  readonly root: UnionDirectory;
  readonly marks: OpaqueMarks;
  /** Set for a linked worktree, whose `.git` is a file. */
  readonly linked?: GitDirectories;
}

export type Located =
  | UnionEntry
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable' }
  /** A link or a file has replaced a directory of a resolved path: the tree changed since it was resolved. */
  | { readonly kind: 'diverted'; readonly at: string };

/** The limit of Linux. */
const MAX_LINKS = 40;

/**
 * Finds a resolved path without following links. A path is resolved, shown to policy, and only then used. If a link
 * were followed here, the path that policy saw and the opened file could differ.
 */
export function locate(descriptors: Descriptors, roots: UnionRoots, path: string, spelling: Spelling = 'any'): Located {
  let at: UnionEntry = roots.root;
  if (path === '') return at;
  const names = path.split('/');
  for (const [index, name] of names.entries()) {
    if (at.kind !== 'directory') return { kind: 'diverted', at: names.slice(0, index).join('/') };
    if (name === '' || name === '.' || name === '..') return { kind: 'missing' };
    const next = lookUp(descriptors, roots.marks, at, name, spelling);
    if (next.kind === 'missing' || next.kind === 'unreachable') return next;
    at = next;
  }
  return at;
}

/**
 * Resolves a path: `..` and links are followed step by step like the file system does, and may lead anywhere inside the
 * project but not outside. Names are returned as the directories spell them. A path that does not exist is resolved as
 * far as it exists. With `keep`, a link that is the last name is not followed.
 */
export function resolvePath(
  descriptors: Descriptors,
  roots: UnionRoots,
  path: string,
  leafLinks: ResolveOptions['leaf'] = 'follow',
): ResolveOutcome {
  const parsed = parsePath(path, roots.projectRoot);
  if (parsed.kind === 'refused') return parsed;

  const pending = [...parsed.components].reverse();
  /** Directories entered, innermost last; null for one that does not exist. */
  const entered: { readonly name: string; readonly directory: UnionDirectory | null }[] = [];
  let leaf: { readonly name: string } | null = null;
  let exists = true;
  let linksLeft = MAX_LINKS;

  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (leaf !== null)
      return refused(`"${[...entered.map((step) => step.name), leaf.name].join('/')}" is not a directory`);
    if (name === '..') {
      if (entered.pop() === undefined) return refused('the path leaves the project');
      exists = entered.every((step) => step.directory !== null);
      continue;
    }
    const directory = entered.length === 0 ? roots.root : (entered.at(-1)?.directory ?? null);
    const next = directory === null ? { kind: 'missing' as const } : lookUp(descriptors, roots.marks, directory, name);
    switch (next.kind) {
      case 'missing':
        exists = false;
        entered.push({ name: name.normalize('NFC'), directory: null });
        break;
      case 'unreachable':
        return refused('permission denied');
      case 'directory':
        entered.push({ name: spelled(directory, name, next), directory: next });
        break;
      case 'file':
      case 'special':
        leaf = { name: spelled(directory, name, next) };
        break;
      case 'symlink': {
        // Links on the way add their target's names to `pending`, so the last pending name is the last name of the
        // path.
        if (leafLinks === 'keep' && pending.length === 0) {
          leaf = { name: spelled(directory, name, next) };
          break;
        }
        linksLeft -= 1;
        if (linksLeft < 0) return refused('too many links');
        const target = readLink(next.parent, next.name);
        if (target === null) return refused('the path changed while it was read; try again');
        const led = parsePath(target, roots.projectRoot);
        if (led.kind === 'refused') return refused(`the link "${name}" leads out of the project`);
        if (target.startsWith('/')) entered.length = 0;
        pending.push(...[...led.components].reverse());
        break;
      }
    }
  }

  const resolved = [...entered.map((step) => step.name), ...(leaf === null ? [] : [leaf.name])].join('/');
  if (!exists) {
    const reason = whyNotCreated(resolved);
    // Reading a missing file in .git just finds nothing; only names that imitate others are refused here.
    if (reason !== null && !resolved.split('/').includes('.git')) return refused(reason);
  }
  return { kind: 'ok', path: resolved as ProjectPath, exists };
}

/** In NFC, like all paths here. */
function spelled(directory: UnionDirectory | null, name: string, entry: UnionEntry): string {
  return (directory === null ? name : spelledInUnion(directory, name, entry)).normalize('NFC');
}

/** Target of a link in a pinned directory; null if it is no longer a link. */
export function readLink(parent: number, name: string): string | null {
  try {
    return readlinkSync(throughFd(parent, name));
  } catch (error) {
    if (errnoOf(error) === 'EINVAL' || errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function refused(reason: string): ResolveOutcome {
  return { kind: 'refused', reason };
}
