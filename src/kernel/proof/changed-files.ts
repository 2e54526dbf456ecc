import type { ChangeSet } from '../../contracts/review/change-set.ts';
import { classifyPath } from '../policy/index.ts';
import type { CompiledPolicy, PathClass } from '../policy/index.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { namedByCommand } from './command-paths.ts';

/** Recorded in place of a content hash for a deleted file. */
const DELETED = 'deleted';

/**
 * Returns path -> content hash of the changed files of one kind. A deleted file has the value `deleted`. So has a file
 * that a directory replaced.
 */
export function hashesOf(
  changes: ChangeSet,
  policy: CompiledPolicy,
  wanted: (kind: PathClass, path: string) => boolean,
): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const change of changes) {
    if (!wanted(classifyPath(policy, change.path), change.path)) continue;
    if (change.after.kind === 'file') hashes[change.path] = change.after.sha256;
    else if (change.after.kind === 'symlink') hashes[change.path] = `-> ${change.after.target}`;
    else if (change.after.kind === 'absent' || change.before.kind !== 'absent') hashes[change.path] = DELETED;
  }
  return hashes;
}

export const isSource = (kind: PathClass): boolean => kind.kind === 'source';
export const isTest = (kind: PathClass): boolean => kind.kind === 'test';
/**
 * Returns whether a path decides how tests run: the policy lists it, the test command names it, or the runner loads it
 * first.
 */
export function sensitiveTo(
  command: TestCommand | null,
  projectRoot: string,
): (kind: PathClass, path: string) => boolean {
  const named = namedByCommand(command, projectRoot);
  return (kind, path) => kind.sensitive || named(path);
}
/** Every file that is not a test counts as the change that the tests are for. */
export const isChange = (kind: PathClass): boolean => kind.kind !== 'test';
