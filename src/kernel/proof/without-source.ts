import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { ProjectPath, SessionId } from '../../contracts/ids.ts';
import type { ViewEntry, Workspace } from '../../contracts/ports/workspace.ts';
import type { Services } from '../services.ts';

/** A second view of the project, or the path that could not be taken into it. */
export type SecondView =
  | {
      readonly kind: 'open';
      readonly id: SessionId;
      readonly workspace: Workspace;
      /** What is deleted: runs in this view are shown it so. */
      readonly overrides: readonly ViewEntry[];
      close(): Promise<void>;
    }
  | { readonly kind: 'failed'; readonly path: string };

const MAX_BYTES = 4 * 1024 * 1024;

/** What of the session's work is kept: whole files, and of sources with tests in them the text that has the tests alone. */
export interface KeptWork {
  readonly changes: ChangeSet;
  readonly texts: readonly ViewEntry[];
}

/**
 * The project without the session's source: untouched, but for the files among `kept` as they are staged now. What is made a link there cannot be taken into
 * it: such a path is as the project has it. Whoever gets an open view closes it.
 */
export async function withoutSource(
  services: Services,
  workspace: Workspace,
  { changes, texts }: KeptWork,
): Promise<SecondView> {
  const scratch = await services.workspaces.scratch();
  try {
    for (const { path, after } of changes) {
      if (after.kind === 'file' && !(await copy(workspace, scratch.workspace, path as ProjectPath, after.executable))) {
        await scratch.close();
        return { kind: 'failed', path };
      }
    }
    for (const each of texts) {
      if (await put(scratch.workspace, each)) continue;
      await scratch.close();
      return { kind: 'failed', path: each.path };
    }
  } catch (error) {
    await scratch.close();
    throw error;
  }
  const overrides = changes.flatMap(({ path, after }): ViewEntry[] =>
    after.kind === 'absent' ? [{ path, entry: { kind: 'absent' } }] : [],
  );
  return { kind: 'open', ...scratch, overrides };
}

async function copy(from: Workspace, to: Workspace, path: ProjectPath, executable: boolean): Promise<boolean> {
  const read = await from.read(path, MAX_BYTES);
  if (read.kind !== 'file') return false;
  const staged = await to.stage(path, await to.stat(path), read.bytes, executable);
  return staged.kind === 'staged';
}

/** A source that the project does not have is not in the view either. */
async function put(to: Workspace, { path, entry }: ViewEntry): Promise<boolean> {
  if (entry.kind !== 'file') return true;
  const target = path as ProjectPath;
  const staged = await to.stage(target, await to.stat(target), Buffer.from(entry.bytes), entry.executable);
  return staged.kind === 'staged';
}
