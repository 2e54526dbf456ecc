import { readUnion } from '../union-read.ts';
import type { UnionRoots } from '../union-walk.ts';
import type { IgnoreSources, IgnoreView } from './ignore-view.ts';
import { createIgnoreView } from './ignore-view.ts';

/** A longer ignore file is taken for none: git has no bound, a kernel needs one. */
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/** The ignore files of a union of layers. As git does, links to ignore files are not followed. */
export function ignoreSourcesOf(roots: UnionRoots): IgnoreSources {
  const text = (path: string): string | null => {
    const read = readUnion(roots, path, MAX_IGNORE_FILE_BYTES, 'exact');
    return read.kind === 'file' ? read.bytes.toString('utf8') : null;
  };
  return {
    ignoreFile: (directory) => text(directory === '' ? '.gitignore' : `${directory}/.gitignore`),
    exclude: () => text('.git/info/exclude'),
  };
}

/** What git ignores in a union of layers. */
export function ignoreViewOf(roots: UnionRoots): IgnoreView {
  return createIgnoreView(ignoreSourcesOf(roots));
}
