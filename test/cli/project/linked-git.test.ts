import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkedGit } from '../../../src/cli/project/linked-git.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

let made: RealRepository;
let linked: string;
beforeEach(() => {
  made = makeRepository();
  made.write('a.js', 'a\n');
  made.commit('first');
  linked = join(dirname(made.root), 'linked');
  made.git('worktree', 'add', '-q', '-b', 'other', linked);
});
afterEach(() => made.remove());

test('only a linked worktree has git directories elsewhere', async () => {
  expect(await linkedGit(linked)).toMatchObject({ commonDir: join(made.root, '.git') });
  expect(await linkedGit(made.root)).toBeNull();
  expect(await linkedGit(dirname(made.root))).toBeNull();
});

test('a directory that the repository does not know as its worktree is refused, and not taken for an ordinary one', async () => {
  writeFileSync(join(made.root, '.git/worktrees/linked/gitdir'), `${join(dirname(made.root), 'another/.git')}\n`);
  await expect(linkedGit(linked)).rejects.toMatchObject({
    code: 'linked_worktree',
    what: `${linked} claims to be a linked worktree, but is not one`,
  });
});
