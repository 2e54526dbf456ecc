import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileState } from '../../../src/contracts/review/change-set.ts';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import { fixture, isRoot, path, shell, stageText, textOf, withOverlay, write } from './fixture.ts';
import type { Fixture } from './fixture.ts';

const SECRET = 'outside the project';
const ABSENT: FileState = { kind: 'absent' };

/** A project with a secret beside it. */
function guarded(files: Readonly<Record<string, string>> = {}): Fixture {
  const fix = fixture({ file: 'inside', 'dir/inner': 'inside', ...files });
  writeFileSync(join(fix.base, 'secret'), SECRET);
  return fix;
}

/** Everything a reader can get out of a written path: by resolving it, and by passing it on unresolved. */
async function everythingRead(workspace: Workspace, written: string): Promise<string> {
  const got = [await textOf(workspace, written)];
  const resolved = await workspace.resolve(written);
  if (resolved.kind === 'ok') got.push(await textOf(workspace, resolved.path));
  const { paths } = await workspace.glob(written, path(''), 10);
  for (const found of paths) got.push(await textOf(workspace, found));
  const grepped = await workspace.grep(
    { pattern: '.', path: path(written), ignoreCase: false, contextLines: 0, maxResults: 10 },
    new AbortController().signal,
  );
  if (grepped.kind === 'ok') got.push(...grepped.matches.map((match) => match.text));
  return got.join('\n');
}

describe('a path out of the project gives nothing away and writes nothing', () => {
  it.each([
    ['..', '../secret'],
    ['.. behind a directory', 'dir/../../secret'],
    ['.. behind what does not exist', 'no/../../secret'],
    ['.. many times', `${'../'.repeat(30)}etc/passwd`],
    ['slashes and dots between', './/dir/.//..///../secret'],
    ['an absolute path', '/etc/passwd'],
    ['a prefix of the project path', '<project>-other/secret'],
    ['the project, then up', '<project>/../secret'],
    ['/proc/self/root', '/proc/self/root/etc/passwd'],
    ['/proc/self/cwd', '/proc/self/cwd/../secret'],
    ['/dev/fd', '/dev/fd/0'],
    ['a link', 'leaf'],
    ['a link to an absolute path', 'absolute'],
    ['a directory behind a link', 'up/secret'],
    ['a link behind a link', 'second'],
    ['a link to a link that climbs', 'climb'],
    ['/proc/self/root by a link', 'proc/etc/passwd'],
    ['a loop', 'loop'],
  ])('%s', async (_, written) => {
    const fix = guarded({
      leaf: '-> ../secret',
      absolute: '-> /etc/passwd',
      up: '-> ..',
      second: '-> leaf',
      inner: '-> dir/sub',
      'dir/sub/x': 'inside',
      climb: '-> inner/../../../secret',
      proc: '-> /proc/self/root',
      loop: '-> loop',
    });
    mkdirSync(`${fix.project}-other`);
    writeFileSync(`${fix.project}-other/secret`, SECRET);
    const workspace = await fix.open();
    const asked = written.replace('<project>', fix.project);

    const got = await everythingRead(workspace, asked);
    expect(got).not.toContain(SECRET);
    expect(got).not.toContain('root:');
    expect((await workspace.resolve(asked)).kind).toBe('refused');
    await workspace.stage(path(asked), ABSENT, Buffer.from('owned'), true);
    expect(readFileSync(join(fix.base, 'secret'), 'utf8')).toBe(SECRET);
    expect(readFileSync(`${fix.project}-other/secret`, 'utf8')).toBe(SECRET);
    expect(readdirSync(fix.base).sort()).toEqual(['project', 'project-other', 'secret', 'state']);
  });
});

