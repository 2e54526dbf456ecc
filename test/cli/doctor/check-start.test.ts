import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkStart } from '../../../src/cli/doctor/check-start.ts';

let directory = '';
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: directory, env: { PATH: process.env['PATH'], HOME: directory }, stdio: 'ignore' });

/** A repository with a commit, an identity and a test of `node --test`. */
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-start-')));
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  writeFileSync(join(directory, 'package.json'), '{"scripts":{"test":"node --test"}}');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const check = async (env: Record<string, string> = {}) =>
  checkStart(
    { project: directory, allowRoot: true },
    { HOME: directory, XDG_CONFIG_HOME: join(directory, 'config'), ANTHROPIC_API_KEY: 'sk-test-0123456789', ...env },
  );

test('a project with identity, key and tests has nothing that hinders a start', async () => {
  expect((await check()).map(({ id, level }) => `${level} ${id}`)).toEqual(['ok project', 'ok model', 'ok tests']);
});

const lost: [string, () => void, Record<string, string>, string][] = [
  ['no key', () => undefined, { ANTHROPIC_API_KEY: '' }, 'model'],
  ['a model of an unknown provider', () => undefined, { FLUFFY_MODEL: 'nobody/model' }, 'model'],
  ['no test command', () => writeFileSync(join(directory, 'package.json'), '{}'), {}, 'tests'],
  ['no identity', () => git('config', '--unset', 'user.email'), {}, 'project'],
];
test.each(lost)('%s is the error that a start would end with', async (_name, change, env, id) => {
  change();
  const errors = (await check(env)).filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([{ id, exit_code: 2 }]);
  expect(errors[0]?.fix).not.toBe('');
});

test('every runner is named, with its directory, and those that decide nothing', async () => {
  mkdirSync(join(directory, 'api'));
  writeFileSync(join(directory, 'api/go.mod'), 'module api\n');
  writeFileSync(join(directory, 'build.gradle'), '');
  expect((await check()).find(({ id }) => id === 'tests')?.what).toBe(
    'tests run with node-test, go-test in api; JUnit by Gradle decides nothing yet (there is build.gradle)',
  );
});

test('no test command is no obstacle in a mode that needs none', async () => {
  writeFileSync(join(directory, 'package.json'), '{}');
  const checks = await check({ FLUFFY_MODE: 'explore' });
  expect(checks.filter(({ level }) => level === 'error')).toEqual([]);
});

test('the model of a session that runs is the one that is looked at', async () => {
  const checks = await checkStart(
    { project: directory, allowRoot: true, model: 'replay/turns.jsonl' },
    { HOME: directory, XDG_CONFIG_HOME: join(directory, 'config') },
  );
  expect(checks.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
});
