import type { ChangeSet } from '../../../contracts/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/decode-utf8.ts';
import { classifyPath } from '../../policy/index.ts';
import type { CompiledPolicy } from '../../policy/index.ts';
import type { ChangedText } from '../findings/inspect-change.ts';

const MAX_BYTES = 1024 * 1024;

/** Changed files that are text, before and after. `project` is a view without the session's work. */
export async function changedTexts(
  policy: CompiledPolicy,
  workspace: Workspace,
  project: Workspace,
  changes: ChangeSet,
  isCollected: (path: string) => boolean,
): Promise<ChangedText[]> {
  const texts: ChangedText[] = [];
  for (const { path, before, after } of changes) {
    if (after.kind !== 'file') continue;
    const now = await textAt(workspace, path);
    if (now === null) continue;
    const isTest = classifyPath(policy, path).kind === 'test' || isCollected(path);
    texts.push({
      path,
      role: isTest ? 'test' : 'source',
      before: before.kind === 'file' ? await textAt(project, path) : null,
      after: now,
    });
  }
  return texts;
}

async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
