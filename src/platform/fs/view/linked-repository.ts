import type { GitDirectories } from '../../../contracts/git-directories.ts';
import { gitFile } from '../../../lib/git/git-directories.ts';
import { plainConfig } from '../../../lib/git/plain-config.ts';
import { refsBelow } from '../../git/refs.ts';
import { readGitFile } from '../git-files.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import type { Plant } from './plant.ts';

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** More refs are left out: a sandbox needs its branch and tags. */
const MAX_REFS = 50_000;
/** Files that are copied unchanged. */
const COPIED: readonly string[] = ['HEAD', 'shallow', 'info/exclude', 'info/attributes', 'info/sparse-checkout'];

/**
 * A `.git` directory in place of the file of a linked worktree: its HEAD and index, all refs, the configuration without
 * what it says about others, and objects borrowed from the repository. A sandbox sees nothing else of the repository.
 * What git writes there belongs to the sandbox.
 */
export async function linkedRepository(roots: UnionRoots, git: GitDirectories): Promise<Plant[]> {
  const file = (name: string, content: Uint8Array | string | null): Plant[] =>
    content === null
      ? []
      : [{ path: `.git/${name}`, entry: { kind: 'file', bytes: Buffer.from(content), executable: false } }];
  const config = readGitFile(roots, 'config', MAX_FILE_BYTES);
  // The repository may be bare. The last value counts.
  const plain = `${config === null ? '' : (plainConfig(config.toString('utf8')) ?? '')}[core]\n\tbare = false\n`;
  const refs = await refsBelow(git, 'refs/', MAX_REFS);
  const packed = [...refs].map(([name, id]) => `${id} ${name}\n`).join('');
  return [
    ...COPIED.flatMap((name) => file(name, readGitFile(roots, name, MAX_FILE_BYTES))),
    ...file('index', readGitFile(roots, 'index', MAX_INDEX_BYTES)),
    ...file('config', plain),
    ...file('packed-refs', packed),
    ...file('refs/heads/.keep', ''),
    ...file('objects/info/alternates', `${gitFile(git, 'objects')}\n`),
  ];
}
