import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshProject, project, repeatOn, scene } from './commits-scene.ts';

freshProject();

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

describe('a commit under review', () => {
  it('has nothing to be said about it when all of it is the session’s', async () => {
    expect(await findingsOf(['src/a.js'])).toEqual([]);
  });

  it('says which of its files hold edits of the user’s own', async () => {
    project.write('src/a.js', 'an edit made before\n');
    expect(await findingsOf(['src/a.js'], ['src/a.js'])).toEqual([
      'src/a.js has uncommitted changes of yours, which this commit would include.',
    ]);
  });

  const CHANGED =
    'src/a.js was changed outside this session after it began, by another commit or by you; look in the diff what becomes of that.';
  it.each<[string, () => void, readonly string[]]>([
    ['an edit', () => project.write('src/a.js', 'an edit made meanwhile\n'), [CHANGED]],
    ['a deletion', () => rmSync(join(project.root, 'src/a.js')), [CHANGED]],
    ['nothing', () => undefined, []],
  ])('does not call %s after the start uncommitted work of the user', async (_, edit, expected) => {
    edit();
    expect(await findingsOf(['src/a.js'])).toEqual(expected);
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
      'The working tree changed meanwhile: src/b.js; it is not touched.',
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
        'src/a.js (filter=lfs) go through a git filter, which does not run here: such files cannot be committed by fluffy. Put back what they had, or call task.give_up and say that a person has to change them.',
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
      reason: 'the prepared commit is not the one that was shown',
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
