import { readdirSync } from 'node:fs';
import { throughFd, withDescriptors } from '../descriptors.ts';
import { isWhiteout } from '../union/union-lookup.ts';
import type { OpaqueMarks } from '../xattr.ts';

/**
 * The content of the staging layer, read once for a search: ripgrep searches each layer by itself and does not know the
 * other.
 */
export interface StagedIndex {
  /** Regular files, unordered. */
  readonly files: readonly string[];
  /** Whether a staged entry at a path or above it hides the project's entry. */
  hides(path: string): boolean;
}

export function readStagedIndex(layer: number, marks: OpaqueMarks): StagedIndex {
  const files: string[] = [];
  const hiders = new Set<string>();
  const visit = (directory: number, prefix: string): void => {
    for (const name of readdirSync(throughFd(directory))) {
      withDescriptors((descriptors) => {
        const found = descriptors.pin(directory, name);
        if (found.kind !== 'pinned') return;
        const { fd, stat } = found.pinned;
        const path = `${prefix}${name}`;
        if (!stat.isDirectory() || marks.isOpaque(fd)) hiders.add(path);
        if (stat.isDirectory()) visit(fd, `${path}/`);
        else if (stat.isFile() && !isWhiteout(stat)) files.push(path);
      });
    }
  };
  visit(layer, '');
  return {
    files,
    hides: (path) => {
      if (hiders.size === 0) return false;
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
        if (hiders.has(path.slice(0, end))) return true;
      }
      return hiders.has(path);
    },
  };
}
