import { createHash } from 'node:crypto';
import type { FileChange } from '../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import type { ViewEntry, Workspace } from '../../contracts/ports/workspace.ts';
import type { Session } from '../session/session.ts';

/** A change that the kernel makes itself, together with the staged changes. */
export interface BaselineChange {
  readonly change: FileChange;
  readonly bytes: Buffer;
  /** The file as a sandbox sees it. */
  readonly view: ViewEntry;
}

/**
 * The new coverage baseline, if it was measured on exactly the staged changes and the session's head; otherwise null.
 */
export async function baselineChange(session: Session, workspace: Workspace): Promise<BaselineChange | null> {
  const { coverage, base } = session.snapshot;
  if (coverage?.kind !== 'measured' || coverage.next === null) return null;
  const { file, next, head, staging_digest: digest } = coverage;
  if (head !== base?.head || digest !== (await workspace.stagingDigest())) return null;
  const before = await workspace.stat(file as ProjectPath);
  if (before.kind !== 'file') return null;
  const { executable } = before;
  const bytes = Buffer.from(next);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const after = { ...before, sha256: sha256 as typeof before.sha256, size: bytes.length };
  return {
    change: { path: file, before, after },
    bytes,
    view: { path: file, entry: { kind: 'file', bytes, executable } },
  };
}
