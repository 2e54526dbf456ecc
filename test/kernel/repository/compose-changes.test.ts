import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectId, ProjectPath, Sha256 } from '../../../src/contracts/ids.ts';
import type { FileState } from '../../../src/contracts/review/change-set.ts';
import type { Repository } from '../../../src/contracts/ports/repository.ts';
import { composeChanges } from '../../../src/kernel/repository/compose-changes.ts';
import type { ComposeChangesOutcome } from '../../../src/kernel/repository/compose-changes.ts';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

const CONTENT = Buffer.from('content\n');
const SHA256 = createHash('sha256').update(CONTENT).digest('hex') as Sha256;
const FILE: FileState = { kind: 'file', size: CONTENT.length, sha256: SHA256, executable: false };

let project: RealRepository;
let repository: Repository;

beforeAll(() => {
  project = makeRepository();
  project.write('src/a.js', 'one\n');
  project.commit('First');
  repository = openRepository(ordinaryGitDirectories(project.root));
});
afterAll(async () => {
  await repository.close();
  project.remove();
});

async function compose(
  path: string,
  after: FileState,
  read: () => Promise<Buffer | null> = () => Promise.resolve(CONTENT),
): Promise<ComposeChangesOutcome> {
  const outcome = await repository.state();
  if (outcome.kind !== 'ok') throw new Error(outcome.kind);
  const change = { path: path as ProjectPath, before: { kind: 'absent' } as const, after };
  return composeChanges(repository, outcome.state, [change], read);
}

describe('a change set', () => {
  it.each(['.git/hooks/pre-commit', 'sub/.GIT/config', 'src/../../a', 'a//b', 'git~1/config'])(
    'with %j is no tree of git',
    async (path) => {
      expect(await compose(path, FILE)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining(JSON.stringify(path)) as string,
      });
    },
  );

  it('holds no link where git reads its own settings', async () => {
    expect(await compose('.gitmodules', { kind: 'symlink', target: 'elsewhere' })).toMatchObject({ kind: 'refused' });
    expect(await compose('modules', { kind: 'symlink', target: 'elsewhere' })).toMatchObject({ kind: 'composed' });
  });

  it('is refused when what is staged is no longer what was reviewed', async () => {
    const moved = { kind: 'refused', reason: 'src/b.js has changed since the review' };
    expect(await compose('src/b.js', FILE, () => Promise.resolve(Buffer.from('other\n')))).toEqual(moved);
    expect(await compose('src/b.js', FILE, () => Promise.resolve(null))).toEqual(moved);
    expect(await compose('src/b.js', FILE)).toMatchObject({ kind: 'composed' });
  });

  it('stores LF where it is told to, and keeps the bytes of the file beside it', async () => {
    const content = Buffer.from('one\r\ntwo\n');
    const sha256 = createHash('sha256').update(content).digest('hex') as Sha256;
    const after: FileState = { kind: 'file', size: content.length, sha256, executable: false };
    const outcome = await repository.state();
    if (outcome.kind !== 'ok') throw new Error(outcome.kind);
    const changes = ['src/b.js', 'src/c.js'].map((path) => ({
      path: path as ProjectPath,
      before: { kind: 'absent' } as const,
      after,
    }));
    const lineFeeds = new Set(['src/b.js']);
    const made = await composeChanges(repository, outcome.state, changes, () => Promise.resolve(content), lineFeeds);
    if (made.kind !== 'composed') throw new Error(made.kind);
    const { edits, objects, files } = made.composed;
    const text = (id: ObjectId | undefined, from: typeof objects) =>
      id === undefined ? undefined : from.get(id)?.content.toString();
    expect(edits.map(({ path, entry, file }) => [path, text(entry?.id, objects), text(file, files)])).toEqual([
      ['src/b.js', 'one\ntwo\n', 'one\r\ntwo\n'],
      ['src/c.js', 'one\r\ntwo\n', undefined],
    ]);
  });

  it('that leaves the tree of HEAD is nothing to commit', async () => {
    expect(await compose('src/none.js', { kind: 'absent' })).toEqual({ kind: 'nothing-to-commit' });
  });
});
