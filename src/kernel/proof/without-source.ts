import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { ProjectPath, SessionId } from '../../contracts/ids.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { Services } from '../services.ts';

/** A second view of the project, or the path that could not be taken into it. */
export type SecondView =
  | { readonly kind: 'open'; readonly id: SessionId; readonly workspace: Workspace; close(): Promise<void> }
  | { readonly kind: 'failed'; readonly path: string };

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The project without the session's source: untouched, but for the files among `kept` as they are staged now. What is deleted or made a link there cannot be
 * taken into it: such a path is as the project has it. Whoever gets an open view closes it.
 */
export async function withoutSource(services: Services, workspace: Workspace, kept: ChangeSet): Promise<SecondView> {
  const scratch = await services.workspaces.scratch();
  try {
    for (const { path, after } of kept) {
      if (after.kind === 'file' && !(await copy(workspace, scratch.workspace, path as ProjectPath, after.executable))) {
        await scratch.close();
        return { kind: 'failed', path };
      }
    }
  } catch (error) {
    await scratch.close();
    throw error;
  }
  return { kind: 'open', ...scratch };
}

async function copy(from: Workspace, to: Workspace, path: ProjectPath, executable: boolean): Promise<boolean> {
  const read = await from.read(path, MAX_BYTES);
  if (read.kind !== 'file') return false;
  const staged = await to.stage(path, await to.stat(path), read.bytes, executable);
  return staged.kind === 'staged';
}
