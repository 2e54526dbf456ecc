import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, DEFAULT_COMMAND } from '../../src/cli/command-line/registry.ts';
import { unwritable } from '../../src/cli/doctor/check-user-directories.ts';
import { userDirectoryError } from '../../src/cli/user-directories.ts';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { startCli } from '../support/cli/cli-scene.ts';
import type { CliResult } from '../support/cli/cli-scene.ts';
import { makeRepository } from '../support/real-git.ts';
import type { RealRepository } from '../support/real-git.ts';

let directory = '';
let file = '';
let project: RealRepository;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-home-'));
  file = join(directory, 'file');
  writeFileSync(file, '');
  project = makeRepository();
  project.write('a.txt', 'a');
  project.commit('Begin');
});
afterAll(() => {
  project.remove();
  rmSync(directory, { recursive: true });
});

/** What each command is given so that it is not refused before. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '': ['-p', 'x', '--model', 'anthropic/claude-test'],
  completion: ['bash'],
  'config get': ['model'],
  'config policy explain': ['fs.write'],
  'config set': ['model', 'anthropic/claude-test'],
  'config unset': ['model'],
  'config set-key': ['anthropic'],
  'session rename': ['s_1', 'title'],
  'session archive': ['s_1'],
  'session rm': ['s_1'],
};
const WITHOUT_HOME = ['completion', 'completion-words', 'man'];

function run(name: string, env: Readonly<Record<string, string>>): Promise<CliResult> {
  const line = [...name.split(' ').filter((word) => word !== ''), ...(WORDS[name] ?? [])];
  const noKernel = () => Promise.reject(new Error('no kernel is needed'));
  const all = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', ANTHROPIC_API_KEY: 'sk-ant-test', ...env };
  return startCli([...line, '--allow-root', '--project', project.root], { env: all, stdin: 'sk-ant-x' }, noKernel)
    .result;
}

const commands = [DEFAULT_COMMAND, ...COMMANDS].map(({ name }) => name);

describe('a HOME that cannot be', () => {
  const homes = [
    ['a file', () => ({ HOME: file }), /Reason: \S+file is not a directory\n/],
    ['below a file', () => ({ HOME: join(file, 'x') }), /Reason: \S+file is not a directory\n/],
    ['empty', () => ({ HOME: '' }), /Reason: HOME is empty\n/],
    ['relative', () => ({ HOME: 'some/where' }), /Reason: HOME is "some\/where", which is not a whole path\n/],
    ['not set', () => ({}), /Reason: HOME is not set\n/],
  ] as const;

  test.each(commands.filter((name) => !WITHOUT_HOME.includes(name)))('ends fluffy %s', async (name) => {
    for (const [, env, reason] of homes) {
      const { code, stdout, stderr } = await run(name, env());
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(reason);
      expect(stderr).toContain('Fix: Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to a directory of yours');
    }
  });

  test.each(WITHOUT_HOME)('does not concern fluffy %s', async (name) => {
    for (const [, env] of homes) expect(await run(name, env())).toMatchObject({ code: 0, stderr: '' });
  });

  test('does not count where both directories are named', async () => {
    const env = { HOME: '', XDG_CONFIG_HOME: join(directory, 'config'), XDG_STATE_HOME: join(directory, 'state') };
    expect(await run('session list', env)).toMatchObject({ code: 0 });
  });
});

describe('a HOME in which nothing can be made', () => {
  test.each(['config set', 'config set-key', 'audit keys'])('ends fluffy %s', async (name) => {
    const { code, stderr } = await run(name, { HOME: '/proc/nope' });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^ERROR: \/proc\/nope cannot be used for fluffy's own files\nReason: ENOENT.*\nFix: Set HOME/,
      ) as string,
    });
  });

  test('is named by the doctor', async () => {
    const user = userDirs({ HOME: directory });
    expect(await unwritable(user)).toEqual([]);
    const readOnly = (path: string) => {
      const code = path === directory ? 'EROFS' : 'ENOENT';
      return Promise.reject(Object.assign(new Error(`${code}: ${path}`), { code }));
    };
    expect(await unwritable(user, readOnly)).toMatchObject(
      [user.config, user.stateHome].map((path) => ({
        level: 'error',
        id: 'home',
        what: expect.stringContaining(path) as string,
        why: `EROFS: ${directory}`,
      })),
    );
  });
});

describe('an error of the system below the directories of the user', () => {
  test.each([
    ['open', 'EACCES', 'home_unusable'],
    ['mkdir', 'ENOENT', 'home_unusable'],
    ['open', 'ENOSPC', 'disk_full'],
    // These are faults of the program: they are not HOME's.
    ['open', 'ENOENT', undefined],
    ['rmdir', 'ENOTEMPTY', undefined],
    ['open', 'EMFILE', undefined],
  ])('of %s: %s', (syscall, code, expected) => {
    const user = userDirs({ HOME: directory });
    const error = Object.assign(new Error(code), { code, syscall, path: join(user.stateHome, 'x.json') });
    expect(userDirectoryError(error, user)?.code).toBe(expected);
  });
});
