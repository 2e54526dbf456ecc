import { readUnion } from '../union-read.ts';
import type { UnionRoots } from '../union-walk.ts';
import type { IgnoreView } from './ignore-view.ts';
import { createIgnoreView } from './ignore-view.ts';

/** A longer ignore file is taken for none: git has no bound, a kernel needs one. */
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/** What git ignores in a union of layers. As git does, links to ignore files are not followed. */
export function ignoreViewOf(roots: UnionRoots): IgnoreView {
  const text = (path: string): string | null => {
    const read = readUnion(roots, path, MAX_IGNORE_FILE_BYTES, 'exact');
    return read.kind === 'file' ? read.bytes.toString('utf8') : null;
  };
  return createIgnoreView({
    ignoreFile: (directory) => text(directory === '' ? '.gitignore' : `${directory}/.gitignore`),
    exclude: () => text('.git/info/exclude'),
  });
}
