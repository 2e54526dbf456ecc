import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';

export type StagedEntries =
  | { readonly kind: 'read'; readonly entries: readonly ViewEntry[] }
  /** The path could not be read. */
  | { readonly kind: 'failed'; readonly path: string };

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns staged changes as entries of a view. Over the untouched project, they show these paths as they are staged,
 * including deletions.
 */
export async function stagedEntries(workspace: Workspace, changes: ChangeSet): Promise<StagedEntries> {
  const entries: ViewEntry[] = [];
  for (const { path, before, after } of changes) {
    switch (after.kind) {
      case 'absent':
        entries.push({ path, entry: { kind: 'absent' } });
        break;
      case 'symlink':
        entries.push({ path, entry: { kind: 'symlink', target: after.target } });
        break;
      case 'directory':
        if (before.kind !== 'absent' && before.kind !== 'directory') return { kind: 'failed', path };
        break;
      case 'file': {
        const read = await workspace.read(path as ProjectPath, MAX_BYTES);
        if (read.kind !== 'file') return { kind: 'failed', path };
        entries.push({ path, entry: { kind: 'file', bytes: read.bytes, executable: after.executable } });
        break;
      }
    }
  }
  return { kind: 'read', entries };
}

/** Returns the entries, with those replaced that have the same path as an entry in `others`. */
export function withEntries(entries: readonly ViewEntry[], others: readonly ViewEntry[]): ViewEntry[] {
  const replaced = new Set(others.map(({ path }) => path));
  return [...entries.filter(({ path }) => !replaced.has(path)), ...others];
}
