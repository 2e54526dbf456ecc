import type { FileFilter } from '../../../contracts/ports/workspace.ts';
import { plainConfig } from '../../../lib/git/plain-config.ts';
import { withDescriptors } from '../descriptors.ts';
import { listDirectory, readUnion } from '../union/union-read.ts';
import { locate } from '../union/union-walk.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import type { Plant } from './plant.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_DIRECTORIES = 2000;
const CONFIGURATIONS: readonly string[] = ['config', 'config.worktree'];
/** Where git keeps the repositories of submodules, and the private files of linked worktrees. */
const NESTED: readonly string[] = ['modules', 'worktrees'];
/** Directories of a repository that contain no other repository. */
const LEAVES: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'lfs']);

/**
 * The entries to place in a repository's directory so that its configurations, and those of submodules, are shown
 * without tokens, which CI systems put into URLs and headers. The rest stays, because build tools ask git for versions.
 * A directory that cannot be searched is hidden.
 */
export function plainRepository(roots: UnionRoots, visible: FileFilter, gitDir: string): Plant[] {
  if (kindOf(roots, gitDir) !== 'directory') return [];
  return [
    ...CONFIGURATIONS.flatMap((name) => plainFile(roots, visible, `${gitDir}/${name}`)),
    ...NESTED.flatMap((name) => plainNested(roots, visible, `${gitDir}/${name}`)),
  ];
}

function plainNested(roots: UnionRoots, visible: FileFilter, top: string): Plant[] {
  if (kindOf(roots, top) !== 'directory') return [];
  const plants: Plant[] = [];
  const pending = [top];
  let looked = 0;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    looked += 1;
    if (looked > MAX_DIRECTORIES) return [{ path: top, entry: { kind: 'whiteout' } }];
    for (const { name, kind } of listDirectory(roots, directory) ?? []) {
      const path = `${directory}/${name}`;
      if (kind === 'directory' && !LEAVES.has(name)) pending.push(path);
      else if (CONFIGURATIONS.includes(name)) plants.push(...plainFile(roots, visible, path));
    }
  }
  return plants;
}

function plainFile(roots: UnionRoots, visible: FileFilter, path: string): Plant[] {
  if (visible.allows(path)) return [];
  const read = readUnion(roots, path, MAX_CONFIG_BYTES, 'exact');
  if (read.kind === 'missing' || read.kind === 'not-a-file') return [];
  const plain = read.kind === 'file' ? plainConfig(read.bytes.toString('utf8')) : null;
  if (plain === null) return [{ path, entry: { kind: 'whiteout' } }];
  return [{ path, entry: { kind: 'file', bytes: Buffer.from(plain), executable: false } }];
}

function kindOf(roots: UnionRoots, path: string): string {
  return withDescriptors((descriptors) => locate(descriptors, roots, path, 'exact').kind);
}
