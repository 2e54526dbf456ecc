import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorktree } from '../../../src/cli/project/open-worktree.ts';
import { OWNER } from '../../support/merge-fixture.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

let made: RealRepository;
const ENV = { HOME: '/nonexistent' };

beforeEach(() => {
  made = makeRepository();
  made.write('src/deep/a.js', 'a\n');
  made.write('bin/run.sh', '#!/bin/sh\n');
  made.write('crlf.txt', 'one\r\ntwo\r\n');
  made.write('empty', '');
  symlinkSync('src/deep/a.js', join(made.root, 'link'));
  made.git('add', '-A');
  made.git('add', '--chmod=+x', 'bin/run.sh');
  made.commit('first');
  made.git('gc', '-q');
  made.chownAll(OWNER.uid, OWNER.gid);
});
afterEach(() => made.remove());

const open = (name: string, where = made.root) => openWorktree(where, name, false, ENV);
const besides = (name: string) => join(dirname(made.root), 'project-worktrees', name);

test('is what git itself would have made, on a branch of its own, and the user’s checkout stays as it is', async () => {
  made.write('src/deep/a.js', 'half done\n');
  const before = Object.fromEntries(
    Object.entries(snapshotTree(made.root)).filter(([path]) => !path.startsWith('.git')),
  );
  const status = made.git('--no-optional-locks', 'status', '--porcelain');
  const opened = await open('parser');
  expect(opened).toEqual({ directory: besides('parser'), root: besides('parser'), made: true });
  const inside = (...args: string[]) => made.git('-C', opened.root, ...args);
  expect(inside('status', '--porcelain=v2', '--branch')).toContain('# branch.head parser');
  expect(inside('status', '--porcelain')).toBe('');
  // Nothing has to be read again: the index knows the files.
  expect(inside('diff-files', '--raw')).toBe('');
  expect(inside('rev-parse', 'HEAD')).toBe(made.git('rev-parse', 'main'));
  expect(made.git('worktree', 'list', '--porcelain')).toContain(`worktree ${opened.root}\n`);
  inside('fsck', '--strict');
  expect(readFileSync(join(opened.root, 'crlf.txt'), 'utf8')).toBe('one\r\ntwo\r\n');

  const own = Object.entries(snapshotTree(opened.root)).filter(([path]) => path !== '.git');
  made.git('worktree', 'add', '-q', '-b', 'by-git', join(dirname(made.root), 'by-git'), 'main');
  const byGit = Object.entries(snapshotTree(join(dirname(made.root), 'by-git'))).filter(([path]) => path !== '.git');
  const withoutOwner = (entries: [string, string][]) =>
    entries.map(([path, state]) => [path, state.replace(/ \d+:\d+/, '')]);
  expect(withoutOwner(own)).toEqual(withoutOwner(byGit));
  const owners = own.flatMap(([, state]) => / (\d+:\d+)/.exec(state)?.[1] ?? []);
  expect(new Set(owners)).toEqual(new Set([`${OWNER.uid}:${OWNER.gid}`]));

  const after = Object.fromEntries(
    Object.entries(snapshotTree(made.root)).filter(([path]) => !path.startsWith('.git')),
  );
  expect(after).toEqual(before);
  expect(made.git('--no-optional-locks', 'status', '--porcelain')).toBe(status);
});

