import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitCommitInput } from '../../../src/contracts/sandbox/git-tool.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
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
let project: RealRepository;

beforeEach(() => {
  project = makeRepository();
  project.write('src/a.js', 'one\n');
  project.write('src/b.js', 'two\n');
  project.commit('First');
});
afterEach(() => project.remove());

/** The git tool's work, done by git itself in the project; nothing is left in a scratch. */
function commit({ parent, message, author, entries }: GitCommitInput, status: object, converted: object[]): object {
  for (const { path, mode } of entries) {
    const id = project.gitBytes(['hash-object', '-w', '--stdin'], STAGED).toString().trim();
    project.git('update-index', '--add', '--cacheinfo', `${mode},${id},${path}`);
  }
  const tree = project.git('write-tree').trim();
  const who = `${author.name} <${author.email}> ${author.seconds} +0000`;
  const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n${message}`;
  const id = project.gitBytes(['hash-object', '-w', '-t', 'commit', '--stdin'], text).toString().trim();
  return { commit: id, tree, converted, status };
}

/** Prepares a commit of a change to src/a.js, made on the project as it is now, while git says that `dirty` differs from HEAD. */
async function findingsOf(dirty: readonly string[], dirtyAtStart: readonly string[] = []): Promise<readonly string[]> {
  const { commits, session, workspace, signal } = scene(dirty, dirtyAtStart);
  const now = await commits.committable(session, workspace, signal);
  if (now.kind === 'refused') throw new Error(now.reason);
  repeatOn(session, now);
  const prepared = await commits.prepare(session, workspace, 'Change a', signal);
  if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared));
  return prepared.findings;
}

/** As if the suite had run on this tree, shown by this view. */
function repeatOn(session: Session, { tree, digest: view }: { tree: string; digest: string }): void {
  const { green } = session.snapshot;
  if (green === null) throw new Error('no green run');
  const repeated = { run_id: 't_2', at_ms: 2, tree, view, passed: 1, skipped: 0, failed: [] };
  Object.assign(session.snapshot, { green: { ...green, repeated } });
}

interface Told {
  /** git's status is only a part. */
  readonly truncated?: boolean;
  /** What `git status` fails with. */
  readonly statusFailure?: object;
  /** Files that git itself would convert. */
  readonly converted?: object[];
}

function scene(dirty: readonly string[], dirtyAtStart: readonly string[] = [], told: Told = {}) {
  const changes = changesFor(project.root, { 'src/a.js': { text: STAGED } });
  const stateOf = (path: string) => changesFor(project.root, { [path]: 'gone' })[0]?.before;
  const workspace = {
    changes: () => Promise.resolve(changes),
    gitIndex: () => Promise.resolve(null),
    read: () => Promise.resolve({ kind: 'file', bytes: Buffer.from(STAGED) }),
    stat: (path: string) => Promise.resolve(stateOf(path)),
    kindOf: (path: string) => Promise.resolve(stateOf(path)?.kind),
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
          ...(method === 'git.status' ? told.statusFailure : {}),
          result: method === 'git.status' ? status : commit(params as GitCommitInput, status, told.converted ?? []),
        }),
    },
    audit: { head: () => ({ entries: 1, hash: 'a'.repeat(64) }) },
    clock: { nowMs: () => 1_700_000_000_000 },
    policy: () => ({ hash: 'b'.repeat(64) }),
    images: {},
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

  it('is not made ready while the tests have not run without what is uncommitted', async () => {
    project.write('src/b.js', 'dirty\n');
    const { commits, session, workspace, signal } = scene(['src/a.js', 'src/b.js']);
    expect(await commits.prepare(session, workspace, 'Change a', signal)).toEqual({ kind: 'moved' });
    const then = await commits.committable(session, workspace, signal);
    expect(then).toMatchObject({ kind: 'ok', dirty: ['src/b.js'], view: { overrides: [{ path: 'src/b.js' }] } });
    if (then.kind === 'ok') repeatOn(session, then);
    project.write('src/b.js', 'dirty in another way\n');
    expect(await commits.prepare(session, workspace, 'Change a', signal)).toMatchObject({ kind: 'prepared' });
    rmSync(join(project.root, 'src/b.js'));
    project.write('src/b.js/inner', 'new\n');
    const other = scene(['src/a.js', 'src/b.js', 'src/b.js/inner']);
    Object.assign(other.session.snapshot, { green: session.snapshot.green });
    expect(await other.commits.prepare(other.session, workspace, 'Change a', signal)).toEqual({ kind: 'moved' });
  });

  it('shows the tests nothing that was uncommitted at the start, though git has been told to ignore it since', async () => {
    project.write('helper.js', 'of the user\n');
    const { commits, session, workspace, signal } = scene(['src/a.js'], ['helper.js', 'gone.js', 'src/b.js', 'sub/']);
    expect(await commits.committable(session, workspace, signal)).toMatchObject({
      kind: 'ok',
      dirty: ['helper.js'],
      view: { overrides: [{ path: 'helper.js', entry: { kind: 'absent' } }], kept: [] },
    });
  });

  it('says what else changed since the session began', async () => {
    expect(await findingsOf(['src/a.js', 'src/b.js', 'notes.txt'], ['notes.txt'])).toEqual([
      'The working tree changed meanwhile: src/b.js; it is left alone.',
    ]);
  });
});

describe('a commit that must not be made', () => {
  it('is refused where git has more to say than it said: what is uncommitted is not known', async () => {
    const { commits, session, workspace, signal } = scene(['src/a.js'], [], { truncated: true });
    const refused = { kind: 'refused', reason: 'more than 1 paths are not as HEAD has them' };
    expect(await commits.committable(session, workspace, signal)).toEqual(refused);
    expect(await commits.prepare(session, workspace, 'Change a', signal)).toEqual(refused);
  });

  it('is refused where a file goes through a filter of git, which does not run here', async () => {
    const converted = [{ path: 'src/a.js', by: 'filter=lfs' }];
    const { commits, session, workspace, signal } = scene(['src/a.js'], [], { converted });
    expect(await commits.prepare(session, workspace, 'Change a', signal)).toEqual({
      kind: 'refused',
      reason:
        'src/a.js (filter=lfs) go through a git filter, which does not run here: such files cannot be committed by fluffy. Leave them as they are.',
    });
  });

  it.each([
    ['another message', { message: 'Other' }],
    ['another parent', { base: 'f'.repeat(40) }],
  ])('is not merged under a review that showed %s', async (_name, change) => {
    const { commits, session, workspace, signal } = scene(['src/a.js']);
    Object.assign(session, { update: (facts: object) => Object.assign(session.snapshot, facts) });
    const prepared = await commits.prepare(session, workspace, 'Change a', signal);
    if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared));
    const shown = { reviewId: 'r_1', by: 'policy', sha256: 'd', message: prepared.message } as const;
    const base = project.git('rev-parse', 'HEAD').trim();
    expect(await commits.merge(session, { ...shown, base, ...change })).toEqual({
      kind: 'failed',
      reason: 'what was prepared is not what was shown',
    });
  });

  it('is not attested, let alone merged, on a branch that has moved', async () => {
    const { commits, session, workspace, signal } = scene(['src/a.js']);
    Object.assign(session, { update: (facts: object) => Object.assign(session.snapshot, facts) });
    const prepared = await commits.prepare(session, workspace, 'Change a', signal);
    if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared));
    const base = project.git('rev-parse', 'HEAD').trim();
    project.write('src/c.js', 'of somebody else');
    project.commit('Second');
    const shown = { reviewId: 'r_1', by: 'policy', sha256: 'd', message: prepared.message, base } as const;
    // Without the check the scene would be asked for an attestation, which it does not have.
    expect(await commits.merge(session, shown)).toEqual({
      kind: 'conflict',
      paths: ['refs/heads/main'],
      reason: 'the branch has moved',
    });
  });
});

describe('a damaged repository', () => {
  const objectPath = (revision: string): string => {
    const id = project.git('rev-parse', revision).trim();
    return join(project.root, '.git/objects', id.slice(0, 2), id.slice(2));
  };
  const unreadable = (what: RegExp): unknown =>
    expect.objectContaining({
      code: 'repository_unreadable',
      exitCode: 2,
      what: expect.stringMatching(what) as string,
    });

  it.each([
    ['the tree of a directory is missing', 'HEAD:src', /tree [0-9a-f]{40}$/],
    ['the content of a changed file is missing', 'HEAD:src/a.js', /blob [0-9a-f]{40}$/],
    ['the tree of HEAD is missing', 'HEAD^{tree}', /tree [0-9a-f]{40}$/],
    ['the commit of HEAD is missing', 'HEAD', /commit [0-9a-f]{40}$/],
  ])('is reported as such when %s', async (_, revision, what) => {
    const { commits, session, workspace, signal } = scene(['src/a.js']);
    rmSync(objectPath(revision));
    await expect(commits.committable(session, workspace, signal)).rejects.toEqual(unreadable(what));
  });

  it('is reported as such when its index is cut off, before any work starts', async () => {
    const { commits } = scene([]);
    truncateSync(join(project.root, '.git/index'), 30);
    await expect(commits.base()).rejects.toEqual(unreadable(/\.git\/index$/));
  });

  it('is reported with git’s own message when git status cannot read it', async () => {
    const message = 'git status failed: fatal: unable to read tree';
    const statusFailure = { kind: 'tool-error', code: 'sandbox_failed', message };
    const { commits, session, workspace, signal } = scene([], [], { statusFailure });
    await expect(commits.dirtyPaths(session, workspace, signal)).rejects.toMatchObject({
      code: 'repository_unreadable',
      exitCode: 2,
      why: message,
    });
  });
});
