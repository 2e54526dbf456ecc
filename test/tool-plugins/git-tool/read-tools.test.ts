import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { diffAgainstHead } from '../../../tool-plugins/git-tool/diff-tool.ts';
import { readLog } from '../../../tool-plugins/git-tool/log-tool.ts';
import { parseStatus, readStatus } from '../../../tool-plugins/git-tool/status-tool.ts';
import { busyRepository } from '../../support/busy-repository.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { toolContext } from '../../support/tool-context.ts';

const repositories: RealRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function busy(): RealRepository {
  const made = busyRepository();
  repositories.push(made);
  return made;
}

test('status tells staged from unstaged and untracked, for every path, and writes nothing', async () => {
  const made = busy();
  const before = snapshotTree(made.root);
  const { branch, entries, truncated } = await readStatus(toolContext(made.root));
  expect(snapshotTree(made.root)).toEqual(before);
  expect({ branch, truncated }).toEqual({ branch: 'main', truncated: false });
  expect(Object.fromEntries(entries.map(({ path, index, worktree }) => [path, index + worktree]))).toEqual({
    'mine/staged.txt': 'M.',
    'mine/both.txt': 'MM',
    'mine/new-staged.txt': 'A.',
    'mine/dirty.txt': '.M',
    'mine/removed.txt': '.D',
    'mine/half.txt': '.A',
    'mine/untracked.txt': '??',
  });
});

test.each(['.gitignore', 'mine/.gitattributes', '.git/info/exclude'])(
  'status names the pipe that git would wait for: %s',
  async (path) => {
    const made = busy();
    // Another time, so that git has to read the file, with its attributes.
    utimesSync(join(made.root, 'mine/staged.txt'), 1, 1);
    rmSync(join(made.root, path), { force: true });
    execFileSync('mkfifo', [join(made.root, path)]);
    await expect(readStatus(toolContext(made.root))).rejects.toMatchObject({
      code: 'sandbox_failed',
      message: `git waits for ever: "${path}" is a named pipe, not a file`,
    });
  },
);

test('status names a link to a pipe that git would wait for', async () => {
  const made = busy();
  const path = '.git/info/exclude';
  rmSync(join(made.root, path), { force: true });
  execFileSync('mkfifo', [join(made.root, 'pipe')]);
  symlinkSync(join(made.root, 'pipe'), join(made.root, path));
  await expect(readStatus(toolContext(made.root))).rejects.toMatchObject({
    message: `git waits for ever: "${path}" is a named pipe, not a file`,
  });
});

test.each([
  ['in the work tree', 'rules', 'rules'],
  ['beside it', '../rules', '../rules'],
])('status names the pipe %s that core.excludesFile names', async (_, setting, path) => {
  const made = busy();
  execFileSync('mkfifo', [join(made.root, path)]);
  appendFileSync(join(made.root, '.git/config'), `[core]\n\texcludesFile = ${setting}\n`);
  await expect(readStatus(toolContext(made.root))).rejects.toMatchObject({
    message: `git waits for ever: "${path}" is a named pipe, not a file`,
  });
});

test('status reads odd names whole', () => {
  const output = [
    '# branch.oid 1',
    '# branch.head feature/x',
    `1 M. N... 100644 100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} with blank\nand line`,
    `u UU N... 100644 100644 100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} ${'c'.repeat(40)} unmerged`,
    '? -dash',
    '',
  ].join('\0');
  expect(parseStatus(output)).toEqual({
    branch: 'feature/x',
    entries: [
      { path: 'with blank\nand line', index: 'M', worktree: '.' },
      { path: 'unmerged', index: 'U', worktree: 'U' },
      { path: '-dash', index: '?', worktree: '?' },
    ],
  });
});

describe('diff', () => {
  test.each([false, true])(
    'shows what was changed in the moment in which the index was written (new file: %s)',
    async (isNew) => {
      const made = makeRepository();
      repositories.push(made);
      const moment = new Date(Date.now() - 60_000);
      const setTime = (path: string) => utimesSync(join(made.root, path), moment, moment);
      made.write('a.txt', 'one\n');
      setTime('a.txt');
      made.commit('First');
      made.write('a.txt', 'two\n');
      if (isNew) made.write('new.txt', 'new\n');
      for (const path of ['a.txt', '.git/index']) setTime(path);
      expect((await diffAgainstHead({}, toolContext(made.root))).diff).toContain('+two');
    },
  );

  test('is against HEAD and has new files, and writes nothing', async () => {
    const made = busy();
    const before = snapshotTree(made.root);
    const { diff, truncated } = await diffAgainstHead({}, toolContext(made.root));
    expect(snapshotTree(made.root)).toEqual(before);
    expect(truncated).toBe(false);
    for (const line of ['+staged by me', '+by me', '+untracked', '-removed', '+and dirty'])
      expect(diff).toContain(`\n${line}\n`);
    expect(diff).not.toContain('ignored');
  });

  test('of one path is of that path alone, whatever it looks like', async () => {
    const made = makeRepository();
    repositories.push(made);
    for (const path of ['--output=stolen', '*.txt', 'a.txt', ':(top)x']) made.write(path, 'one\n');
    made.commit('first');
    for (const path of ['--output=stolen', '*.txt', 'a.txt', ':(top)x']) {
      made.write(path, 'two\n');
      const { diff } = await diffAgainstHead({ path }, toolContext(made.root));
      expect(diff.match(/^diff --git/gm)).toHaveLength(1);
      expect(diff).toContain('+two');
      made.write(path, 'one\n');
    }
  });
});

test('log is bounded, newest first, of a path or of all', async () => {
  const made = makeRepository();
  repositories.push(made);
  for (let n = 0; n < 5; n++) {
    made.write(n % 2 === 0 ? 'even' : 'odd', String(n));
    made.commit(`commit ${n}\n\nbody`);
  }
  const context = toolContext(made.root);
  const all = await readLog({ limit: 3 }, context);
  expect(all.commits.map(({ subject }) => subject)).toEqual(['commit 4', 'commit 3', 'commit 2']);
  expect(all.commits[0]).toEqual({
    id: made.git('rev-parse', 'HEAD').trim(),
    author: 'Ada Example',
    date: '2023-11-14T23:13:20+01:00',
    subject: 'commit 4',
  });
  const odd = await readLog({ limit: 20, path: 'odd' }, context);
  expect(odd.commits.map(({ subject }) => subject)).toEqual(['commit 3', 'commit 1']);
  expect((await readLog({ limit: 20, path: 'nowhere' }, context)).commits).toEqual([]);
});
