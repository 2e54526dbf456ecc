import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type StubCheckout, makeStubCheckout } from './stub-checkout.ts';

let checkout: StubCheckout;
beforeEach(async () => {
  checkout = await makeStubCheckout();
});
afterEach(() => checkout.remove());

const CI = 'npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error';
const isInstall = (call: string): boolean => call.startsWith('npm install');
const privateNodes = (): Promise<string[]> => readdir(join(checkout.home, '.local/share/fluffy/node'));

describe('the first start', () => {
  test('uses the Node on PATH when it is new enough, installs dependencies with it, bundles, runs', async () => {
    await checkout.putNode('v22.0.0');
    const { code, stdout, stderr } = await checkout.start(['-p', 'a b', '']).result;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'cli -p a b \n' });
    expect(await checkout.calls()).toEqual([CI, 'bundle v22.0.0']);
    expect(stderr).toContain('installing dependencies: npm ci');
  });

  test.each(['v20.20.2', 'v9.0.0', 'v21.99.0', 'rubbish'])(
    'installs a private Node when PATH has %s',
    async (version) => {
      await checkout.putNode(version);
      const { code, stdout, stderr } = await checkout.start(['x']).result;
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'cli x\n' });
      const calls = await checkout.calls();
      expect(calls.filter(isInstall)).toEqual([
        expect.stringMatching(/^npm install --prefix \S+ .*--ignore-scripts .*node-(linux|darwin)-(x64|arm64)@24$/),
      ]);
      expect(calls.slice(1)).toEqual([CI, 'bundle v24.9.9']);
      expect(stderr).toMatch(/installing Node 24 privately: npm package node-\S+ into \S+/);
      expect(await privateNodes()).toEqual(['24']);
    },
  );

  test('installs a private Node when there is none', async () => {
    expect(await checkout.start(['x']).result).toMatchObject({ code: 0, stdout: 'cli x\n' });
    expect(await checkout.calls()).toHaveLength(3);
  });

  test.each([
    ['no Node and no npm', undefined, 'Node 24 cannot be installed'],
    ['Node, but no npm', 'v24.0.0', 'The dependencies cannot be installed'],
  ])('with %s says what, why and how to go on, exit 2', async (_name, version, what) => {
    await checkout.removeTool('npm');
    if (version !== undefined) await checkout.putNode(version);
    const { code, stdout, stderr } = await checkout.start(['x']).result;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`fluffy: error: ${what}\n  why: npm was not found on PATH\n  fix: install npm`);
  });
});

test.each(['', 'some/where'])('names a HOME %j, where it has to install Node', async (home) => {
  const { code, stderr } = await checkout.start(['x'], { home }).result;
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^fluffy: error: Your home directory is not known\n {2}why: HOME is .*\n {2}fix: set HOME/,
    ) as string,
  });
  expect(await checkout.calls()).toEqual([]);
});

test('names a HOME in which no Node can be installed', async () => {
  const { code, stderr } = await checkout.start(['x'], { home: '/proc/nope' }).result;
  expect(code).toBe(2);
  expect(stderr).toContain(
    'fluffy: error: Node cannot be installed\n  why: /proc/nope/.local/share/fluffy/node cannot be made',
  );
  expect(await checkout.calls()).toEqual([]);
});

test('refuses a standard output that is closed, before anything is done', async () => {
  await checkout.putNode('v24.0.0');
  await writeFile(join(checkout.root, 'closed'), 'exec bin/fluffy x >&-\n');
  const { code, stderr } = await checkout.start([], { shell: '/bin/sh', script: 'closed', cwd: checkout.root }).result;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('standard output is closed') as unknown,
  });
  expect(await checkout.calls()).toEqual([]);
});

test.each(['<&-', '2>&-', '<&- 2>&-'])('starts with %s, and gives the exit code of what it starts', async (closed) => {
  await checkout.putNode('v24.0.0');
  await writeFile(join(checkout.root, 'closed'), `exec bin/fluffy x ${closed}\n`);
  const { code } = await checkout.start([], { shell: '/bin/sh', script: 'closed', cwd: checkout.root }).result;
  expect(code).toBe(0);
  expect((await checkout.calls()).length).toBeGreaterThan(1);
});

test('refuses a standard output that is closed with the same exit code where nobody can be told', async () => {
  await writeFile(join(checkout.root, 'closed'), 'exec bin/fluffy --version >&- 2>&-\n');
  const { code } = await checkout.start([], { shell: '/bin/sh', script: 'closed', cwd: checkout.root }).result;
  expect(code).toBe(1);
});

describe('a later start', () => {
  beforeEach(async () => {
    await checkout.putNode('v24.0.0');
    await checkout.start([]).result;
    await writeFile(join(checkout.root, '../calls'), '');
  });

  test('does nothing but run', async () => {
    expect(await checkout.start(['x']).result).toEqual({ code: 0, stdout: 'cli x\n', stderr: '' });
    expect(await checkout.calls()).toEqual([]);
  });

  test.each([
    ['a changed source', 'src/lib/a.ts', ['bundle v24.0.0']],
    ['a changed script', 'bin/bundle.mjs', ['bundle v24.0.0']],
    ['a removed or added source', 'src/lib', ['bundle v24.0.0']],
    ['a changed lockfile', 'package-lock.json', [CI, 'bundle v24.0.0']],
  ])('after %s repeats what depends on it', async (_name, path, expected) => {
    await checkout.touch(path);
    expect(await checkout.start(['x']).result).toMatchObject({ code: 0, stdout: 'cli x\n' });
    expect(await checkout.calls()).toEqual(expected);
  });

  test('looks for Node again when the one it used is gone', async () => {
    await checkout.removeTool('node');
    expect(await checkout.start(['x']).result).toMatchObject({ code: 0, stdout: 'cli x\n' });
    expect((await checkout.calls()).map((call) => call.split(' ', 2).join(' '))).toEqual(['npm install']);
  });
});

