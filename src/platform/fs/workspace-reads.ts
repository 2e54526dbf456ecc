import type { Workspace } from '../../contracts/ports/workspace.ts';
import { withDescriptors, withDescriptorsAsync } from './descriptors.ts';
import { readGitFile } from './git-files.ts';
import type { IgnoreView } from './ignore/ignore-view.ts';
import { ignoredEntries } from './ignore/ignored-entries.ts';
import { listDirectory, readUnion, stateOf } from './union/union-read.ts';
import type { UnionRoots } from './union/union-walk.ts';
import { locate, resolvePath } from './union/union-walk.ts';

/** The operations of a workspace that read one path and change nothing. */
export function workspaceReads(
  roots: UnionRoots,
  ignoreView: () => IgnoreView,
): Pick<Workspace, 'resolve' | 'stat' | 'kindOf' | 'read' | 'list' | 'isIgnored' | 'ignored' | 'gitIndex'> {
  return {
    resolve: async (path, options) =>
      withDescriptors((descriptors) => resolvePath(descriptors, roots, path, options?.leaf)),
    stat: (path) =>
      withDescriptorsAsync(async (descriptors) => {
        const found = locate(descriptors, roots, path);
        const absent = found.kind === 'missing' || found.kind === 'unreachable' || found.kind === 'diverted';
        return (absent ? null : await stateOf(descriptors, found)) ?? { kind: 'absent' };
      }),
    kindOf: async (path) =>
      withDescriptors((descriptors) => {
        const { kind } = locate(descriptors, roots, path);
        return kind === 'file' || kind === 'symlink' || kind === 'directory' ? kind : 'absent';
      }),
    read: async (path, maxBytes) => readUnion(roots, path, maxBytes),
    gitIndex: async (maxBytes) => readGitFile(roots, 'index', maxBytes),
    list: async (path) => listDirectory(roots, path),
    ignored: (kept) => ignoredEntries(roots, ignoreView(), kept),
    isIgnored: async (path) => {
      const directory = withDescriptors((descriptors) => locate(descriptors, roots, path).kind === 'directory');
      return ignoreView().isIgnored(path, directory);
    },
  };
}
