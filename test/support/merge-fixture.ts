import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GitDirectories } from '../../src/contracts/git-directories.ts';
import type { FileChange, FileState } from '../../src/contracts/review/change-set.ts';
import type { SessionId, Sha256 } from '../../src/contracts/ids.ts';
import type { MergePlan } from '../../src/contracts/review/merge-plan.ts';
import type { MergeTarget } from '../../src/contracts/ports/merge-target.ts';
import type { PreparedCommit } from '../../src/contracts/ports/repository.ts';
import { composeChanges, composeCommit } from '../../src/kernel/repository/compose-changes.ts';
import { composeEvidenceCommit } from '../../src/kernel/commit/evidence-commit.ts';
import { planMerge } from '../../src/kernel/commit/merge/plan-merge.ts';
import type { MergeServices } from '../../src/kernel/commit/merge/run-merge.ts';
import { openMergeTarget } from '../../src/platform/git/merge/merge-target.ts';
import type { MergeTargetOptions } from '../../src/platform/git/merge/merge-target.ts';
import { stateAt } from '../../src/platform/git/merge/project-entry.ts';
import { openPreparedObjects } from '../../src/platform/git/prepared-objects.ts';
import { ordinaryGitDirectories } from '../../src/lib/git/git-directories.ts';
import { openRepository } from '../../src/platform/git/repository.ts';
import { makeFastDirectory } from './fast-directory.ts';
import { fileOperationLog } from './file-operation-log.ts';
import type { RealRepository } from './real-git.ts';

export const SESSION = 's_fixture00' as SessionId;
/** An ordinary user: projects belong to one. Whoever runs the tests without being root is one already. */
const ORDINARY = { uid: 1000, gid: 1000 };
export const OWNER =
  process.getuid?.() === 0 ? ORDINARY : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
export const MESSAGE = 'Add error handling\n\nFluffy-Session: s_fixture00\nFluffy-Mode: strict\n';
const SIGNATURE = { name: 'Ada Example', email: 'ada@example.org', seconds: 1_700_000_100, offsetMinutes: 60 };

/** What a session wants at a path. */
export type Wanted =
  { readonly text: string; readonly executable?: boolean } | { readonly link: string } | 'gone' | 'directory';

export function makeState(): { readonly path: string; remove(): void } {
  const path = makeFastDirectory('fluffy-state-');
  mkdirSync(join(path, 'backups'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function changesFor(root: string, wanted: Readonly<Record<string, Wanted>>): FileChange[] {
  return Object.keys(wanted)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => {
      const before = stateAt(root, path);
      if (before.kind === 'special') throw new Error(`${path} is special`);
      return { path, before, after: stateOf(wanted[path] ?? 'gone') };
    });
}

function stateOf(wanted: Wanted): FileState {
  if (wanted === 'gone') return { kind: 'absent' };
  if (wanted === 'directory') return { kind: 'directory' };
  if ('link' in wanted) return { kind: 'symlink', target: wanted.link };
  const bytes = Buffer.from(wanted.text);
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256;
  return { kind: 'file', sha256, size: bytes.length, executable: wanted.executable ?? false };
}

/** Prepares a commit of these changes and plans its merge, evidence included. */
export async function prepare(
  repository: Pick<RealRepository, 'root'>,
  state: string,
  wanted: Readonly<Record<string, Wanted>>,
  git: GitDirectories = ordinaryGitDirectories(repository.root),
): Promise<{ plan: MergePlan; prepared: PreparedCommit }> {
  const reader = openRepository(git);
  try {
    const head = await reader.state();
    if (head.kind === 'problem') throw new Error(JSON.stringify(head.problem));
    const changes = changesFor(repository.root, wanted);
    const readStaged = (path: string): Promise<Buffer | null> => {
      const value = wanted[path];
      return Promise.resolve(typeof value === 'object' && 'text' in value ? Buffer.from(value.text) : null);
    };
    const composed = await composeChanges(reader, head.state, changes, readStaged);
    if (composed.kind !== 'composed') throw new Error(JSON.stringify(composed));
    const metadata = { message: MESSAGE, author: SIGNATURE, committer: SIGNATURE };
    const { prepared, objects } = composeCommit(head.state, changes, composed.composed, metadata);
    const evidence = await composeEvidenceCommit(reader, {
      commit: prepared.commit,
      digest: createHash('sha256').update(prepared.commit).digest('hex') as Sha256,
      envelope: Buffer.from('{}\n'),
      committer: SIGNATURE,
    });
    await openPreparedObjects(state).save(SESSION, new Map([...objects, ...evidence.objects]));
    const also = { ref: evidence.ref, from: evidence.from, to: evidence.to, objects: evidence.objects.keys() };
    return { prepared, plan: planMerge(SESSION, prepared, [also]) };
  } finally {
    await reader.close();
  }
}

export function mergeWorld(
  root: string,
  state: string,
  options: Partial<MergeTargetOptions> = {},
): MergeServices & { readonly target: MergeTarget } {
  return {
    log: fileOperationLog(join(state, 'operations.jsonl')),
    target: openMergeTarget({
      root,
      git: ordinaryGitDirectories(root),
      state,
      owner: OWNER,
      umask: 0o022,
      pause: () => Promise.resolve(),
      ...options,
    }),
  };
}
