import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { Repository, StoredObject } from '../../../src/contracts/ports/repository.ts';
import type { GitCommitInput } from '../../../src/contracts/sandbox/git-tool.ts';
import { composeChanges, composeCommit } from '../../../src/kernel/repository/compose-changes.ts';
import { verifyPreparedCommit } from '../../../src/kernel/commit/verify-prepared-commit.ts';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { readStatus } from '../../../tool-plugins/git-tool/status-tool.ts';
import { prepareCommit } from '../../../tool-plugins/git-tool/commit-tool.ts';
import { busyRepository, EVERY_CHANGE } from '../../support/busy-repository.ts';
import { changesFor, MESSAGE } from '../../support/merge-fixture.ts';
import type { Wanted } from '../../support/merge-fixture.ts';
import { copyRepository, makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { toolContext } from '../../support/tool-context.ts';

const repositories: RealRepository[] = [];
const readers: Repository[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
  for (const repository of repositories.splice(0)) repository.remove();
});

const AUTHOR = { name: 'Ada Exämple', email: 'ada@example.org', seconds: 1_700_000_100, offsetMinutes: -330 };
const COMMITTER = { ...AUTHOR, seconds: 1_700_000_101 };

/** Puts what a session wants into a working tree, as staging does over the project. */
function stage(root: string, wanted: Readonly<Record<string, Wanted>>): void {
  for (const [path, value] of Object.entries(wanted)) {
    if (typeof value === 'object' || value === 'gone') rmSync(join(root, path), { recursive: true, force: true });
    if (value === 'directory' && lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true)
      rmSync(join(root, path));
  }
  for (const [path, value] of Object.entries(wanted)) {
    if (typeof value !== 'object') continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if ('link' in value) symlinkSync(value.link, join(root, path));
    else writeFileSync(join(root, path), value.text);
    if ('text' in value) chmodSync(join(root, path), value.executable === true ? 0o755 : 0o644);
  }
}

async function expected(project: RealRepository, wanted: Readonly<Record<string, Wanted>>) {
  const repository = openRepository(ordinaryGitDirectories(project.root));
  readers.push(repository);
  const head = await repository.state();
  if (head.kind === 'problem') throw new Error(JSON.stringify(head.problem));
  const changes = changesFor(project.root, wanted);
  const composed = await composeChanges(repository, head.state, changes, (path) => {
    const value = wanted[path];
    return Promise.resolve(typeof value === 'object' && 'text' in value ? Buffer.from(value.text) : null);
  });
  if (composed.kind !== 'composed') throw new Error(JSON.stringify(composed));
  return {
    repository,
    ...composeCommit(head.state, changes, composed.composed, {
      message: MESSAGE,
      author: AUTHOR,
      committer: COMMITTER,
    }),
  };
}

function inputFor(made: Awaited<ReturnType<typeof expected>>): GitCommitInput {
  return {
    parent: made.prepared.parent,
    entries: made.prepared.edits.map(({ path, entry }) => ({
      path,
      mode: entry === null ? null : (entry.mode.toString(8) as '100644'),
    })),
    message: MESSAGE,
    author: AUTHOR,
    committer: COMMITTER,
  };
}

const scratchOf = (workspace: RealRepository) => (path: string) =>
  Promise.resolve(
    lstatSync(join(workspace.root, path), { throwIfNoEntry: false }) === undefined
      ? null
      : readFileSync(join(workspace.root, path)),
  );

async function prepareBoth() {
  const project = busyRepository();
  const workspace = copyRepository(project);
  repositories.push(project, workspace);
  stage(workspace.root, EVERY_CHANGE);
  const kernel = await expected(project, EVERY_CHANGE);
  return { project, workspace, kernel, result: await prepareCommit(inputFor(kernel), toolContext(workspace.root)) };
}

test('git makes the very commit that the kernel makes, of the session’s changes alone', async () => {
  const { project, workspace, kernel, result } = await prepareBoth();
  const { commit, tree } = kernel.prepared;
  expect(result).toEqual({ commit, tree, converted: [], status: await readStatus(toolContext(workspace.root)) });
  expect(result.status.entries.length).toBeGreaterThan(0);
  expect(await verifyPreparedCommit(kernel.repository, kernel, result.commit, scratchOf(workspace))).toEqual({
    kind: 'verified',
  });
  const changed = workspace
    .git('diff-tree', '-r', '--name-only', '-z', 'HEAD', result.commit)
    .split('\0')
    .filter(Boolean);
  expect(changed.filter((path) => path.startsWith('mine/'))).toEqual([]);
  expect(changed.length).toBe(kernel.prepared.edits.length);
  expect(workspace.git('log', '-1', '--format=%an <%ae> %ai %cI', result.commit).trim()).toBe(
    'Ada Exämple <ada@example.org> 2023-11-14 16:45:00 -0530 2023-11-14T16:45:01-05:30',
  );
  expect(project.git('status', '--porcelain')).not.toContain('src/app.js');
});

test('touches nothing of .git but objects', async () => {
  const { project, workspace } = await prepareBoth();
  const gitFiles = (made: RealRepository) =>
    Object.fromEntries(
      Object.entries(snapshotTree(made.root)).filter(
        ([path]) => path.startsWith('.git/') && !path.startsWith('.git/objects/'),
      ),
    );
  expect(gitFiles(workspace)).toEqual(gitFiles(project));
});

