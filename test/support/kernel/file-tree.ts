import { createHash } from 'node:crypto';
import type { FileState } from '../../../src/contracts/review/change-set.ts';
import type { Sha256 } from '../../../src/contracts/ids.ts';

/** A file in memory: its text, and whether it can be run. */
export interface TreeFile {
  readonly text: string;
  readonly executable: boolean;
}

/** Files as a test writes them. */
export type Files = Readonly<Record<string, string | TreeFile>>;
/** Files by project-relative path. Directories are where files are. */
export type FileTree = Map<string, TreeFile>;

export function treeOf(files: Files): FileTree {
  return new Map(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string' ? { text: file, executable: false } : file,
    ]),
  );
}

export function sha256Of(text: string): Sha256 {
  return createHash('sha256').update(text, 'utf8').digest('hex') as Sha256;
}

export function stateIn(tree: FileTree, path: string): FileState {
  const file = tree.get(path);
  if (file !== undefined) {
    const { text, executable } = file;
    return { kind: 'file', sha256: sha256Of(text), size: Buffer.byteLength(text), executable };
  }
  const isDirectory = path === '' || [...tree.keys()].some((each) => each.startsWith(`${path}/`));
  return isDirectory ? { kind: 'directory' } : { kind: 'absent' };
}
