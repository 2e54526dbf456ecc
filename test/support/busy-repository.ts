import { appendFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER } from './merge-fixture.ts';
import type { Wanted } from './merge-fixture.ts';
import { makeRepository } from './real-git.ts';
import type { RealRepository } from './real-git.ts';

/** A repository in the middle of somebody's work: staged, dirty, untracked, ignored, half added, removed. */
export function busyRepository(): RealRepository {
  const made = makeRepository();
  made.write('src/app.js', 'export const app = 1;\n');
  made.write('src/other.js', 'export const other = 1;\n');
  made.write('bin/run.sh', '#!/bin/sh\n');
  made.write('dir/one', 'one\n');
  made.write('dir/two', 'two\n');
  made.write('swap', 'a file\n');
  made.write('swapdir/x', 'x\n');
  made.write('swapdir/sub/y', 'y\n');
  made.write('mine/staged.txt', 'staged\n');
  made.write('mine/dirty.txt', 'dirty\n');
  made.write('mine/both.txt', 'both\n');
  made.write('mine/removed.txt', 'removed\n');
  made.write('.gitignore', 'ignored/\n');
  symlinkSync('src/app.js', join(made.root, 'link'));
  made.git('add', '--chmod=+x', 'bin/run.sh');
  made.commit('first');
  made.git('gc', '-q');
  made.write('src/app.js', 'export const app = 2;\n');
  made.commit('second');
  made.write('mine/staged.txt', 'staged by me\n');
  made.write('mine/both.txt', 'staged\n');
  made.write('mine/new-staged.txt', 'new\n');
  made.git('add', 'mine/staged.txt', 'mine/both.txt', 'mine/new-staged.txt');
  made.write('mine/half.txt', 'half\n');
  made.git('add', '--intent-to-add', 'mine/half.txt');
  appendFileSync(join(made.root, 'mine/both.txt'), 'and dirty\n');
  appendFileSync(join(made.root, 'mine/dirty.txt'), 'by me\n');
  unlinkSync(join(made.root, 'mine/removed.txt'));
  made.write('mine/untracked.txt', 'untracked\n');
  made.write('ignored/cache', 'ignored\n');
  rmSync(join(made.root, '.git/hooks'), { recursive: true });
  made.chownAll(OWNER.uid, OWNER.gid);
  return made;
}

/** Every kind of change: edited, new, deleted, mode, link, and both swaps of file and directory. */
export const EVERY_CHANGE: Readonly<Record<string, Wanted>> = {
  'bin/run.sh': { text: '#!/bin/sh\n', executable: true },
  'bin/new.sh': { text: '#!/bin/sh\necho new\n', executable: true },
  'dir/one': 'gone',
  'dir/two': 'gone',
  link: { link: 'src/other.js' },
  'src/app.js': { text: 'export const app = 3;\n' },
  'src/new/deep/file.js': { text: 'export const fresh = true;\n' },
  'src/ünïcode, with blank.js': { text: 'export {};\n' },
  swap: 'directory',
  'swap/inner': { text: 'inside\n' },
  'swapdir/sub/y': 'gone',
  'swapdir/x': 'gone',
  swapdir: { text: 'a file now\n' },
};