describe('a git tool that lies is refused', () => {
  const someBlob = (kernel: { objects: ReadonlyMap<ObjectId, StoredObject> }): ObjectId => {
    const found = [...kernel.objects].find(([, { type }]) => type === 'blob');
    if (found === undefined) throw new Error('no blob');
    return found[0];
  };
  const pathOf = (id: string) => `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
  type Lie = (workspace: RealRepository, kernel: Awaited<ReturnType<typeof expected>>) => string | undefined;

  const LIES: Record<string, Lie> = {
    'by naming another commit': () => '1'.repeat(40),
    'by sweeping in a user’s file': (workspace, kernel) => {
      workspace.git('read-tree', '--index-output=.git/other', kernel.prepared.commit);
      workspace.git('update-index', '--add', 'mine/untracked.txt');
      const tree = workspace.git('write-tree').trim();
      return workspace.git('commit-tree', tree, '-p', 'HEAD', '-m', 'swept').trim();
    },
    'by leaving an object out': (workspace, kernel) => void rmSync(join(workspace.root, pathOf(someBlob(kernel)))),
    'by storing other content under an id': (workspace, kernel) =>
      overwrite(workspace, pathOf(someBlob(kernel)), deflateSync('blob 4\0evil')),
    'by storing a bomb': (workspace, kernel) =>
      overwrite(
        workspace,
        pathOf(someBlob(kernel)),
        deflateSync(Buffer.concat([Buffer.from('blob 99000000\0'), Buffer.alloc(99_000_000)])),
      ),
    'by hiding bytes behind an object': (workspace, kernel) => {
      const path = pathOf(someBlob(kernel));
      overwrite(workspace, path, Buffer.concat([readFileSync(join(workspace.root, path)), Buffer.from('hidden')]));
    },
  };

  function overwrite(workspace: RealRepository, path: string, bytes: Buffer): undefined {
    chmodSync(join(workspace.root, path), 0o600);
    writeFileSync(join(workspace.root, path), bytes);
  }

  test.each(Object.keys(LIES))('%s', async (name) => {
    const { workspace, kernel, result } = await prepareBoth();
    const claimed = LIES[name]?.(workspace, kernel) ?? result.commit;
    const outcome = await verifyPreparedCommit(kernel.repository, kernel, claimed, scratchOf(workspace));
    expect(outcome.kind).toBe('refused');
  });
});

describe('content that git would store in another form is named, and stored as it is', () => {
  const CASES = {
    'Git LFS': {
      attributes: '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      path: 'a.bin',
      text: 'raw\n',
      by: 'filter=lfs',
    },
    'line ends': { attributes: '*.txt text eol=crlf\n', path: 'a.txt', text: 'one\r\ntwo\r\n', by: 'conversion' },
    ident: { attributes: '*.c ident\n', path: 'a.c', text: '/* $Id: something $ */\n', by: 'conversion' },
  };
  test.each(Object.entries(CASES))('%s', async (_, { attributes, path, text, by }) => {
    const made = makeRepository();
    repositories.push(made);
    made.write('.gitattributes', attributes);
    made.commit('first');
    made.write(path, text);
    const input: GitCommitInput = {
      parent: made.git('rev-parse', 'HEAD').trim() as ObjectId,
      entries: [{ path, mode: '100644' }],
      message: MESSAGE,
      author: AUTHOR,
      committer: COMMITTER,
    };
    const result = await prepareCommit(input, toolContext(made.root));
    expect(result.converted).toEqual([{ path, by }]);
    expect(made.gitBytes(['cat-file', 'blob', `${result.commit}:${path}`]).toString()).toBe(text);
  });
});

test('a file that is named for it is stored with LF where it has CRLF, and the file stays', async () => {
  const made = makeRepository();
  repositories.push(made);
  made.write('.gitattributes', '*.txt text eol=crlf\n');
  made.commit('first');
  made.write('a.txt', 'one\r\ntwo\n\rthree\r\n');
  const input: GitCommitInput = {
    parent: made.git('rev-parse', 'HEAD').trim() as ObjectId,
    entries: [{ path: 'a.txt', mode: '100644', line_feeds: true }],
    message: MESSAGE,
    author: AUTHOR,
    committer: COMMITTER,
  };
  const result = await prepareCommit(input, toolContext(made.root));
  expect(result.converted).toEqual([]);
  expect(made.gitBytes(['cat-file', 'blob', `${result.commit}:a.txt`]).toString()).toBe('one\ntwo\n\rthree\n');
  expect(readFileSync(join(made.root, 'a.txt'), 'utf8')).toBe('one\r\ntwo\n\rthree\r\n');
});

test.each(['-w', '--stdin', 'with\nnewline', '"quoted"', 'tab\tand \\', 'blank '])(
  'a file named %j is only a file',
  async (path) => {
    const made = makeRepository();
    repositories.push(made);
    made.commit('first');
    made.write(path, 'content\n');
    const input: GitCommitInput = {
      parent: made.git('rev-parse', 'HEAD').trim() as ObjectId,
      entries: [{ path, mode: '100644' }],
      message: MESSAGE,
      author: AUTHOR,
      committer: COMMITTER,
    };
    const { commit } = await prepareCommit(input, toolContext(made.root));
    expect(made.git('ls-tree', '-r', '-z', '--name-only', commit)).toBe(`${path}\0`);
  },
);
