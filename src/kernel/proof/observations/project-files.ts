import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { ProjectFiles } from '../findings/absent/absent-modules.ts';
import { textAt } from '../read-text.ts';

/** The files of the session's view, for checks that make findings. */
export function projectFiles(workspace: Workspace): ProjectFiles {
  return {
    list: async (directory) => (await workspace.list(directory as ProjectPath))?.map(({ name }) => name) ?? null,
    isIgnored: (path) => workspace.isIgnored(path as ProjectPath),
    text: (path) => textAt(workspace, path),
  };
}
