import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { ProjectPath, SessionId } from '../../contracts/ids.ts';
import type { ViewEntry, Workspace } from '../../contracts/ports/workspace.ts';
import type { Services } from '../services.ts';

/** A second view of the project, or the path that could not be added to it. */
export type SecondView =
  | {
      readonly kind: 'open';
      readonly id: SessionId;
      readonly workspace: Workspace;
      /**
       * Entries for deleted files. Runs in this view need them, because files cannot be removed from the view itself.
       */
      readonly overrides: readonly ViewEntry[];
      close(): Promise<void>;
    }
  | { readonly kind: 'failed'; readonly path: string };

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The part of the session's work that stays: whole files, and for sources that contain tests, the text with only the
 * tests changed.
 */
export interface KeptWork {
  readonly changes: ChangeSet;
  readonly texts: readonly ViewEntry[];
}

/**
 * Opens a view of the project without the session's source: the untouched project, with the files in `changes` as they
 * are staged and the texts in `texts`. A file that was replaced by a link cannot be copied, so it has the content of
 * the project. The caller closes the view.
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

/** Adds nothing for a source that the project does not have. */
async function put(to: Workspace, { path, entry }: ViewEntry): Promise<boolean> {
  if (entry.kind !== 'file') return true;
  const target = path as ProjectPath;
  const staged = await to.stage(target, await to.stat(target), Buffer.from(entry.bytes), entry.executable);
  return staged.kind === 'staged';
}
