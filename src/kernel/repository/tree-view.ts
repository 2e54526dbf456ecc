import { createHash } from 'node:crypto';
import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { ObjectId, ProjectPath } from '../../contracts/ids.ts';
import type { Repository, RepositoryState } from '../../contracts/ports/repository.ts';
import type { ViewEntry, Workspace } from '../../contracts/ports/workspace.ts';
import { MODE, entryAt } from '../../lib/git/tree.ts';
import type { TreeEntry } from '../../lib/git/tree.ts';
import { isEntry, readBlob } from './differs-from-head.ts';
import { readTree } from './read-tree.ts';

/** Shows exactly the tree of a commit although the user has uncommitted work. Ignored files stay unchanged. */
export interface TreeView {
  /** Turns project + staging into the tree to be committed. */
  readonly overrides: readonly ViewEntry[];
  /** Turns the project alone into the tree of HEAD. */
  readonly onHead: readonly ViewEntry[];
  /** Submodules at another commit, which stay unchanged. */
  readonly kept: readonly string[];
}

/**
 * `dirty`: the paths that differ from HEAD, with or without those of the session. The content of files that HEAD does
 * not have is not read, because they may have any size. Content is what git stores: no filters, no conversion of line
 * ends.
 */
export async function treeView(
  repository: Repository,
  state: RepositoryState,
  dirty: readonly string[],
  changes: ChangeSet,
  workspace: Pick<Workspace, 'stat' | 'kindOf'>,
): Promise<TreeView> {
  const before = new Map(changes.map((change) => [change.path, change.before]));
  const overrides: ViewEntry[] = [];
  const onHead: ViewEntry[] = [];
  const kept: string[] = [];
  for (const path of [...new Set([...dirty.map(withoutSlash), ...before.keys()])].sort()) {
    const entry = await entryAt((id) => readTree(repository, id), state.headTree, path);
    const original = before.get(path);
    const isSame =
      original === undefined && entry === null
        ? (await workspace.kindOf(path as ProjectPath)) === 'absent'
        : await isEntry(repository, original ?? (await workspace.stat(path as ProjectPath)), entry, state.fileMode);
    if (isSame) continue;
    const shown = await viewEntry(repository, path, entry);
    if (shown === null) {
      if (original === undefined) kept.push(path);
      continue;
    }
    onHead.push(shown);
    if (original === undefined) overrides.push(shown);
  }
  return { overrides, onHead, kept };
}

/** Equal for two views that show the same content; otherwise opaque. */
export function viewDigest(tree: ObjectId, { overrides, kept }: TreeView): string {
  const hash = createHash('sha256').update(`${tree}\n${JSON.stringify(kept)}\n`);
  for (const { path, entry } of overrides) {
    const { kind } = entry;
    const content = kind === 'file' ? createHash('sha256').update(entry.bytes).digest('hex') : '';
    hash.update(`${JSON.stringify([path, kind === 'file' ? { kind, content, x: entry.executable } : entry])}\n`);
  }
  return hash.digest('hex');
}

/** null for a submodule. */
async function viewEntry(repository: Repository, path: string, entry: TreeEntry | null): Promise<ViewEntry | null> {
  switch (entry?.mode) {
    case undefined:
    // HEAD has files below this path, and the user has put a file or a link there.
    case MODE.directory:
      return { path, entry: { kind: 'absent' } };
    case MODE.file:
    case MODE.executable: {
      const bytes = await readBlob(repository, entry?.id as ObjectId);
      return { path, entry: { kind: 'file', bytes, executable: entry?.mode === MODE.executable } };
    }
    case MODE.symlink: {
      const target = (await readBlob(repository, entry?.id as ObjectId)).toString('utf8');
      return { path, entry: { kind: 'symlink', target } };
    }
    default:
      return null;
  }
}

/** git writes a nested repository with a trailing slash. */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
