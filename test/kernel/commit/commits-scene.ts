import { afterEach, beforeEach } from 'vitest';
import type { GitCommitInput } from '../../../src/contracts/sandbox/git-tool.ts';
import type { OverlayView, ViewEntry, Workspace } from '../../../src/contracts/ports/workspace.ts';
import { RepositoryCommits } from '../../../src/kernel/commit/repository-commits.ts';
import type { CommitsServices } from '../../../src/kernel/commit/commit-services.ts';
import type { Session } from '../../../src/kernel/session/session.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { changesFor } from '../../support/merge-fixture.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

const STAGED = 'of the session\n';
export const STAGING_DIGEST = 'd'.repeat(64);
export let project: RealRepository;

/** A repository with two files for each test of the calling file. */
export function freshProject(): void {
  beforeEach(() => {
    project = makeRepository();
    project.write('src/a.js', 'one\n');
    project.write('src/b.js', 'two\n');
    project.commit('First');
  });
  afterEach(() => project.remove());
}

/** The git tool's work, done by git itself in the project; nothing is left in a scratch. */
function commit(
  { parent, message, author, entries }: GitCommitInput,
  { added }: { readonly added: readonly ViewEntry[] },
  status: object,
  converted: object[],
): object {
  for (const { path, mode } of entries) {
    const entry = added.find((each) => each.path === path)?.entry;
    const text = entry?.kind === 'file' ? entry.bytes.toString() : STAGED;
    const id = project.gitBytes(['hash-object', '-w', '--stdin'], text).toString().trim();
    project.git('update-index', '--add', '--cacheinfo', `${mode},${id},${path}`);
  }
  const tree = project.git('write-tree').trim();
  const who = `${author.name} <${author.email}> ${author.seconds} +0000`;
  const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n${message}`;
  const id = project.gitBytes(['hash-object', '-w', '-t', 'commit', '--stdin'], text).toString().trim();
  return { commit: id, tree, converted, status };
}

/** As if the suite had run on this tree, shown by this view. */
export function repeatOn(session: Session, { tree, digest: view }: { tree: string; digest: string }): void {
  const { green } = session.snapshot;
  if (green === null) throw new Error('no green run');
  const repeated = { run_id: 't_2', at_ms: 2, tree, view, passed: 1, skipped: 0, failed: [] };
  Object.assign(session.snapshot, { green: { ...green, repeated } });
}

export interface Told {
  /** git's status is only a part. */
  readonly truncated?: boolean;
  /** What `git status` fails with. */
  readonly statusFailure?: object;
  /** Files that git itself would convert. */
  readonly converted?: object[];
  /** What the sandbox answers instead of a commit. */
  readonly commitFailure?: object;
  /** What becomes of the overlay; by default it is completed. */
  readonly overlay?: object;
  /** Answers of the host that is asked to sign. */
  readonly attest?: () => Promise<object>;
}

/** A session that changed src/a.js, while git says that `dirty` differs from HEAD. */
export function scene(dirty: readonly string[], dirtyAtStart: readonly string[] = [], told: Told = {}) {
  let added: readonly ViewEntry[] = [];
  const withView = (view: OverlayView, run: () => Promise<unknown>) => {
    added = view.overrides ?? [];
    return run();
  };
  const changes = changesFor(project.root, { 'src/a.js': { text: STAGED } });
  const stateOf = (path: string) => changesFor(project.root, { [path]: 'gone' })[0]?.before;
  const workspace = {
    changes: () => Promise.resolve(changes),
    stagingDigest: () => Promise.resolve(STAGING_DIGEST),
    gitIndex: () => Promise.resolve(null),
    read: () => Promise.resolve({ kind: 'file', bytes: Buffer.from(STAGED) }),
    stat: (path: string) => Promise.resolve(stateOf(path)),
    kindOf: (path: string) => Promise.resolve(stateOf(path)?.kind),
    overlay: async (run: (slot: number) => Promise<unknown>, view: OverlayView = {}) => ({
      kind: 'completed',
      value: await withView(view, () => run(0)),
      read: () => Promise.resolve(null),
      discard: () => Promise.resolve(),
      ...told.overlay,
    }),
  } as unknown as Workspace;
  const status = {
    branch: 'main',
    entries: dirty.map((path) => ({ path, index: '.', worktree: 'M' })),
    truncated: told.truncated ?? false,
  };
  const commits = new RepositoryCommits({
    openRepository: () => openRepository(ordinaryGitDirectories(project.root)),
    objects: { save: () => Promise.resolve() },
    sandboxes: {
      tool: ({ method, params }: { method: string; params: object }) =>
        Promise.resolve({
          kind: 'ok',
          sandbox: 'x_1',
          result:
            method === 'git.status'
              ? status
              : commit(params as GitCommitInput, { added }, status, told.converted ?? []),
          ...(method === 'git.status' ? told.statusFailure : told.commitFailure),
        }),
    },
    audit: { head: () => ({ entries: 1, hash: 'a'.repeat(64) }) },
    clock: { nowMs: () => 1_700_000_000_000 },
    policy: () => ({ hash: 'b'.repeat(64) }),
    images: {},
    attest: told.attest,
    log: { finished: () => [] },
  } as unknown as CommitsServices);
  const options = { model: 'replay/x', author: { name: 'Ada Example', email: 'ada@example.org' } };
  const snapshot = {
    ...newSnapshot(options as Snapshot['options'], 0),
    base: { branch: 'refs/heads/main', head: project.git('rev-parse', 'HEAD').trim() },
    dirty_at_start: [...dirtyAtStart],
    green: { run_id: 't_1', at_ms: 1, staging_digest: 'c'.repeat(64), passed: 1, skipped: 0, failed: [] },
  };
  const session = { id: 's_session001', mode: 'strict', snapshot, update: () => undefined } as unknown as Session;
  return { commits, session, workspace, signal: new AbortController().signal };
}