describe('an interrupted set-up', () => {
  test.each(['killGroup', 'killShell'] as const)('is repeated by the next start (%s)', async (kill) => {
    await checkout.putNode('v24.0.0');
    const held = await checkout.holdNpm();
    const first = checkout.start(['first']);
    await held.begun;
    first[kill]();
    await held.release();
    await first.result;
    const second = await checkout.start(['second']).result;
    expect(second).toMatchObject({ code: 0, stdout: 'cli second\n' });
    expect((await checkout.calls()).at(-1)).toBe('bundle v24.0.0');
  });

  test.each([
    ['ci', 'The dependencies could not be installed'],
    ['bundle', 'The programs could not be bundled'],
  ] as const)('a step that fails (%s) ends with exit 2 and is repeated by the next start', async (step, what) => {
    await checkout.putNode('v24.0.0');
    await checkout.setFailing(step, true);
    const { code, stdout, stderr } = await checkout.start(['x']).result;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`fluffy: error: ${what}\n  why: `);
    await checkout.setFailing(step, false);
    expect(await checkout.start(['x']).result).toMatchObject({ code: 0, stdout: 'cli x\n' });
    expect((await checkout.calls()).at(-1)).toBe('bundle v24.0.0');
  });

  test('leaves no half of a private Node that would be taken for a whole one', async () => {
    const home = join(checkout.home, '.local/share/fluffy/node');
    await mkdir(join(home, '.partial.1/node_modules'), { recursive: true });
    expect(await checkout.start(['x']).result).toMatchObject({ code: 0 });
    expect(await privateNodes()).toEqual(['24']);
  });
});

describe.each([
  ['with flock', []],
  ['without flock', ['flock']],
])('two starts at once, %s', (_name, missing) => {
  beforeEach(async () => {
    await checkout.putNode('v24.0.0');
    for (const tool of missing) await checkout.removeTool(tool);
  });

  test('set up once, and both run', async () => {
    const held = await checkout.holdNpm();
    const first = checkout.start(['first']);
    await held.begun;
    const second = checkout.start(['second']);
    await held.release();
    expect(await first.result).toMatchObject({ code: 0, stdout: 'cli first\n' });
    expect(await second.result).toMatchObject({ code: 0, stdout: 'cli second\n' });
    expect(await checkout.calls()).toEqual([CI, 'bundle v24.0.0']);
  });

  test('a killed holder blocks nobody', async () => {
    const held = await checkout.holdNpm();
    const first = checkout.start(['first']);
    await held.begun;
    first.killGroup();
    await held.release();
    await first.result;
    expect(await checkout.start(['second']).result).toMatchObject({ code: 0, stdout: 'cli second\n' });
  });
});

const shells = ['/bin/dash', '/bin/bash', '/bin/busybox'].filter((path) => existsSync(path));

describe('where it is started from', () => {
  beforeEach(() => checkout.putNode('v24.0.0'));

  test('a link to a link to it, from another directory', async () => {
    await symlink('check out/bin/fluffy', join(checkout.root, '../one'));
    await mkdir(join(checkout.root, '../elsewhere'));
    await symlink('../one', join(checkout.root, '../elsewhere/two'));
    const { code, stdout } = await checkout.start(['x'], { script: './two', cwd: join(checkout.root, '../elsewhere') })
      .result;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'cli x\n' });
  });

  test.each(shells)('%s', async (shell) => {
    const { code, stdout } = await checkout.start(['x'], { shell, script: 'fluffy', cwd: join(checkout.root, 'bin') })
      .result;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'cli x\n' });
  });
});

describe.runIf(process.getuid?.() === 0)('a checkout of somebody else', () => {
  const uid = 65534;
  beforeEach(() => checkout.putNode('v24.0.0'));

  test('runs when it is set up, by whatever PATH that was', async () => {
    await checkout.start([]).result;
    await checkout.putNode('v22.5.0');
    await rm(join(checkout.root, 'dist/.setup/node'));
    expect(await checkout.start(['x'], { uid }).result).toEqual({ code: 0, stdout: 'cli x\n', stderr: '' });
  });

  test('is an error when it is not', async () => {
    const { code, stderr } = await checkout.start(['x'], { uid }).result;
    expect(code).toBe(2);
    expect(stderr).toContain('is not writable\n  fix: clone it to a directory of your own');
    await checkout.start([]).result;
    await checkout.touch('src/lib/a.ts');
    expect((await checkout.start(['x'], { uid }).result).stderr).toContain('is not writable');
  });
});

test('--version needs neither Node nor npm nor any set-up', async () => {
  await checkout.removeTool('npm');
  expect(await checkout.start(['--version']).result).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  await expect(unlink(join(checkout.root, 'dist'))).rejects.toThrow('ENOENT');
  await rm(join(checkout.root, 'package.json'));
  expect((await checkout.start(['--version']).result).code).not.toBe(0);
});
