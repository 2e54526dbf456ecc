import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Descriptors } from '../descriptors.ts';
import { throughFd, withDescriptorsAsync } from '../descriptors.ts';
import { hashPinnedFile } from '../file-content.ts';
import { isWhiteout } from './union-lookup.ts';
import { compareCodeUnits } from './union-read.ts';
import { readLink } from './union-walk.ts';
import type { OpaqueMarks } from '../xattr.ts';

/**
 * Digest of a staging layer: sorted paths with type, executable bit and content hash, also whiteouts and opaque
 * directories. A directory that only contains others adds nothing itself.
 */
export async function digestLayer(layer: number, marks: OpaqueMarks): Promise<string> {
  const hash = createHash('sha256');
  const visit = async (directory: number, prefix: string): Promise<void> => {
    for (const name of readdirSync(throughFd(directory)).sort(compareCodeUnits)) {
      await withDescriptorsAsync(async (descriptors) => {
        const path = `${prefix}${name}`;
        const found = descriptors.pin(directory, name);
        if (found.kind !== 'pinned') return;
        const { fd, stat } = found.pinned;
        if (stat.isDirectory()) {
          if (marks.isOpaque(fd)) hash.update(`${path}\0opaque\n`);
          await visit(fd, `${path}/`);
          return;
        }
        const said = isWhiteout(stat)
          ? 'deleted'
          : await describe(descriptors, { directory, name, fd, link: stat.isSymbolicLink() });
        hash.update(`${path}\0${said}\n`);
      });
    }
  };
  await visit(layer, '');
  return hash.digest('hex');
}

async function describe(
  descriptors: Descriptors,
  entry: { readonly directory: number; readonly name: string; readonly fd: number; readonly link: boolean },
): Promise<string> {
  if (entry.link) return `link ${JSON.stringify(readLink(entry.directory, entry.name))}`;
  const state = await hashPinnedFile(descriptors, entry.fd);
  return `file ${state.executable ? 'x' : '-'} ${state.size} ${state.sha256}`;
}
