import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locationsInside } from '../../src/cli/locations-inside.ts';
import { projectDirs, userDirs } from '../../src/contracts/host-layout.ts';

let base: string;
let project: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-inside-')));
  project = join(base, 'project');
  mkdirSync(project);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const inside = (home: string, installRoot: string, env: { XDG_CONFIG_HOME?: string; XDG_STATE_HOME?: string } = {}) => {
  const user = userDirs({ HOME: home, ...env });
  return locationsInside(projectDirs(user, project, 'id'), user, installRoot);
};
const NONE = { bootstrap: [], kernel: [], audit: [], state: [], keys: [] };

test('elsewhere there is nothing of fluffy’s own in a project', async () => {
  expect(await inside(join(base, 'home'), join(base, 'fluffy'))).toEqual(NONE);
  expect(await inside(`${project}-home`, `${project}-fluffy`)).toEqual(NONE);
});

test('a project that is somebody’s home has their keys, sessions and audit log in it', async () => {
  expect(await inside(project, '/opt/fluffy')).toEqual({
    ...NONE,
    keys: ['.config/fluffy'],
    state: ['.local/state/fluffy'],
    audit: ['.local/state/fluffy/projects/id/kernel/fluffy.db', '.local/state/fluffy/projects/id/host/anchors.jsonl'],
  });
});

test('directories that are set elsewhere are found where links to them lead, though they are not there yet', async () => {
  mkdirSync(join(project, 'private'));
  symlinkSync(join(project, 'private'), join(base, 'link'));
  const found = await inside(join(base, 'home'), '/opt/fluffy', { XDG_CONFIG_HOME: join(base, 'link/config') });
  expect(found).toEqual({ ...NONE, keys: ['private/config/fluffy'] });
});

test('an installation inside the project is closed whole, its own checkout but for tests and documents', async () => {
  mkdirSync(join(project, 'tools/fluffy'), { recursive: true });
  expect(await inside(join(base, 'home'), join(project, 'tools/fluffy'))).toMatchObject({
    kernel: ['tools/fluffy'],
    bootstrap: ['tools/fluffy/bin', 'tools/fluffy/src/bootstrap'],
  });
  const own = await inside(join(base, 'home'), project);
  expect(own.bootstrap).toEqual(['bin', 'src/bootstrap']);
  expect(own.kernel).toEqual(expect.arrayContaining(['dist', 'node_modules', 'policy.yaml', 'seccomp', 'src']));
  expect(own.kernel).not.toContain('test');
});

test('explain denies in such a project what the kernel would deny, with a policy of its own and without', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env: { PATH: process.env['PATH'] } });
  git('init', '-q');
  const policy = join(project, 'open.yaml');
  writeFileSync(policy, 'capabilities: [{ name: all, match: { syscall: fs.read }, action: allow }]');
  const explain = (...more: string[]) =>
    spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../../src/cli/main.ts'), 'config', 'policy', 'explain', 'fs.read', ...more, '--json'],
      {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: join(base, 'home'), XDG_CONFIG_HOME: join(project, 'cfg') },
      },
    );
  for (const more of [[], ['--policy', policy]]) {
    const { stdout, stderr } = explain('cfg/fluffy/keys/anthropic', ...more);
    expect([stderr, JSON.parse(stdout)]).toMatchObject(['', { decision: 'deny', rules: [{ name: 'protect-keys' }] }]);
    expect(JSON.parse(explain('src/a.ts', ...more).stdout)).toMatchObject({ decision: 'allow' });
  }
});