describe('a link inside the project', () => {
  it('resolves to what it names, so that policy is asked about that', async () => {
    const workspace = await guarded({
      alias: '-> dir',
      chain: '-> alias/inner',
      deep: '-> dir/sub',
      'dir/sub/x': '',
      '.env': 'K',
      notes: '-> .env',
    }).open();
    expect(await workspace.resolve('chain')).toEqual({ kind: 'ok', path: 'dir/inner', exists: true });
    expect(await workspace.resolve('notes')).toEqual({ kind: 'ok', path: '.env', exists: true });
    expect(await workspace.resolve('alias/../file')).toEqual({ kind: 'ok', path: 'file', exists: true });
    expect(await workspace.resolve('deep/../inner')).toEqual({ kind: 'ok', path: 'dir/inner', exists: true });
    expect(await workspace.resolve('alias/new')).toEqual({ kind: 'ok', path: 'dir/new', exists: false });
  });

  it('put in place after policy was asked is not followed', async () => {
    const fix = guarded({ '.env': 'KEY=1' });
    const workspace = await fix.open();
    const resolved = await workspace.resolve('file');
    expect(resolved).toMatchObject({ kind: 'ok', path: 'file' });
    rmSync(join(fix.project, 'file'));
    symlinkSync('.env', join(fix.project, 'file'));
    expect(await workspace.read(path('file'), 100)).toMatchObject({ kind: 'refused' });
    renameSync(join(fix.project, 'dir'), join(fix.project, 'moved'));
    symlinkSync('moved', join(fix.project, 'dir'));
    expect(await workspace.read(path('dir/inner'), 100)).toMatchObject({ kind: 'refused' });
    expect(await workspace.list(path('dir'))).toBeNull();
    expect(await workspace.stage(path('dir/new'), ABSENT, Buffer.from('x'), false)).toMatchObject({ kind: 'refused' });
  });

  it('swapped with a file all the time never leads out', async () => {
    const fix = guarded();
    const workspace = await fix.open();
    const stop = join(fix.base, 'stop');
    const swapping = import('node:child_process').then(({ spawn }) =>
      spawn(
        '/bin/sh',
        [
          '-c',
          `while [ ! -e "${stop}" ]; do
             ln -sfn ../secret file; rm -f file; echo inside > file
             mv dir dir2; ln -s .. dir; rm dir; mv dir2 dir
           done`,
        ],
        { cwd: fix.project, stdio: 'ignore' },
      ),
    );
    const child = await swapping;
    const seen = new Set<string>();
    for (let round = 0; round < 3000; round += 1) {
      for (const name of ['file', 'dir/secret', 'dir/inner']) {
        const resolved = await workspace.resolve(name);
        seen.add(await textOf(workspace, resolved.kind === 'ok' ? resolved.path : name));
      }
    }
    writeFileSync(stop, '');
    await new Promise((resolve) => child.on('close', resolve));
    expect([...seen].join()).not.toContain(SECRET);
    expect([...seen].join()).toContain('inside');
  });
});

