import { describe, expect, test } from 'vitest';
import { resolveTarget } from '../../../../src/kernel/policy/index.ts';
import type { ProbedEntry, ResolveOptions, TargetProbe } from '../../../../src/kernel/policy/index.ts';

const ROOT = '/home/user/project';

/** A workspace as a table: a string is a link's target. */
const TREE: Readonly<Record<string, ProbedEntry['kind'] | { readonly to: string }>> = {
  src: 'directory',
  'src/a.ts': 'file',
  'src/self': { to: 'self' },
  'src/ping': { to: 'pong' },
  'src/pong': { to: 'ping' },
  '.env': 'file',
  '.git': 'directory',
  '.git/config': 'file',
  'notes.txt': { to: '.env' },
  'deep.txt': { to: './src/../notes.txt' },
  lib: { to: 'src' },
  'abs.ts': { to: `${ROOT}/src/a.ts` },
  escape: { to: '../outside' },
  'escape-later': { to: 'src/../../outside' },
  etc: { to: '/etc' },
  proc: { to: '/proc/self/root' },
  'back-in': { to: '../project/src' },
  'src/up': { to: '../src/a.ts' },
  dangling: { to: 'nowhere/x.ts' },
  hidden: { to: '.git' },
  twin: { to: '.GIT' },
  bidi: { to: 'a\u202Eb' },
  fifo: 'special',
  'fifo-link': { to: 'fifo' },
};

const workspace: TargetProbe = {
  probe(path) {
    const entry = TREE[path] ?? 'absent';
    if (typeof entry === 'object') return Promise.resolve({ kind: 'symlink', target: entry.to });
    if (entry === 'symlink') throw new Error('links are written as objects');
    return Promise.resolve({ kind: entry });
  },
};

const resolve = (sent: string, options?: ResolveOptions) => resolveTarget(sent, ROOT, workspace, options);

describe('resolved', () => {
  test.each([
    ['src/a.ts', 'src/a.ts', 'file'],
    ['new/dir/b.ts', 'new/dir/b.ts', 'absent'],
    ['.', '', 'directory'],
    ['notes.txt', '.env', 'file'],
    ['deep.txt', '.env', 'file'],
    ['lib/a.ts', 'src/a.ts', 'file'],
    ['lib/new.ts', 'src/new.ts', 'absent'],
    ['abs.ts', 'src/a.ts', 'file'],
    ['src/up', 'src/a.ts', 'file'],
    ['lib/up', 'src/a.ts', 'file'],
    ['dangling', 'nowhere/x.ts', 'absent'],
    ['hidden/config', '.git/config', 'file'],
    ['src/', 'src', 'directory'],
  ])('%s is %s (%s)', async (sent, path, entry) => {
    expect(await resolve(sent)).toEqual({ kind: 'ok', path, entry });
  });
});

describe('refused', () => {
  test.each([
    'escape',
    'escape/x',
    'escape-later/x',
    'etc/passwd',
    'proc/etc/passwd',
    'back-in/a.ts',
    'src/self',
    'src/ping/x',
    'twin/config',
    'bidi',
    'fifo',
    'fifo-link',
    'src/a.ts/b',
    'src/a.ts/',
    '../x',
  ])('%s', async (sent) => {
    expect(await resolve(sent)).toMatchObject({ kind: 'refused', code: 'path_refused' });
  });
});

test('what acts on the link itself gets the link, but its parents are followed all the same', async () => {
  expect(await resolve('notes.txt', { leaf: 'keep' })).toEqual({ kind: 'ok', path: 'notes.txt', entry: 'symlink' });
  expect(await resolve('lib/up', { leaf: 'keep' })).toEqual({ kind: 'ok', path: 'src/up', entry: 'symlink' });
  expect(await resolve('etc/x', { leaf: 'keep' })).toMatchObject({ kind: 'refused' });
});

test('a link that changes between two looks can lead nowhere else than was decided', async () => {
  let looks = 0;
  const swapping: TargetProbe = {
    probe(path) {
      if (path !== 'link') return workspace.probe(path);
      looks += 1;
      return Promise.resolve({ kind: 'symlink', target: looks === 1 ? 'src/a.ts' : '/etc/passwd' });
    },
  };
  expect(await resolveTarget('link', ROOT, swapping)).toEqual({ kind: 'ok', path: 'src/a.ts', entry: 'file' });
  expect(looks).toBe(1);
});
