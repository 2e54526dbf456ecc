import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { ProjectFiles } from '../findings/absent/absent-modules.ts';
import { textAt } from '../read-text.ts';

/** The session's view, as findings ask it. */
export function projectFiles(workspace: Workspace): ProjectFiles {
  return {
    list: async (directory) => (await workspace.list(directory as ProjectPath))?.map(({ name }) => name) ?? null,
    isIgnored: (path) => workspace.isIgnored(path as ProjectPath),
    text: (path) => textAt(workspace, path),
  };
}
