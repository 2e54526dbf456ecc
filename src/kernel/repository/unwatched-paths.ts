import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import { fromByteString } from '../../lib/git/byte-string.ts';
import { parseIndex, SKIP_WORKTREE } from '../../lib/git/git-index.ts';

/**
 * Paths whose changes `git status` does not report, because the user set `--assume-unchanged` or `--skip-worktree`.
 * Paths outside a sparse checkout do not exist and are left out. Empty for an index that cannot be read: the merge will
 * refuse it.
 */
export async function unwatchedPaths(
  index: Buffer | null,
  { kindOf }: Pick<Workspace, 'kindOf'>,
): Promise<readonly string[]> {
  const parsed = index === null ? null : parseIndex(index);
  if (parsed?.kind !== 'ok') return [];
  const paths: string[] = [];
  for (const entry of parsed.index.entries) {
    const skipped = (entry.extended & SKIP_WORKTREE) !== 0;
    if (!skipped && !entry.assumeValid) continue;
    const path = fromByteString(entry.path);
    if (skipped && (await kindOf(path as ProjectPath)) === 'absent') continue;
    paths.push(path);
  }
  return paths;
}
