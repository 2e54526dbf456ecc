import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveTargets } from '../../../src/kernel/call/resolve.ts';
import { fixture } from '../../platform/fs/fixture.ts';
import { useOf } from '../../support/kernel/calls.ts';
import type { SentCall } from '../../support/kernel/calls.ts';

const FILES = {
  'real/a.txt': 'a',
  'real/inner': '-> a.txt',
  dir: '-> real',
  file: '-> real/a.txt',
  chain: '-> file',
  dangling: '-> nowhere',
  outside: '-> /etc/passwd',
};

async function targetsOf({ tool, input }: SentCall) {
  const { project, open } = fixture(FILES);
  const outcome = await resolveTargets(useOf(tool, input), await open(), project);
  return outcome.kind === 'ok' ? { named: outcome.targets.named, writes: outcome.targets.writes } : outcome.kind;
}

describe('a link that is deleted or moved', () => {
  it.each([
    ['file', 'file'],
    ['dir', 'dir'],
    ['dir/', 'dir'],
    ['chain', 'chain'],
    ['dangling', 'dangling'],
    ['outside', 'outside'],
    ['dir/inner', 'real/inner'],
    ['dir/../file', 'file'],
  ])('is %s itself', async (path, link) => {
    expect(await targetsOf({ tool: 'fs.delete', input: { path } })).toEqual({ named: [link], writes: [link] });
  });

  it('is itself at both ends of a move', async () => {
    const moved = await targetsOf({ tool: 'fs.move', input: { from: 'dir', to: 'dir/inner' } });
    expect(moved).toEqual({ named: ['dir', 'real/inner'], writes: ['dir', 'real/inner'] });
  });

  it('still leads nowhere outside on the way', async () => {
    expect(await targetsOf({ tool: 'fs.delete', input: { path: 'outside/x' } })).toBe('refused');
  });

  it('is followed by everything else', async () => {
    const written = await targetsOf({ tool: 'fs.write', input: { path: 'chain', content: '' } });
    expect(written).toMatchObject({ named: ['real/a.txt'] });
    expect(await targetsOf({ tool: 'fs.read', input: { path: 'outside' } })).toBe('refused');
  });
});

describe('how many files one call may change', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/f${index}`, '']));
  const use = (tool: 'fs.delete' | 'fs.move') =>
    useOf(tool, tool === 'fs.delete' ? { path: 'many' } : { from: 'many', to: 'other' });

  it.each([
    ['fs.delete', 899, 'ok'],
    ['fs.delete', 900, 'refused'],
    ['fs.move', 449, 'ok'],
    ['fs.move', 450, 'refused'],
    ['fs.move', 899, 'refused'],
  ] as const)('%s of %i: %s', async (tool, count, kind) => {
    const { project, open } = fixture(many(count));
    expect((await resolveTargets(use(tool), await open(), project)).kind).toBe(kind);
  });

  it('is refused for a directory with more entries than a function takes arguments', async () => {
    const { project, open } = fixture(many(1));
    const workspace = await open();
    const entries = Array.from({ length: 300_000 }, (_, index) => ({ name: `f${index}`, kind: 'file' as const }));
    workspace.list = () => Promise.resolve(entries);
    expect(await resolveTargets(use('fs.delete'), workspace, project)).toEqual({
      kind: 'refused',
      why: 'many has more files than one call may change (900 names). Name smaller parts.',
    });
  });
});

/** A project with links of all kinds: `->` is a link's target. */
const TREE = {
  'src/a.ts': '',
  'src/self': '-> self',
  'src/ping': '-> pong',
  'src/pong': '-> ping',
  'src/up': '-> ../src/a.ts',
  '.env': '',
  '.git/config': '',
  'notes.txt': '-> .env',
  'deep.txt': '-> ./src/../notes.txt',
  lib: '-> src',
  escape: '-> ../outside',
  'escape-later': '-> src/../../outside',
  etc: '-> /etc',
  proc: '-> /proc/self/root',
  'back-in': '-> ../project/src',
  dangling: '-> nowhere/x.ts',
  hidden: '-> .git',
  twin: '-> .GIT',
  bidi: '-> a\u202Eb',
};

async function readTargets(sent: string, files: Readonly<Record<string, string>> = TREE) {
  const { project, open } = fixture(files);
  const outcome = await resolveTargets(useOf('fs.read', { path: sent }), await open(), project);
  return outcome.kind === 'ok' ? outcome.targets.named : outcome.kind;
}

describe('what policy is asked about', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['new/dir/b.ts', 'new/dir/b.ts'],
    ['.', ''],
    ['notes.txt', '.env'],
    ['deep.txt', '.env'],
    ['lib/a.ts', 'src/a.ts'],
    ['lib/new.ts', 'src/new.ts'],
    ['lib/up', 'src/a.ts'],
    ['dangling', 'nowhere/x.ts'],
    ['hidden/config', '.git/config'],
    ['src/', 'src'],
  ])('%s is %s', async (sent, path) => {
    expect(await readTargets(sent)).toEqual([path]);
  });

  it('is the same for an absolute link into the project', async () => {
    const { project, open } = fixture({ 'src/a.ts': '' });
    symlinkSync(join(project, 'src/a.ts'), join(project, 'abs.ts'));
    expect(await resolveTargets(useOf('fs.read', { path: 'abs.ts' }), await open(), project)).toMatchObject({
      targets: { named: ['src/a.ts'] },
    });
  });

  it.each([
    ...['escape', 'escape/x', 'escape-later/x', 'etc/passwd', 'proc/etc/passwd', 'back-in/a.ts', '../x', '/etc/passwd'],
    ...['src/self', 'src/ping/x', 'twin/config', 'bidi', 'src/a.ts/b'],
  ])('is never %s', async (sent) => {
    expect(await readTargets(sent)).toBe('refused');
  });
});
