import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitCommitInput } from '../../src/contracts/git-tool.ts';
import type { Workspace } from '../../src/contracts/ports/workspace.ts';
import { RepositoryCommits } from '../../src/kernel/commits.ts';
import type { CommitsWorld } from '../../src/kernel/commits.ts';
import type { Session } from '../../src/kernel/session/session.ts';
import { newSnapshot } from '../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../src/kernel/session/snapshot.ts';
import { openRepository } from '../../src/platform/git/repository.ts';
import { changesFor } from '../support/merge-fixture.ts';
import { makeRepository } from '../support/real-git.ts';
import type { RealRepository } from '../support/real-git.ts';

const STAGED = 'of the session\n';
let project: RealRepository;

beforeEach(() => {
  project = makeRepository();
  project.write('src/a.js', 'one\n');
  project.write('src/b.js', 'two\n');
  project.commit('First');
});
afterEach(() => project.remove());

/** The git tool's work, done by git itself in the project; nothing is left in a scratch. */
function commit({ parent, message, author, entries }: GitCommitInput): object {
  for (const { path, mode } of entries) {
    const id = project.gitBytes(['hash-object', '-w', '--stdin'], STAGED).toString().trim();
    project.git('update-index', '--add', '--cacheinfo', `${mode},${id},${path}`);
  }
  const tree = project.git('write-tree').trim();
  const who = `${author.name} <${author.email}> ${author.seconds} +0000`;
  const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n${message}`;
  const id = project.gitBytes(['hash-object', '-w', '-t', 'commit', '--stdin'], text).toString().trim();
  return { commit: id, tree, converted: [] };
}

/** Prepares a commit of a change to src/a.js, made on the project as it is now, while git says that `dirty` differs from HEAD. */
async function findingsOf(dirty: readonly string[], dirtyAtStart: readonly string[] = []): Promise<readonly string[]> {
  const changes = changesFor(project.root, { 'src/a.js': { text: STAGED } });
  const workspace = {
    changes: () => Promise.resolve(changes),
    read: () => Promise.resolve({ kind: 'file', bytes: Buffer.from(STAGED) }),
    overlay: async (run: (slot: number) => Promise<unknown>) => ({
      kind: 'completed',
      value: await run(0),
      read: () => Promise.resolve(null),
      discard: () => Promise.resolve(),
    }),
  } as unknown as Workspace;
  const status = {
    branch: 'main',
    entries: dirty.map((path) => ({ path, index: '.', worktree: 'M' })),
    truncated: false,
  };
  const commits = new RepositoryCommits({
    openRepository: () => openRepository(project.root),
    objects: { save: () => Promise.resolve() },
    sandboxes: {
      tool: ({ method, params }: { method: string; params: object }) =>
        Promise.resolve({
          kind: 'ok',
          sandbox: 'x_1',
          result: method === 'git.status' ? status : commit(params as GitCommitInput),
        }),
    },
    audit: { head: () => ({ entries: 1, hash: 'a'.repeat(64) }) },
    clock: { nowMs: () => 1_700_000_000_000 },
    policy: () => ({ hash: 'b'.repeat(64) }),
    images: {},
  } as unknown as CommitsWorld);
  const options = { model: 'replay/x', author: { name: 'Ada Example', email: 'ada@example.org' } };
  const snapshot = {
    ...newSnapshot(options as Snapshot['options'], 0),
    base: { branch: 'refs/heads/main', head: project.git('rev-parse', 'HEAD').trim() },
    dirty_at_start: [...dirtyAtStart],
    green: { run_id: 't_1', at_ms: 1, staging_digest: 'c'.repeat(64), passed: 1, skipped: 0, failed: [] },
  };
  const session = { id: 's_session001', mode: 'strict', snapshot, update: () => undefined } as unknown as Session;
  const prepared = await commits.prepare(session, workspace, 'Change a', new AbortController().signal);
  if (prepared.kind === 'refused') throw new Error(prepared.reason);
  return prepared.findings;
}

describe('a commit under review', () => {
  it('has nothing to be said about it when all of it is the session’s', async () => {
    expect(await findingsOf(['src/a.js'])).toEqual([]);
  });

  it('says which of its files hold edits of the user’s own', async () => {
    project.write('src/a.js', 'an edit made meanwhile\n');
    expect(await findingsOf(['src/a.js'])).toEqual([
      'src/a.js holds your own uncommitted changes, which this commit would include.',
    ]);
  });

  it('says what else changed since the session began', async () => {
    expect(await findingsOf(['src/a.js', 'src/b.js', 'notes.txt'], ['notes.txt'])).toEqual([
      'The working tree changed meanwhile: src/b.js; the tests ran with it.',
    ]);
  });
});
