import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bindState, findState } from '../../../src/cli/project-state/find-state.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import type { ObjectId } from '../../../src/contracts/ids.ts';

let base: string;
const at = (name: string): string => join(base, name);
const user = () => userDirs({ HOME: at('home') });
beforeEach(() => void (base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-state-')))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

function git(directory: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'safe.directory=*'];
  const env = { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', ['-C', directory, ...identity, ...args], { encoding: 'utf8', env }).trim();
}

/** `text` is in the first commit: repositories of one text have one history. */
function repository(name: string, text: string): string {
  mkdirSync(at(name));
  git(at(name), 'init', '-q', '-b', 'main');
  git(at(name), 'commit', '-q', '--allow-empty', '-m', text);
  return at(name);
}

/** As the start of a kernel does. */
async function open(root: string) {
  const found = await findState(user(), root);
  mkdirSync(found.dirs.host, { recursive: true });
  await bindState(found.dirs, git(root, 'rev-parse', 'HEAD') as ObjectId);
  return { id: found.dirs.id, notice: found.notice };
}

const knownAs = (name: string) => expect.stringContaining(`was known as ${at(name)}:`) as string;

test('a repository has the state of its path, again and again', async () => {
  const root = repository('a', 'one');
  expect(await open(root)).toEqual({ id: projectIdOf(root), notice: null });
  expect(await open(root)).toEqual({ id: projectIdOf(root), notice: null });
});

test('a renamed repository keeps its state, and says so once', async () => {
  const { id } = await open(repository('a', 'one'));
  renameSync(at('a'), at('b'));
  expect(await open(at('b'))).toEqual({ id, notice: knownAs('a') });
  expect(await open(at('b'))).toEqual({ id, notice: null });
});

test('one that was moved to another file system is recognised by its history', async () => {
  const { id } = await open(repository('a', 'one'));
  cpSync(at('a'), at('b'), { recursive: true });
  rmSync(at('a'), { recursive: true });
  expect(await open(at('b'))).toEqual({ id, notice: knownAs('a') });
});

test('a copy beside the original has a state of its own', async () => {
  const { id } = await open(repository('a', 'one'));
  cpSync(at('a'), at('b'), { recursive: true });
  expect(await open(at('b'))).toEqual({ id: projectIdOf(at('b')), notice: null });
  expect((await open(at('a'))).id).toBe(id);
});

describe('at the path of a repository that was there before', () => {
  test('a copy or clone of it has its state', async () => {
    const { id } = await open(repository('a', 'one'));
    cpSync(at('a'), at('copy'), { recursive: true });
    renameSync(at('a'), at('old'));
    renameSync(at('copy'), at('a'));
    expect(await open(at('a'))).toEqual({ id, notice: null });
  });

  test('an unrelated one does not: the other keeps its state wherever it is now', async () => {
    const { id } = await open(repository('a', 'one'));
    renameSync(at('a'), at('b'));
    const other = await open(repository('a', 'two'));
    expect(other).toMatchObject({ notice: expect.stringContaining('another repository was at') as string });
    expect(other.id).not.toBe(id);
    expect(await open(at('a'))).toEqual({ id: other.id, notice: null });
    expect(await open(at('b'))).toEqual({ id, notice: knownAs('a') });
    expect((await open(at('a'))).id).toBe(other.id);
  });
});

test('the state of an earlier version, which has no record, stays that of its path', async () => {
  const root = repository('a', 'one');
  const { host } = projectDirs(user(), root, projectIdOf(root));
  mkdirSync(host, { recursive: true });
  expect(await open(root)).toEqual({ id: projectIdOf(root), notice: null });
});

describe('a linked worktree', () => {
  let branches = 0;
  const worktree = (repo: string, name: string): string => {
    git(at(repo), 'worktree', 'add', '-q', '-b', `${name}-${(branches += 1)}`, at(name));
    return at(name);
  };

  test('that was removed and made again at its path keeps its state', async () => {
    repository('a', 'one');
    const { id } = await open(worktree('a', 'w'));
    git(at('a'), 'worktree', 'remove', at('w'));
    // Something else may have the inode now.
    mkdirSync(at('other'));
    expect(await open(worktree('a', 'w'))).toEqual({ id, notice: null });
  });

  test('of another repository at the same path does not get its state', async () => {
    repository('a', 'one');
    repository('b', 'two');
    const { id } = await open(worktree('a', 'w'));
    git(at('a'), 'worktree', 'remove', at('w'));
    mkdirSync(at('other'));
    const later = await open(worktree('b', 'w'));
    expect(later.id).not.toBe(id);
    expect(later.notice).toMatch(/another repository was at/);
  });

  test('does not get the state of another one that is gone', async () => {
    repository('a', 'one');
    const { id } = await open(worktree('a', 'v'));
    git(at('a'), 'worktree', 'remove', at('v'));
    mkdirSync(at('other'));
    const later = await open(worktree('a', 'w'));
    expect(later).toEqual({ id: projectIdOf(at('w')), notice: null });
    expect(later.id).not.toBe(id);
  });
});
