import { lstat, mkdir, readFile, readdir, rename, symlink, writeFile, rm, lchown } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { containerRequest, newSandboxId, startGuardFixture, type GuardFixture, UID } from './support/guard-fixture.ts';
import { makeProbeImage } from './support/probe-image.ts';

/** Changes the workspace, tries what it must not be able to do, and tells the outcome on stdout. */
const SHELL_PROBE = `
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
const out = {};
const attempt = (name, action) => { try { out[name] = action() ?? true; } catch (error) { out[name] = error.code ?? String(error); } };
attempt('write', () => fs.writeFileSync('a.txt', 'changed\\n'));
attempt('create', () => { fs.mkdirSync('dir'); fs.writeFileSync('dir/new.txt', 'new\\n'); });
attempt('delete', () => fs.unlinkSync('gone.txt'));
attempt('recreate', () => { fs.rmSync('tree', { recursive: true }); fs.mkdirSync('tree'); fs.writeFileSync('tree/only.txt', ''); });
attempt('staged', () => fs.readFileSync('staged.txt', 'utf8'));
attempt('rootfs', () => fs.writeFileSync('/etc-probe', ''));
attempt('tmp', () => fs.writeFileSync('/tmp/x', ''));
attempt('home', () => fs.writeFileSync(process.env.HOME + '/x', ''));
attempt('execute', () => { fs.writeFileSync('/tmp/run', '#!/usr/local/bin/node\\n', { mode: 0o755 }); execFileSync('/tmp/run'); return true; });
attempt('big', () => fs.writeFileSync('big', Buffer.alloc(2 * 1024 * 1024)));
attempt('cwd', () => process.cwd());
attempt('status', () => fs.readFileSync('/proc/self/status', 'utf8').match(/^(Uid|Gid|CapEff|CapBnd|NoNewPrivs|Seccomp):.*$/gm).map((line) => line.replaceAll('\\t', ' ')));
attempt('interfaces', () => fs.readdirSync('/sys/class/net'));
attempt('env', () => Object.keys(process.env).sort());
attempt('sockets', () => fs.readdirSync('/run/fluffy'));
console.log(JSON.stringify(out));
`;

let image: Awaited<ReturnType<typeof makeProbeImage>>;
let fixture: GuardFixture;
beforeAll(async () => {
  image = await makeProbeImage([{ path: '/opt/fluffy/tools/shell-tool.mjs', source: SHELL_PROBE }]);
});
afterAll(() => image.remove());
beforeEach(async () => {
  fixture = await startGuardFixture(image.id);
});
afterEach(() => fixture.close());

const session = 's_workspace1';

async function makeWorkspace(sandbox: string, slot: number): Promise<string> {
  await fixture.prepareSlot(session, slot);
  const made = await fixture.ask('POST', '/volumes/create', { sandbox, session, slot });
  expect(made).toMatchObject({ status: 201 });
  return (JSON.parse(made.text) as { Name: string }).Name;
}

async function runShell(sandbox: string, volume: string): Promise<{ id: string; output: Record<string, unknown> }> {
  await fixture.prepare(sandbox);
  const created = await fixture.ask(
    'POST',
    '/containers/create',
    containerRequest({ sandbox, session, program: 'tool:shell', workspace: { kind: 'overlay', volume } }),
  );
  expect(created).toMatchObject({ status: 201 });
  const { Id: id } = JSON.parse(created.text) as { Id: string };
  const started = await fixture.ask('POST', `/containers/${id}/start`);
  expect(started).toEqual({ status: 204, text: '' });
  const waited = await fixture.ask('POST', `/containers/${id}/wait`);
  const logs = await fixture.ask('GET', `/containers/${id}/logs?stdout=true&stderr=true`);
  expect(waited.text, logs.text).toBe('{"StatusCode":0}');
  const json = logs.text.slice(logs.text.indexOf('{'));
  return { id, output: JSON.parse(json) as Record<string, unknown> };
}