describe('a name that passes for another', () => {
  it.each([
    ['NUL', 'file\0.txt'],
    ['newline', 'a\nb'],
    ['escape', 'a\u001b[2Jb'],
    ['C1', 'a\u009bb'],
    ['zero-width space', 'fi\u200ble'],
    ['right-to-left override', 'a\u202egpj.ts'],
    ['soft hyphen', 'fi\u00adle'],
    ['.GIT', '.GIT/config'],
    ['.git with an invisible character', '.g\u200cit/config'],
    ['.git with a dot', '.git./config'],
    ['.git with a blank', '.git /config'],
    ['the short name of .git', 'GIT~1/config'],
    ['a stream of .git', '.git::$INDEX_ALLOCATION/config'],
    ['.Fluffy', '.Fluffy/policy.yaml'],
  ])('can not be made: %s', async (_, name) => {
    const fix = guarded();
    const workspace = await fix.open();
    expect((await workspace.stage(path(name), ABSENT, Buffer.from('x'), false)).kind).toBe('refused');
    expect(await workspace.changes()).toEqual([]);
    expect(readdirSync(join(fix.state, 'staging/s_testsession'))).toEqual([]);
    expect((await workspace.resolve(name)).kind).toBe('refused');
  });

  it('is not shown where it would forge a line, though it is there', async () => {
    const fix = guarded({ 'a\nb': 'needle', 'c\u001b[2Jd': 'needle' });
    const workspace = await fix.open();
    expect((await workspace.resolve('a\nb')).kind).toBe('refused');
    expect((await workspace.resolve('c\u001b[2Jd')).kind).toBe('refused');
    const query = { pattern: 'needle', path: path(''), ignoreCase: false, contextLines: 0, maxResults: 5 };
    expect(await workspace.grep(query, new AbortController().signal)).toMatchObject({ kind: 'ok', matches: [] });
  });

  it('is found by either Unicode spelling, and no twin is put beside it', async () => {
    const fix = guarded({ 'cafe\u0301.txt': 'decomposed' });
    const workspace = await fix.open();
    const resolved = await workspace.resolve('caf\u00e9.txt');
    expect(resolved).toEqual({ kind: 'ok', path: 'caf\u00e9.txt', exists: true });
    expect(await textOf(workspace, 'caf\u00e9.txt')).toBe('decomposed');
    expect((await workspace.stage(path('caf\u00e9.txt'), ABSENT, Buffer.from('x'), false)).kind).toBe('refused');
    const decomposed = await workspace.resolve('cafe\u0301.txt');
    expect(decomposed).toEqual(resolved);
  });

  it('with a dash in front is a name, never an option', async () => {
    const fix = guarded({ '--pre=touch owned': 'needle' });
    const workspace = await fix.open();
    expect(await textOf(workspace, '--pre=touch owned')).toBe('needle');
    const grep = async (pattern: string, glob?: string, at = '') =>
      workspace.grep(
        { pattern, glob, path: path(at), ignoreCase: false, contextLines: 0, maxResults: 5 },
        new AbortController().signal,
      );
    expect(await grep('needle', undefined, '--pre=touch owned')).toMatchObject({ matches: [{ text: 'needle' }] });
    for (const hostile of [`--pre=${join(fix.base, 'hook')}`, '-f/etc/passwd', '--files', '--no-ignore']) {
      write(fix.base, { hook: '#!/bin/sh\ntouch owned\n' });
      chmodSync(join(fix.base, 'hook'), 0o755);
      expect(await grep(hostile)).toMatchObject({ kind: 'ok', matches: [] });
      await grep('needle', hostile);
      await workspace.glob(hostile, path(''), 10);
      rmSync(join(fix.base, 'hook'));
    }
    expect(existsSync(join(fix.project, 'owned'))).toBe(false);
  });

  it('with a slash behind it is the same file', async () => {
    const workspace = await guarded({ '.env': 'KEY' }).open();
    expect(await workspace.resolve('.env/')).toEqual({ kind: 'ok', path: '.env', exists: true });
    expect(await workspace.resolve('.env/.')).toEqual({ kind: 'ok', path: '.env', exists: true });
  });
});

describe('a hard link', () => {
  it('to a file outside is not written through, staged or parted from silently', async () => {
    const fix = guarded();
    linkSync(join(fix.base, 'secret'), join(fix.project, 'linked'));
    const workspace = await fix.open();
    expect(await stageText(workspace, 'linked', 'owned')).toBe('refused');
    expect(readFileSync(join(fix.base, 'secret'), 'utf8')).toBe(SECRET);
    expect(await workspace.changes()).toEqual([]);
  });

  it.runIf(isRoot)('changed by a sandbox can not be accepted, and the rest can', async () => {
    const fix = guarded();
    linkSync(join(fix.base, 'secret'), join(fix.project, 'linked'));
    const workspace = await fix.open();
    const change = () =>
      workspace.overlay((slot) =>
        withOverlay(fix, slot, (merged) => shell('echo owned > linked; echo fine > other', merged)),
      );
    const outcome = await change();
    if (outcome.kind !== 'completed') throw new Error(outcome.kind);
    expect((await outcome.accept(new Set(['linked', 'other']))).kind).toBe('refused');
    const again = await change();
    if (again.kind !== 'completed') throw new Error(again.kind);
    expect((await again.accept(new Set(['other']))).kind).toBe('staged');
    expect(readFileSync(join(fix.base, 'secret'), 'utf8')).toBe(SECRET);
    expect(await textOf(workspace, 'linked')).toBe(SECRET);
  });
});

describe('a special file in the project', () => {
  it('is neither opened nor waited for', async () => {
    const fix = guarded();
    execFileSync('mkfifo', [join(fix.project, 'pipe')]);
    const workspace = await fix.open();
    expect(await workspace.read(path('pipe'), 10)).toEqual({ kind: 'not-a-file', what: 'special' });
    expect((await workspace.stage(path('pipe'), ABSENT, Buffer.from('x'), false)).kind).toBe('refused');
    expect(await workspace.list(path(''))).toContainEqual({ name: 'pipe', kind: 'special' });
  });
});

