import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLinkedWorktree } from '../../../src/platform/git/linked-worktree.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

let made: RealRepository;
/** The worktree, and what git keeps of it. */
let side: string;
let own: string;

beforeEach(() => {
  made = makeRepository();
  made.write('a.txt', 'a\n');
  made.commit('first');
  side = join(dirname(made.root), 'side');
  own = join(made.root, '.git/worktrees/side');
  made.git('worktree', 'add', '-q', side);
});
afterEach(() => made.remove());

test('a worktree that git made is linked to its repository', async () => {
  expect(await readLinkedWorktree(side)).toEqual({
    kind: 'linked',
    git: { gitDir: own, commonDir: join(made.root, '.git') },
  });
});

test.each([
  ['relative paths', () => writeFileSync(join(side, '.git'), 'gitdir: ../project/.git/worktrees/side\n')],
  ['a relative way back', () => writeFileSync(join(own, 'gitdir'), '../../../../side/.git\n')],
])('so is one with %s', async (_, change) => {
  change();
  expect(await readLinkedWorktree(side)).toMatchObject({ kind: 'linked', git: { gitDir: own } });
});

test('a directory whose git directory lies elsewhere is no worktree', async () => {
  made.git(
    'clone',
    '-q',
    '--separate-git-dir',
    join(dirname(made.root), 'apart'),
    made.root,
    join(dirname(made.root), 'clone'),
  );
  expect(await readLinkedWorktree(join(dirname(made.root), 'clone'))).toEqual({ kind: 'elsewhere' });
});

const names = (target: string) => (): void => writeFileSync(join(side, '.git'), `gitdir: ${target}\n`);

/** What a `.git` file that came with a download may try, to have another directory mounted and written. */
test.each<[string, () => void, RegExp]>([
  [
    'names the worktree of another directory',
    () => {
      made.git('worktree', 'add', '-q', join(dirname(made.root), 'other'));
      names(join(made.root, '.git/worktrees/other'))();
    },
    /does not know this directory/,
  ],
  ['is known under another path', () => writeFileSync(join(own, 'gitdir'), '/elsewhere/.git\n'), /does not know/],
  ['is not known', () => rmSync(join(own, 'gitdir')), /does not know/],
  ['names a directory that is missing', names('/nowhere/.git/worktrees/side'), /is not there/],
  [
    'names a directory that is no repository',
    () => {
      const fake = join(dirname(made.root), 'home/worktrees/side');
      mkdirSync(fake, { recursive: true });
      writeFileSync(join(fake, 'commondir'), '../..\n');
      writeFileSync(join(fake, 'gitdir'), `${side}/.git\n`);
      names(fake)();
    },
    /is not what git makes there/,
  ],
  [
    'shares with another directory than the one it lies in',
    () => writeFileSync(join(own, 'commondir'), '/etc\n'),
    /commondir does not name/,
  ],
  [
    'leads over a link',
    () => {
      symlinkSync(join(made.root, '.git'), join(dirname(made.root), 'link'));
      names(join(dirname(made.root), 'link/worktrees/side'))();
    },
    /symbolic link/,
  ],
  [
    'has objects that are a link',
    () => {
      renameSync(join(made.root, '.git/objects'), join(dirname(made.root), 'objects'));
      symlinkSync(join(dirname(made.root), 'objects'), join(made.root, '.git/objects'));
    },
    /objects is not what git makes/,
  ],
  [
    'names a repository inside itself, which the model could write',
    () => {
      renameSync(join(made.root, '.git'), join(side, 'inner'));
      writeFileSync(join(side, 'inner/worktrees/side/gitdir'), `${side}/.git\n`);
      names(join(side, 'inner/worktrees/side'))();
    },
    /is inside it/,
  ],
])('one that %s is refused', async (_, change, why) => {
  change();
  expect(await readLinkedWorktree(side)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(why) as string,
  });
});

test.each(['hooks/side', 'objects/side', 'worktrees/side/tree'])(
  'one among git’s own files is refused: %s',
  async (name) => {
    const inside = join(made.root, '.git', name);
    mkdirSync(dirname(inside), { recursive: true });
    renameSync(side, inside);
    writeFileSync(join(own, 'gitdir'), `${inside}/.git\n`);
    expect(await readLinkedWorktree(inside)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('where git has its own files') as string,
    });
  },
);

test.runIf(process.getuid?.() === 0)('one whose repository belongs to another user is refused', async () => {
  made.chownAll(1000, 1000);
  expect(await readLinkedWorktree(side)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/belongs to uid/) as string,
  });
});

test('a worktree beside a bare repository is linked', async () => {
  const bare = join(dirname(made.root), 'bare.git');
  made.git('clone', '-q', '--bare', made.root, bare);
  const tree = join(bare, 'trunk');
  made.git('-C', bare, 'worktree', 'add', '-q', tree, 'main');
  expect(await readLinkedWorktree(tree)).toEqual({
    kind: 'linked',
    git: { gitDir: join(bare, 'worktrees/trunk'), commonDir: bare },
  });
});
