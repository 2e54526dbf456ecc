import { describe, expect, it } from 'vitest';
import { freshProject, project, scene } from './commits-scene.ts';
import type { Told } from './commits-scene.ts';

freshProject();

describe('what is prepared in a sandbox', () => {
  it.each<readonly [string, Told, string]>([
    [
      'was cut short',
      { overlay: { kind: 'refused', reason: 'a device node' } },
      'the commit could not be prepared: a device node',
    ],
    [
      'failed',
      { commitFailure: { kind: 'tool-error', code: 'x', message: 'git broke' } },
      'the commit could not be prepared: git broke',
    ],
    ['is no commit', { commitFailure: { result: { commit: 1 } } }, 'the git tool returned an invalid commit'],
    [
      'is another commit',
      {
        commitFailure: {
          result: {
            commit: 'e'.repeat(40),
            tree: 'e'.repeat(40),
            converted: [],
            status: { branch: 'main', entries: [], truncated: false },
          },
        },
      },
      'the git tool made commit',
    ],
  ])('counts for nothing where it %s', async (_what, told, reason) => {
    const { commits, session, workspace, signal } = scene(['src/a.js'], [], told);
    expect(await commits.prepare(session, workspace, 'Change a', signal)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason) as string,
    });
  });

  it('ends the run where the disk is full', async () => {
    const { commits, session, workspace, signal } = scene(['src/a.js'], [], { commitFailure: { kind: 'disk-full' } });
    await expect(commits.prepare(session, workspace, 'Change a', signal)).rejects.toMatchObject({ code: 'disk_full' });
  });

  it('has a message', async () => {
    const { commits, session, workspace, signal } = scene(['src/a.js']);
    const reason = 'the commit message is empty';
    expect(await commits.prepare(session, workspace, ' \n', signal)).toEqual({ kind: 'refused', reason });
  });
});

describe('nothing can be committed', () => {
  const asked = ({ commits, session, workspace, signal }: ReturnType<typeof scene>) => [
    () => commits.committable(session, workspace, signal),
    () => commits.prepare(session, workspace, 'Change a', signal),
  ];

  it.each<readonly [string, () => void, string]>([
    ['on no branch', () => project.git('checkout', '-q', '--detach'), 'HEAD is on no branch'],
    [
      'after the branch has moved',
      () => {
        project.write('src/c.js', 'of somebody else');
        project.commit('Second');
      },
      'the branch has moved since this task began',
    ],
  ])('%s', async (_what, change, reason) => {
    const made = scene(['src/a.js']);
    change();
    for (const ask of asked(made)) expect(await ask()).toEqual({ kind: 'refused', reason });
  });

  it('of a session that changed nothing', async () => {
    const made = scene([]);
    Object.assign(made.workspace, { changes: () => Promise.resolve([]) });
    for (const ask of asked(made)) expect(await ask()).toEqual({ kind: 'refused', reason: 'nothing has changed' });
  });

  it("of a path that is git's own", async () => {
    const made = scene([]);
    const after = { kind: 'file', sha256: 'd'.repeat(64), size: 1, executable: false };
    const changes = [{ path: '.git/hooks/pre-commit', before: { kind: 'absent' }, after }];
    Object.assign(made.workspace, { changes: () => Promise.resolve(changes) });
    const reason = expect.stringContaining('".git/hooks/pre-commit": ') as string;
    for (const ask of asked(made)) expect(await ask()).toEqual({ kind: 'refused', reason });
  });

  it.each<readonly [Told, string, string]>([
    [{ overlay: { kind: 'moved', attempts: 3 } }, 'the project kept changing meanwhile', 'repository_not_ready'],
    [{ overlay: { kind: 'refused', reason: 'nested too deep' } }, 'nested too deep', 'repository_not_ready'],
    [{ statusFailure: { kind: 'failed', reason: 'it died' } }, 'it died', 'repository_not_ready'],
    [{ statusFailure: { kind: 'out-of-memory' } }, 'It used more memory than its sandbox has.', 'repository_not_ready'],
    [{ statusFailure: { kind: 'timed-out', afterMs: 60_000 } }, 'git did not end within 60 s', 'repository_unreadable'],
  ])('where git status ends as %j, and no task begins', async (told, why, code) => {
    const { commits, session, workspace, signal } = scene(['src/a.js'], [], told);
    const reason = `git status gave no result: ${why}`;
    expect(await commits.committable(session, workspace, signal)).toEqual({ kind: 'refused', reason });
    const error = { code, exitCode: 2, why: expect.stringContaining(why) as string };
    await expect(commits.dirtyPaths(session, workspace, signal)).rejects.toMatchObject(error);
  });
});

describe('a merge', () => {
  const APPROVED = { reviewId: 'r_1', by: 'policy', sha256: 'd'.repeat(64) } as const;

  it('of nothing that was prepared is refused', async () => {
    const { commits, session } = scene([]);
    const decision = { ...APPROVED, message: 'm', base: 'f'.repeat(40) };
    expect(await commits.merge(session, decision)).toEqual({ kind: 'failed', reason: 'no commit is prepared' });
    expect(await commits.obstacle(session)).toBe('no commit is prepared');
  });

  it.each<readonly [string, Told, object, string]>([
    [
      'that the host does not sign',
      { attest: () => Promise.resolve({ kind: 'refused', reason: 'the log has gone back' }) },
      {},
      'the host does not sign the evidence of this commit: the log has gone back',
    ],
    ['that a person approved without a signature', {}, { by: 'human' }, 'an approval without a signature'],
  ])('%s does not happen', async (_what, told, change, message) => {
    const { commits, session, workspace, signal } = scene(['src/a.js'], [], told);
    Object.assign(session, { update: (facts: object) => Object.assign(session.snapshot, facts) });
    const prepared = await commits.prepare(session, workspace, 'Change a', signal);
    if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared));
    const base = project.git('rev-parse', 'HEAD').trim();
    const decision = { ...APPROVED, message: prepared.message, base, ...change };
    await expect(commits.merge(session, decision)).rejects.toThrow(message);
    expect(project.git('rev-parse', 'HEAD').trim()).toBe(base);
  });

  it('that is no longer kept is neither undone nor done again', async () => {
    const { commits } = scene([]);
    const commit = 'c'.repeat(40);
    expect(await commits.undo(commit)).toEqual({ kind: 'unknown', reason: 'what it replaced is no longer kept' });
    expect(await commits.redo(commit)).toEqual({ kind: 'unknown', reason: 'how it was merged is no longer kept' });
  });

  it('is held up by a repository that cannot be committed to', async () => {
    const { commits, session } = scene([]);
    Object.assign(session.snapshot, { prepared: { prepared: {}, facts: {} } });
    project.git('checkout', '-q', '--detach');
    expect(await commits.obstacle(session)).toBe('HEAD is on no branch');
  });
});
