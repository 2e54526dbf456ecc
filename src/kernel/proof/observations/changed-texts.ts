import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import type { ChangedText } from '../findings/inspect-change.ts';

const MAX_BYTES = 1024 * 1024;

export interface ChangedTexts {
  readonly texts: readonly ChangedText[];
  /** What is there and is no text. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/** Changed files before and after. `project` is a view without the session's work. */
export async function changedTexts(
  workspace: Workspace,
  project: Workspace,
  changes: ChangeSet,
  isTest: (path: string) => boolean,
): Promise<ChangedTexts> {
  const texts: ChangedText[] = [];
  const unread: { path: string; why: string }[] = [];
  for (const { path, before, after } of changes) {
    if (after.kind === 'symlink') unread.push({ path, why: `it is a link to ${after.target}` });
    if (after.kind !== 'file') continue;
    const now = await textAt(workspace, path);
    if (now === null) {
      unread.push({ path, why: 'it is no text, or too large' });
      continue;
    }
    const role = isTest(path) ? 'test' : 'source';
    texts.push({ path, role, before: before.kind === 'file' ? await textAt(project, path) : null, after: now });
  }
  return { texts, unread };
}

async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
