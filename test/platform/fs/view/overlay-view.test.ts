import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OverlayView, Workspace } from '../../../../src/contracts/ports/workspace.ts';
import { snapshotTree } from '../../../support/snapshot-tree.ts';
import type { Fixture } from '../fixture.ts';
import { fixture, isRoot, shell, stageText, textOf, withOverlay } from '../fixture.ts';

const NO_SECRETS = {
  key: 'no-secrets',
  allows: (path: string) => !/(^|\/)(\.env[^/]*|[^/]*\.pem)$/.test(path),
};

async function run(fix: Fixture, workspace: Workspace, view: OverlayView, script: string) {
  const outcome = await workspace.overlay(
    (slot) => withOverlay(fix, slot, (merged) => shell(`exec > out 2>&1\n${script}`, merged)),
    view,
  );
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
  const changes = outcome.changes.filter(({ path }) => path !== 'out');
  const output = (await outcome.read('out'))?.toString() ?? '';
  return {
    outcome,
    output,
    changes: changes.map(({ path, before, after }) => `${path}: ${before.kind} -> ${after.kind}`),
  };
}

const file = (text: string) => ({ kind: 'file', bytes: Buffer.from(text), executable: false }) as const;
const ABSENT = { kind: 'absent' } as const;

describe.runIf(isRoot)('a sandbox whose view closes files', () => {
  const FILES = {
    '.gitignore': '.env\nnode_modules/\n',
    '.env': 'SECRET=1',
    'app/.env.local': 'SECRET=2',
    'app/main.js': 'x',
    'node_modules/dep/test/server.pem': 'SECRET=3',
    'node_modules/dep/index.js': 'y',
    link: '-> .env',
  };

  it('finds none of them, by name, link or listing, and everything else', async () => {
    const fix = fixture(FILES);
    const before = snapshotTree(fix.project);
    const workspace = await fix.open();
    const { outcome, output, changes } = await run(
      fix,
      workspace,
      { visible: NO_SECRETS },
      'for f in .env app/.env.local node_modules/dep/test/server.pem link; do cat $f || true; done; find . | sort; grep -r SECRET . || echo none',
    );
    expect(output.match(/No such file/g)).toHaveLength(4);
    expect(output).not.toMatch(/SECRET=\d/);
    expect(output.split('\n')).toEqual(
      expect.arrayContaining(['./app/main.js', './node_modules/dep/index.js', 'none']),
    );
    expect(output).not.toContain('./.env\n');
    expect(output).not.toContain('server.pem\n./');
    expect(outcome.hidden).toEqual(['.env', 'app/.env.local', 'node_modules/dep/test/server.pem']);
    expect(changes).toEqual([]);
    await outcome.discard();
    expect(snapshotTree(fix.project)).toEqual(before);
    expect(readdirSync(join(fix.state, 'slots/0/upper'))).toEqual([]);
  });

  it('cannot bring them back by renaming, removing or recreating what is around them', async () => {
    const fix = fixture(FILES);
    const workspace = await fix.open();
    const { output, outcome } = await run(
      fix,
      workspace,
      { visible: NO_SECRETS },
      'mv app other || true; mkdir -p app; cat app/.env.local other/.env.local .env || true; ' +
        'echo mine > .env; rm .env; cat .env || true; ln -f .env hard || true; cat hard || true; grep -r SECRET . || echo none',
    );
    expect(output).not.toMatch(/SECRET=\d/);
    await outcome.discard();
  });

  it('takes over what it made, and neither whiteouts nor deletions of what it never saw', async () => {
    const fix = fixture(FILES);
    const workspace = await fix.open();
    const { outcome, changes } = await run(
      fix,
      workspace,
      { visible: NO_SECRETS },
      'echo new > app/new.js; echo z > app/main.js',
    );
    expect(changes).toEqual(['app/main.js: file -> file', 'app/new.js: absent -> file']);
    expect((await outcome.accept(new Set(['app/main.js', 'app/new.js']))).kind).toBe('staged');
    expect(readdirSync(join(fix.state, 'staging/s_testsession/app')).sort()).toEqual(['main.js', 'new.js']);
    expect(await textOf(workspace, 'app/.env.local')).toBe('SECRET=2');
    expect((await workspace.changes()).map((change) => change.path)).toEqual(['app/main.js', 'app/new.js']);
  });

  it('shows as a change what is written where a closed file is', async () => {
    const fix = fixture(FILES);
    const { outcome, changes } = await run(
      fix,
      await fix.open(),
      { visible: NO_SECRETS },
      'echo mine > app/.env.local',
    );
    expect(changes).toEqual(['app/.env.local: file -> file']);
    await outcome.discard();
  });

  it('does not keep the session from a closed file that it staged itself, but the sandbox', async () => {
    const fix = fixture({ 'a.js': '' });
    const workspace = await fix.open();
    await stageText(workspace, 'b.pem', 'SECRET=4');
    const { outcome, output, changes } = await run(fix, workspace, { visible: NO_SECRETS }, 'cat b.pem || true');
    expect(output).toContain('No such file');
    expect(changes).toEqual([]);
    await outcome.discard();
    expect(await textOf(workspace, 'b.pem')).toBe('SECRET=4');
  });

  it('is run again when a closed file came to be meanwhile, though git ignores it', async () => {
    const fix = fixture({ '.gitignore': '.env\n', 'a.js': '' });
    let runs = 0;
    const outcome = await (
      await fix.open()
    ).overlay(
      async () => {
        runs += 1;
        if (runs === 1) writeFileSync(join(fix.project, '.env'), 'SECRET=5');
      },
      { visible: NO_SECRETS },
    );
    expect(runs).toBe(2);
    expect(outcome).toMatchObject({ kind: 'completed', hidden: ['.env'] });
    if (outcome.kind === 'completed') await outcome.discard();
  });

  it('is not run when a closed file has a name that cannot be named', async () => {
    const fix = fixture({ 'a.js': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${fix.project}/`), Buffer.from([0xff]), Buffer.from('.pem')]), 'SECRET');
    const outcome = await (await fix.open()).overlay(() => Promise.reject(new Error('ran')), { visible: NO_SECRETS });
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not valid UTF-8') as string });
  });

  it('finds git’s configuration without what it says of others, and git works', async () => {
    const fix = fixture({ 'a.js': '' });
    shell('git init -q; git remote add origin https://user:SECRET=6@example.invalid/x.git', fix.project);
    const before = snapshotTree(fix.project);
    const closed = { key: 'git', allows: (path: string) => !path.startsWith('.git/') };
    const { outcome, output, changes } = await run(
      fix,
      await fix.open(),
      { visible: closed },
      'cat .git/config; git -c safe.directory="*" status --short',
    );
    expect(output).toContain('repositoryformatversion');
    expect(output).toContain('?? a.js');
    expect(output).not.toContain('SECRET');
    expect(changes).toEqual([]);
    await outcome.discard();
    expect(snapshotTree(fix.project)).toEqual(before);
  });

  it('finds the configuration of submodules, worktrees and clones inside without that too', async () => {
    const fix = fixture({ 'a.js': '' });
    const git = 'git -c user.name=a -c user.email=a@b.c -c protocol.file.allow=always';
    shell(
      `git init -q; git init -q lib/clone; git -C lib/clone remote add origin https://user:SECRET=7@example.invalid/x.git
      ${git} -C lib/clone commit -q --allow-empty -m x; ${git} submodule -q add ./lib/clone deep/sub 2>&1
      git -C deep/sub config http.extraheader "authorization: SECRET=8"
      ${git} commit -q -m x; git worktree add -q ../linked; git config extensions.worktreeConfig true
      for d in .git .git/worktrees/*; do printf '[http]\n\textraheader = SECRET=9\n' > $d/config.worktree; done`,
      fix.project,
    );
    const before = snapshotTree(fix.project);
    const closed = { key: 'git', allows: (path: string) => !path.split('/').includes('.git') };
    const { outcome, output, changes } = await run(
      fix,
      await fix.open(),
      { visible: closed },
      `grep -rc repositoryformatversion .git/modules/deep/sub/config lib/clone/.git/config; grep -r --exclude=out SECRET . || echo none
      for d in . deep/sub lib/clone; do git -c safe.directory='*' -C $d rev-parse --is-inside-work-tree; done`,
    );
    expect(output.split('\n').slice(0, 6)).toEqual([
      '.git/modules/deep/sub/config:1',
      'lib/clone/.git/config:1',
      'none',
      'true',
      'true',
      'true',
    ]);
    expect(changes).toEqual([]);
    await outcome.discard();
    expect(snapshotTree(fix.project)).toEqual(before);
  });

  it('needs one inode for hundreds of whiteouts', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `keys/${n}.pem`);
    const fix = fixture(Object.fromEntries(names.map((name) => [name, 'SECRET'])));
    const { outcome, output } = await run(fix, await fix.open(), { visible: NO_SECRETS }, 'ls -A keys | wc -l');
    expect(output.trim()).toBe('0');
    expect(outcome.hidden).toHaveLength(300);
    await outcome.discard();
    expect(lstatSync(join(fix.state, 'slots/0/whiteout')).nlink).toBe(1);
  });
});

describe.runIf(isRoot)('a sandbox that is shown another tree', () => {
  it.each<[string, Record<string, string>, NonNullable<OverlayView['overrides']>, string, string]>([
    ['a changed file as it was', { f: 'dirty' }, [{ path: 'f', entry: file('clean') }], 'cat f', 'clean'],
    ['a deleted file again', { a: '' }, [{ path: 'd/f', entry: file('clean') }], 'cat d/f', 'clean'],
    [
      'no new file',
      { f: 'new', a: '' },
      [{ path: 'f', entry: ABSENT }],
      'cat f || echo gone',
      'cat: f: No such file or directory\ngone\n',
    ],
    [
      'no directory left empty',
      { 'd/e/f': 'new', a: '' },
      [{ path: 'd/e/f', entry: ABSENT }],
      'ls -d d || echo gone',
      "ls: cannot access 'd': No such file or directory\ngone\n",
    ],
    ['a directory that holds more', { 'd/f': 'new', 'd/g': '' }, [{ path: 'd/f', entry: ABSENT }], 'ls d', 'g\n'],
    [
      'a file where a directory is now',
      { 'f/x': 'new' },
      [
        { path: 'f/x', entry: ABSENT },
        { path: 'f', entry: file('clean') },
      ],
      'cat f',
      'clean',
    ],
    [
      'a directory where a file is now',
      { d: 'new' },
      [
        { path: 'd', entry: ABSENT },
        { path: 'd/f', entry: file('clean') },
      ],
      'cat d/f',
      'clean',
    ],
    [
      'no directory that is gone with all that was in it',
      { 'd/.env': 'x', 'd/f': '', a: '' },
      [{ path: 'd', entry: ABSENT }],
      'ls -d d || echo gone',
      "ls: cannot access 'd': No such file or directory\ngone\n",
    ],
    [
      'a link',
      { f: 'target', l: 'dirty' },
      [{ path: 'l', entry: { kind: 'symlink', target: 'f' } }],
      'cat l',
      'target',
    ],
    [
      'an executable',
      { f: 'dirty' },
      [{ path: 'f', entry: { kind: 'file', bytes: Buffer.from('#!/bin/sh\necho ran'), executable: true } }],
      './f',
      'ran\n',
    ],
    [
      'nothing that is closed, even so',
      { '.env': 'x', a: '' },
      [{ path: '.env', entry: file('SECRET') }],
      'cat .env || echo gone',
      'cat: .env: No such file or directory\ngone\n',
    ],
  ])('finds %s, and leaves no trace of it', async (_, files, overrides, script, expected) => {
    const fix = fixture(files);
    const before = snapshotTree(fix.project);
    const { outcome, output, changes } = await run(fix, await fix.open(), { visible: NO_SECRETS, overrides }, script);
    expect(output).toBe(expected);
    expect(changes).toEqual([]);
    await outcome.discard();
    expect(snapshotTree(fix.project)).toEqual(before);
  });

  it('shows as a change what is written over it', async () => {
    const fix = fixture({ f: 'dirty', g: 'new' });
    const overrides = [
      { path: 'f', entry: file('clean') },
      { path: 'g', entry: ABSENT },
    ];
    const { outcome, changes } = await run(fix, await fix.open(), { overrides }, 'echo more >> f; touch g');
    expect(changes).toEqual(['f: file -> file', 'g: file -> file']);
    await outcome.discard();
    expect(readFileSync(join(fix.project, 'f'), 'utf8')).toBe('dirty');
    expect(existsSync(join(fix.project, 'out'))).toBe(false);
  });
});
