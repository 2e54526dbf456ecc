import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdProject, type HeldProject } from '../../src/host/project-place.ts';

let parent: string;
let root: string;
let state: string;
let held: HeldProject;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'fluffy-place-'));
  root = join(parent, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  state = join(parent, 'state');
  mkdirSync(state);
  held = await holdProject({ root, linked: null, state });
});
afterEach(async () => {
  await held.close();
  rmSync(parent, { recursive: true, force: true });
});

const away = (): void => renameSync(root, join(parent, 'away'));

test('a project that stays is the same, whatever is written in it', async () => {
  mkdirSync(join(root, 'src'));
  expect(await held.check()).toEqual({ kind: 'same' });
});

test.each<[string, () => void, RegExp]>([
  ['moved away', away, /project no longer exists/],
  ['deleted', () => rmSync(root, { recursive: true }), /project no longer exists/],
  [
    'moved away, with a copy in its place',
    () => {
      away();
      cpSync(join(parent, 'away'), root, { recursive: true });
    },
    /project is another directory/,
  ],
  [
    'deleted and made again: what is held keeps its inode from being used again',
    () => {
      rmSync(root, { recursive: true });
      mkdirSync(join(root, '.git'), { recursive: true });
    },
    /project is another directory/,
  ],
  [
    'given another repository',
    () => {
      rmSync(join(root, '.git'), { recursive: true });
      mkdirSync(join(root, '.git'));
    },
    /\.git is another directory/,
  ],
])('a project that was %s is replaced', async (_, change, why) => {
  change();
  expect(await held.check()).toMatchObject({
    kind: 'replaced',
    what: 'project',
    why: expect.stringMatching(why) as string,
  });
});

test('a project that came back is the same again', async () => {
  away();
  renameSync(join(parent, 'away'), root);
  expect(await held.check()).toEqual({ kind: 'same' });
});

test('a state directory that was deleted, and made again, is replaced', async () => {
  rmSync(state, { recursive: true });
  mkdirSync(state);
  expect(await held.check()).toEqual({
    kind: 'replaced',
    what: 'state directory',
    why: `${state} is another directory than before`,
  });
});

test('a linked worktree is replaced where its repository is', async () => {
  const git = { gitDir: join(parent, 'main/.git/worktrees/side'), commonDir: join(parent, 'main/.git') };
  mkdirSync(git.gitDir, { recursive: true });
  const linked = await holdProject({ root, linked: git, state });
  try {
    expect(await linked.check()).toEqual({ kind: 'same' });
    renameSync(git.commonDir, join(parent, 'away'));
    cpSync(join(parent, 'away'), git.commonDir, { recursive: true });
    expect(await linked.check()).toMatchObject({
      kind: 'replaced',
      why: expect.stringMatching(/main\/\.git/) as string,
    });
  } finally {
    await linked.close();
  }
});