describe('a workspace', () => {
  test('shows staging over project, and keeps every change in the slot', async () => {
    const sandbox = newSandboxId();
    await mkdir(join(fixture.project, 'tree'));
    await lchown(join(fixture.project, 'tree'), UID, UID);
    await writeFile(join(fixture.project, 'tree/old.txt'), 'old');
    const volume = await makeWorkspace(sandbox, 3);
    await writeFile(join(fixture.state, 'staging', session, 'staged.txt'), 'staged\n');
    const { id, output } = await runShell(sandbox, volume);

    expect(output).toEqual({
      write: true,
      create: true,
      delete: true,
      recreate: true,
      staged: 'staged\n',
      rootfs: 'EROFS',
      tmp: true,
      home: true,
      execute: true,
      big: 'EFBIG',
      cwd: fixture.project,
      status: [
        'Uid: 1000 1000 1000 1000',
        'Gid: 1000 1000 1000 1000',
        'CapEff: 0000000000000000',
        'CapBnd: 0000000000000000',
        'NoNewPrivs: 1',
        'Seccomp: 2',
      ],
      interfaces: ['lo'],
      env: ['CI', 'HOME', 'HOSTNAME', 'LANG', 'PATH', 'TMPDIR', 'TZ', 'UV_THREADPOOL_SIZE'],
      sockets: [],
    });
    expect(await fixture.ask('DELETE', `/containers/${id}?force=1`)).toMatchObject({ status: 204 });
    expect(await fixture.ask('DELETE', `/volumes/${volume}`)).toMatchObject({ status: 204 });

    const upper = join(fixture.state, 'slots/3/upper');
    expect((await readdir(upper)).sort()).toEqual(['a.txt', 'big', 'dir', 'gone.txt', 'tree']);
    expect(await readFile(join(upper, 'a.txt'), 'utf8')).toBe('changed\n');
    const whiteout = await lstat(join(upper, 'gone.txt'));
    expect({ device: whiteout.isCharacterDevice(), rdev: whiteout.rdev }).toEqual({ device: true, rdev: 0 });
    expect((await lstat(join(upper, 'a.txt'))).uid).toBe(UID);
    expect(await readFile(join(fixture.project, 'a.txt'), 'utf8')).toBe('a\n');
    expect(await readFile(join(fixture.project, 'gone.txt'), 'utf8')).toBe('gone\n');
  });

  test('works in a directory whose name holds what mount options are made of', async () => {
    const odd = join(fixture.root, 'a,b:c d\\é');
    await mkdir(odd, { mode: 0o700 });
    await lchown(odd, UID, UID);
    await writeFile(join(odd, 'a.txt'), '');
    await writeFile(join(odd, 'gone.txt'), '');
    const other = await startGuardFixture(image.id, { context: { projectRoot: odd } });
    try {
      const sandbox = newSandboxId();
      await other.prepareSlot(session, 0);
      await other.prepare(sandbox);
      const made = await other.ask('POST', '/volumes/create', { sandbox, session, slot: 0 });
      const { Name: volume } = JSON.parse(made.text) as { Name: string };
      const created = await other.ask(
        'POST',
        '/containers/create',
        containerRequest({ sandbox, session, program: 'tool:shell', workspace: { kind: 'overlay', volume } }),
      );
      const { Id: id } = JSON.parse(created.text) as { Id: string };
      expect(await other.ask('POST', `/containers/${id}/start`)).toMatchObject({ status: 204 });
      await other.ask('POST', `/containers/${id}/wait`);
      const logs = await other.ask('GET', `/containers/${id}/logs?stdout=1&stderr=1`);
      expect(logs.text).toContain(JSON.stringify(odd));
      expect(await readdir(join(other.state, 'slots/0/upper'))).toContain('gone.txt');
    } finally {
      await other.close();
    }
  });

  test('a slot holds one workspace at a time, and a sandbox one workspace', async () => {
    const first = newSandboxId();
    const volume = await makeWorkspace(first, 1);
    expect(await fixture.ask('POST', '/volumes/create', { sandbox: newSandboxId(), session, slot: 1 })).toMatchObject({
      status: 409,
    });
    await fixture.prepareSlot(session, 2);
    expect(await fixture.ask('POST', '/volumes/create', { sandbox: first, session, slot: 2 })).toMatchObject({
      status: 409,
    });
    expect(await fixture.ask('DELETE', `/volumes/${volume}`)).toMatchObject({ status: 204 });
    expect(await fixture.ask('POST', '/volumes/create', { sandbox: newSandboxId(), session, slot: 1 })).toMatchObject({
      status: 201,
    });
  });

  test.each(['staging', 'upper', 'work'])('is refused where %s is a symbolic link', async (layer) => {
    const target = join(fixture.root, 'outside');
    await mkdir(target);
    await fixture.prepareSlot(session, 0);
    const path = layer === 'staging' ? join(fixture.state, 'staging', session) : join(fixture.state, 'slots/0', layer);
    await rm(path, { recursive: true });
    await symlink(target, path);
    const answer = await fixture.ask('POST', '/volumes/create', { sandbox: newSandboxId(), session, slot: 0 });
    expect(answer.status).toBe(403);
    expect(await fixture.ask('GET', '/volumes')).toMatchObject({ text: '{"Volumes":[]}' });
  });

  test('mounts the directory it checked, even if a link has taken its name by the time it starts', async () => {
    const outside = join(fixture.root, 'outside');
    await mkdir(outside, { mode: 0o777 });
    await lchown(outside, UID, UID);
    await mkdir(join(fixture.project, 'tree'));
    const sandbox = newSandboxId();
    const volume = await makeWorkspace(sandbox, 0);
    const upper = join(fixture.state, 'slots/0/upper');
    await rename(upper, `${upper}-moved`);
    await symlink(outside, upper);
    await rename(fixture.project, `${fixture.project}-moved`);
    await symlink(outside, fixture.project);
    await runShell(sandbox, volume);
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(`${upper}-moved`)).toContain('dir');
  });
});