describe.runIf(isRoot)('what a sandbox leaves behind', () => {
  async function left(fix: Fixture, workspace: Workspace, script: string) {
    return workspace.overlay((slot) => withOverlay(fix, slot, (merged) => shell(script, merged)));
  }

  it.each([
    ['a named pipe', 'mkfifo evil'],
    ['a socket', 'python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'evil\')"'],
    ['a device', 'mknod evil b 7 0'],
    ['a character device that is no whiteout', 'mknod evil c 1 3'],
    ['a setuid file', 'echo x > evil; chmod u+s evil'],
    ['a setgid file', 'echo x > evil; chmod g+s,g+x evil'],
    ['a link to an absolute path', 'ln -s /etc/passwd evil'],
    ['a link out of the project', 'ln -s ../secret evil'],
    ['a link that climbs where it does not look so', 'mkdir -p d; ln -s dir/x/../../../secret d/evil'],
    ["a link into git's directory", 'mkdir -p .git; ln -s .git/hooks evil'],
    ['a name with a newline', 'touch "e\nvil"'],
    ['a name that is no UTF-8', 'touch "$(printf \'e\\377vil\')"'],
    ['an invisible character', 'touch "$(printf \'fi\\342\\200\\213le\')"'],
    ['a twin of .git', 'mkdir .GIT; touch .GIT/config'],
    ['an embedded repository', 'mkdir -p sub/.git; touch sub/.git/config'],
    ['a change of an embedded repository', 'echo evil >> vendor/.git/config'],
    ['a repository redirect', 'mkdir sub; echo "gitdir: ../elsewhere" > sub/.git'],
    ['another spelling of a name that is there', 'touch "$(printf \'caf\\303\\251\')"'],
    ['directories without end', 'i=0; while [ $i -lt 120 ]; do mkdir d; cd d; i=$((i+1)); done; touch f'],
    ['too many files', 'i=0; while [ $i -lt 300 ]; do : > f$i; i=$((i+1)); done'],
    ['a file too large', 'truncate -s 2M evil'],
    ['too much in all', 'for i in 1 2 3 4 5 6; do head -c 900000 /dev/zero > f$i; done'],
    ['the deletion of too many files', 'rm -r many'],
  ])('is refused as a whole: %s', async (_, script) => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_unused, index) => [`many/${index}`, '']));
    const fix = guarded({ 'vendor/.git/config': 'x', 'cafe\u0301': 'x', ...many });
    const scratch = { maxEntries: 250, maxBytes: 4_000_000, maxFileBytes: 1_000_000, maxDepth: 100 };
    const workspace = await fix.open({ scratch });
    const outcome = await left(fix, workspace, `echo good > good; ${script}`);
    expect(outcome.kind).toBe('refused');
    expect(await textOf(workspace, 'good')).toBe('missing');
    expect(readdirSync(join(fix.state, 'staging/s_testsession'))).toEqual([]);
    const next = await left(fix, workspace, 'echo good > good');
    expect(next).toMatchObject({ kind: 'completed', changes: [{ path: 'good' }] });
  });

  it('with a hard link among its own files is taken, one to outside is not', async () => {
    const fix = guarded();
    const workspace = await fix.open();
    const inside = await left(fix, workspace, 'echo x > a; ln a b');
    expect(inside).toMatchObject({ kind: 'completed', changes: [{ path: 'a' }, { path: 'b' }] });
    if (inside.kind === 'completed') await inside.discard();
    const outside = await workspace.overlay(async (slot) => {
      linkSync(join(fix.base, 'secret'), join(fix.state, `slots/${slot}/upper/evil`));
    });
    expect(outside.kind).toBe('refused');
    expect(readFileSync(join(fix.base, 'secret'), 'utf8')).toBe(SECRET);
  });

  it('is thrown away, not refused, where git ignores it', async () => {
    const fix = guarded({ '.gitignore': 'out/\n', 'out/clone/.git/config': 'x' });
    const workspace = await fix.open();
    const outcome = await left(
      fix,
      workspace,
      'mkfifo out/pipe; ln -s /etc out/etc; touch "out/$(printf \'e\\nvil\')"; echo y >> out/clone/.git/config; echo x > kept',
    );
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
    expect(outcome.changes.map((change) => change.path)).toEqual(['kept']);
    expect((await outcome.accept(new Set(['out/pipe']))).kind).toBe('refused');
    expect(await textOf(workspace, 'out/clone/.git/config')).toBe('x');
  });

  it('can not wipe a tree by a whiteout or an opaque directory unless every deletion is accepted', async () => {
    const fix = guarded({ 'test/a': '1', 'test/b': '2' });
    const workspace = await fix.open();
    for (const script of ['rm -r test', 'rm -r test; mkdir test', 'rm -r test; echo f > test']) {
      const outcome = await left(fix, workspace, script);
      if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
      expect(outcome.changes.map((change) => change.path)).toEqual(expect.arrayContaining(['test/a', 'test/b']));
      expect((await outcome.accept(new Set(['test/a']))).kind).toBe('refused');
      expect(await textOf(workspace, 'test/a')).toBe('1');
      expect(await textOf(workspace, 'test/b')).toBe('2');
    }
  });

  it('carries no extended attribute that hides or shows anything', async () => {
    const fix = guarded({ 'dir/other': 'seen' });
    const workspace = await fix.open();
    const mark = 'import os,sys\ntry: os.setxattr("dir", "user.overlay.opaque", b"y")\nexcept OSError: pass';
    const outcome = await left(fix, workspace, `python3 -c '${mark}'; echo x > dir/new`);
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
    expect(outcome.changes.map((change) => change.path)).toEqual(['dir/new']);
    await outcome.accept(new Set(['dir/new']));
    expect(await textOf(workspace, 'dir/other')).toBe('seen');
    expect(await textOf(workspace, 'dir/new')).toBe('x\n');
  });

  it("of git's own directory is no change, and can be read to take objects from it", async () => {
    const fix = guarded({ '.git/HEAD': 'ref: refs/heads/main', '.git/config': 'mine' });
    const workspace = await fix.open();
    const outcome = await left(
      fix,
      workspace,
      'mkdir -p .git/objects/ab; echo o > .git/objects/ab/cd; echo evil > .git/config; rm .git/HEAD; echo x > kept',
    );
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
    expect(outcome.changes.map((change) => change.path)).toEqual(['kept']);
    expect(outcome.scratchFiles('.git/objects')).toEqual(['.git/objects/ab/cd']);
    expect((await outcome.read('.git/objects/ab/cd'))?.toString()).toBe('o\n');
    await outcome.accept(new Set(['kept']));
    expect(await textOf(workspace, '.git/config')).toBe('mine');
    expect(await textOf(workspace, '.git/HEAD')).toBe('ref: refs/heads/main');
  });

  it('is cleared away however it is locked, nested or named', async () => {
    const fix = guarded();
    const workspace = await fix.open();
    const script = [
      'mkdir locked; touch locked/in; chmod 000 locked',
      'mkdir .removing-1; touch .removing-1/x; touch .removing-2',
      'touch "$(printf \'e\\377vil\')"',
      'python3 -c \'import os\nfor _ in range(1200): os.mkdir("d"); os.chdir("d")\'',
    ].join('; ');
    expect((await left(fix, workspace, script)).kind).toBe('refused');
    for (const slot of readdirSync(join(fix.state, 'slots'))) {
      expect(readdirSync(join(fix.state, 'slots', slot))).toEqual(['upper', 'work']);
      expect(readdirSync(join(fix.state, 'slots', slot, 'upper'))).toEqual([]);
    }
  });
});

describe('a file changed by a human while it was worked on', () => {
  it('is a conflict when staged', async () => {
    const fix = guarded();
    const workspace = await fix.open();
    const before = await workspace.stat(path('file'));
    writeFileSync(join(fix.project, 'file'), 'human');
    const outcome = await workspace.stage(path('file'), before, Buffer.from('model'), false);
    expect(outcome).toMatchObject({ kind: 'conflict', found: { kind: 'file', size: 5 } });
    expect(await textOf(workspace, 'file')).toBe('human');
  });

  it('is told by the change set afterwards: the original is kept as it was read', async () => {
    const fix = guarded();
    const workspace = await fix.open();
    await stageText(workspace, 'file', 'model');
    writeFileSync(join(fix.project, 'file'), 'human');
    const [change] = await workspace.changes();
    expect(change).toMatchObject({ path: 'file', before: { size: 'inside'.length }, after: { size: 'model'.length } });
    expect(await workspace.diff()).toContain('-inside');
  });
});
