import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { testsInPlace } from '../in-source/source-parts.ts';
import type { StagedWork } from '../in-source/staged-work.ts';

const MAX_BYTES = 1024 * 1024;

export interface ChangedTexts {
  readonly texts: readonly ChangedText[];
  /** Changed files that are not text. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
  /** Old texts of deleted source files. */
  readonly deleted: readonly string[];
}

/**
 * Returns the changed files with their texts before and after. A source that contains tests has one entry for its tests
 * and one for its source, each only if it changed. `project` is a view without the session's work.
 */
export async function changedTexts(
  workspace: Workspace,
  project: Workspace,
  { changes, mixed }: StagedWork,
  isTest: (path: string) => boolean,
): Promise<ChangedTexts> {
  const texts: ChangedText[] = [];
  const unread: { path: string; why: string }[] = [];
  const deleted: string[] = [];
  for (const { path, before, after } of changes) {
    const both = mixed.get(path);
    if (both?.testsChanged === true) {
      const then = before.kind === 'file' ? testsInPlace(both.before) : null;
      texts.push({ path, role: 'test', before: then, after: testsInPlace(both.after) });
    }
    if (both?.sourceChanged === false) continue;
    if (after.kind === 'symlink') unread.push({ path, why: `it is a link to ${after.target}` });
    if (after.kind !== 'file') {
      if (before.kind === 'file' && !isTest(path)) deleted.push((await textAt(project, path)) ?? '');
      continue;
    }
    const now = await textAt(workspace, path);
    if (now === null) {
      unread.push({ path, why: 'it is not text, or too large' });
      continue;
    }
    const role = isTest(path) ? 'test' : 'source';
    texts.push({ path, role, before: before.kind === 'file' ? await textAt(project, path) : null, after: now });
  }
  return { texts, unread, deleted };
}

async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