test('runs nothing that the repository names: no hook, no filter', async () => {
  made.write('.gitattributes', '* filter=evil\n');
  made.commit('attributes');
  made.git('config', 'filter.evil.smudge', `touch ${made.root}/ran; cat`);
  mkdirSync(join(made.root, '.git/hooks'), { recursive: true });
  writeFileSync(join(made.root, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${made.root}/ran\n`, { mode: 0o755 });
  made.chownAll(OWNER.uid, OWNER.gid);
  await open('parser');
  expect(existsSync(join(made.root, 'ran'))).toBe(false);
});

test('is found again, from the project, from itself and from a folder, whoever made it', async () => {
  await open('parser');
  const folder = join(made.root, 'src/deep');
  expect(await open('parser')).toMatchObject({ root: besides('parser'), made: false });
  expect(await open('parser', besides('parser'))).toMatchObject({ root: besides('parser'), made: false });
  expect(await open('parser', folder)).toMatchObject({ directory: join(besides('parser'), 'src/deep') });
  expect(await open('main', besides('parser'))).toMatchObject({ root: made.root, made: false });
  const elsewhere = join(dirname(made.root), 'elsewhere');
  made.git('worktree', 'add', '-q', '-b', 'mine', elsewhere);
  execFileSync('chown', ['-R', `${OWNER.uid}:${OWNER.gid}`, dirname(made.root)]);
  expect(await open('mine')).toMatchObject({ root: elsewhere, made: false });
});

test('takes a branch that is there as it is', async () => {
  const first = made.git('rev-parse', 'HEAD').trim();
  made.git('branch', 'older');
  made.write('new.txt', 'new\n');
  made.commit('second');
  made.chownAll(OWNER.uid, OWNER.gid);
  const { root } = await open('older');
  expect(made.git('-C', root, 'rev-parse', 'HEAD').trim()).toBe(first);
  expect(existsSync(join(root, 'new.txt'))).toBe(false);
});

test.each<[string, string, () => void, RegExp]>([
  ['a name that leads elsewhere', '../../etc', () => undefined, /a name has letters/],
  ['a name that git does not take', 'a.lock', () => undefined, /a name has letters/],
  [
    'a directory in its place',
    'taken',
    () => mkdirSync(besides('taken'), { recursive: true }),
    /exists and is not a worktree/,
  ],
  [
    'branches below that name',
    'group',
    () => made.git('branch', 'group/one'),
    /there is a branch refs\/heads\/group\/one/,
  ],
  [
    'a tree that leads into git’s own files',
    'evil',
    () => {
      const blob = made.gitBytes(['hash-object', '-w', '--stdin'], 'x').toString().trim();
      const inner = made.gitBytes(['mktree'], `100644 blob ${blob}\tconfig\n`).toString().trim();
      const tree = made
        .gitBytes(
          ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
          Buffer.concat([Buffer.from('40000 .GIT\0', 'latin1'), Buffer.from(inner, 'hex')]),
        )
        .toString()
        .trim();
      made.git('update-ref', 'refs/heads/evil', made.git('commit-tree', tree, '-m', 'x').trim());
    },
    /a path inside a \.git directory/,
  ],
  [
    'a tree that writes through a link',
    'through',
    () => {
      const blob = made.gitBytes(['hash-object', '-w', '--stdin'], '/tmp').toString().trim();
      const inner = made.gitBytes(['mktree'], `100644 blob ${blob}\tx\n`).toString().trim();
      const entry = (mode: string, id: string) => Buffer.concat([Buffer.from(`${mode} a\0`), Buffer.from(id, 'hex')]);
      const tree = made
        .gitBytes(
          ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
          Buffer.concat([entry('120000', blob), entry('40000', inner)]),
        )
        .toString()
        .trim();
      made.git('update-ref', 'refs/heads/through', made.git('commit-tree', tree, '-m', 'x').trim());
    },
    /EEXIST/,
  ],
])('is refused, and nothing is left behind, with %s', async (_, name, prepare, why) => {
  prepare();
  made.chownAll(OWNER.uid, OWNER.gid);
  const refs = made.git('for-each-ref');
  const error: unknown = await open(name).catch((thrown: unknown) => thrown);
  expect(String((error as { why?: string }).why)).toMatch(why);
  expect(made.git('for-each-ref')).toBe(refs);
  const left = Object.keys(snapshotTree(dirname(made.root))).filter((path) => /partial-/.test(path));
  expect(left).toEqual([]);
});
