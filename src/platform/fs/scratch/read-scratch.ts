import { withDescriptors } from '../descriptors.ts';
import { readWhole } from '../file-content.ts';
import type { ScratchDirectory } from './scan-scratch.ts';
import { pinParent } from '../staging/staging-steps.ts';
import { compareCodeUnits } from '../union/union-read.ts';

/** Paths of the regular files of a scratch at or below `prefix`, sorted. Git's own directory is included. */
export function scratchFiles(root: ScratchDirectory, prefix: string): string[] {
  const files: string[] = [];
  const visit = (directory: ScratchDirectory, path: string): void => {
    for (const [name, node] of directory.children) {
      const child = path === '' ? name : `${path}/${name}`;
      if (node.kind === 'directory') visit(node, child);
      else if (node.kind === 'file' && isAtOrUnder(child, prefix)) files.push(child);
    }
  };
  visit(root, '');
  return files.sort(compareCodeUnits);
}

/** Bytes of a regular file of a scratch, or null; follows no link. */
export function readScratchFile(upper: number, path: string): Buffer | null {
  return withDescriptors((descriptors) => {
    const place = pinParent(descriptors, upper, path);
    const found = place === null ? null : descriptors.pin(place.parent, place.name);
    if (found?.kind !== 'pinned' || !found.pinned.stat.isFile()) return null;
    const { fd, stat } = found.pinned;
    return readWhole(descriptors.reopen(fd), stat.size, stat.size);
  });
}

function isAtOrUnder(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}
