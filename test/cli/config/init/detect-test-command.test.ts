import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandOf, findTests } from '../../../../src/cli/config/init/detect-test-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-detect-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const commands = (cwd: string) => findTests(root, cwd).nearest.map(({ command }) => command);

it('the nearest directory with a sign of a runner counts, up to the project', () => {
  write('package.json', '{"scripts": {"test": "vitest"}}');
  write('packages/api/pytest.ini', '[pytest]\n');
  write('packages/web/README.md', '');
  expect(commands('packages/api')).toEqual([{ runner: 'pytest', cwd: 'packages/api', args: [] }]);
  expect(commands('packages/web')).toEqual([{ runner: 'vitest', cwd: '', args: [] }]);
});

it('sources alone are a sign for the outermost directory that has some, behind every other sign', () => {
  write('tools/a.py', '');
  write('tools/deep/b.py', '');
  expect(commands('tools/deep')).toEqual([{ runner: 'unittest', cwd: 'tools', args: [] }]);
  write('package.json', '{}');
  write('src/index.js', '');
  expect(commands('src')).toEqual([{ runner: 'node-test', cwd: '', args: [] }]);
});

it('a project without a sign has none, and so has one that cannot be read', () => {
  write('main.c', 'int main;');
  expect(commands('')).toEqual([]);
  expect(findTests(join(root, 'nowhere'), '')).toEqual({ nearest: [], others: [] });
});

describe('several packages', () => {
  const parts = (cwd: string) => {
    const command = commandOf(findTests(root, cwd));
    return command === null ? null : [command, ...(command.others ?? [])].map(({ runner, cwd }) => `${cwd}:${runner}`);
  };

  it('of one repository all count from its root, and from inside of one that one alone', () => {
    write('web/package.json', '{"scripts": {"test": "vitest"}}');
    write('jobs/pytest.ini', '[pytest]\n');
    write('services/api/go.mod', 'module api\n');
    write('services/api/ui/package.json', '{"scripts": {"test": "mocha"}}');
    expect(parts('')).toEqual(['jobs:pytest', 'web:vitest', 'services/api:go-test', 'services/api/ui:mocha']);
    expect(parts('services/api/internal')).toEqual(['services/api:go-test', 'services/api/ui:mocha']);
    expect(parts('services')).toEqual(parts(''));
  });

  it('with the runner of one above them belong to it: members of workspaces', () => {
    write('package.json', '{"workspaces": ["packages/*"], "devDependencies": {"vitest": "1"}}');
    write('packages/a/package.json', '{"scripts": {"test": "vitest"}}');
    write('packages/b/package.json', '{"scripts": {"test": "jest"}}');
    write('core/Cargo.toml', '[workspace]\nmembers = ["a"]\n');
    write('core/a/Cargo.toml', '[package]\n');
    expect(parts('')).toEqual([':vitest', 'core:cargo-test', 'packages/b:jest']);
  });

  it('with a script of their own for files that the runner above does not collect are packages of their own', () => {
    write('package.json', '{"workspaces": ["packages/*"], "devDependencies": {"mocha": "11"}}');
    write('packages/a/package.json', JSON.stringify({ scripts: { test: 'mocha "tests/**/*.test.js"' } }));
    write('packages/b/package.json', '{"scripts": {"test": "mocha"}}');
    write('packages/c/package.json', '{"devDependencies": {"mocha": "11"}}');
    expect(parts('')).toEqual([':mocha', 'packages/a:mocha', 'packages/b:mocha']);
    write('package.json', JSON.stringify({ scripts: { test: 'mocha "packages/*/test*/**/*.js"' } }));
    expect(parts('')).toEqual([':mocha']);
  });

  it('without a runner of their own belong to the runner of the root, where it collects their tests', () => {
    write('package.json', '{"workspaces": ["packages/*"], "devDependencies": {"jest": "29"}}');
    write('jest.config.js', "module.exports = { testMatch: ['**/*.check.js'] };");
    write('packages/a/package.json', '{"name": "a"}');
    write('packages/a/test/a.check.js', "test('a', () => {});");
    write('packages/b/package.json', '{"name": "b"}');
    write('packages/b/test/b.js', 'throw new Error();');
    write('packages/c/package.json', '{"name": "c"}');
    write('packages/c/test/c.check.js', "import test from 'node:test';");
    expect(parts('')).toEqual([':jest', 'packages/b:node-test', 'packages/c:node-test']);
    expect(parts('packages/a')?.[0]).toBe(':jest');
    expect(parts('packages/b')).toEqual(['packages/b:node-test']);
  });

  it('without tests belong to the runner of the root, where it would collect their first one', () => {
    write('package.json', '{"workspaces": ["packages/*"], "devDependencies": {"jest": "29"}}');
    write('packages/a/package.json', '{"dependencies": {"ms": "2"}}');
    write('packages/a/src/a.js', '');
    expect(parts('packages/a')).toEqual([':jest']);
    write('package.json', '{"workspaces": ["packages/*"]}');
    write('pytest.ini', '[pytest]\n');
    expect(parts('packages/a')).toEqual(['packages/a:node-test']);
  });

  it('are not the tests of unittest in a project of pytest', () => {
    write('pytest.ini', '[pytest]\n');
    write('tests/help/test_help.py', 'import unittest\n');
    write('jobs/test_jobs.py', 'import unittest\n');
    expect(parts('')).toEqual([':pytest']);
  });

  it('of Go are modules of their own, unless a workspace has them', () => {
    write('go.mod', 'module a\n');
    write('tools/go.mod', 'module b\n');
    expect(parts('')).toEqual([':go-test', 'tools:go-test']);
    write('go.work', 'use .\nuse ./tools\n');
    expect(parts('')).toEqual([':go-test']);
  });

  it('are not what others wrote, what is built, hidden, linked, or only in a language', () => {
    for (const name of ['node_modules/a', 'vendor/a', '.cache/a', 'testdata/a', 'target/a'])
      write(`${name}/go.mod`, 'module a\n');
    write('docs/requirements.txt', 'mkdocs\n');
    write('app/package.json', '{"scripts": {"test": "vitest"}}');
    symlinkSync(join(root, 'app'), join(root, 'linked'));
    expect(parts('')).toEqual(['app:vitest']);
  });
});

const CONFIG = `x({test:{include:['b/*.ts']}})`;

it.each([
  ['a file', () => write('vitest.config.ts', CONFIG), ['b/*.ts']],
  [
    'a link',
    () => {
      write('elsewhere', CONFIG);
      symlinkSync('elsewhere', join(root, 'vitest.config.ts'));
    },
    [],
  ],
  ['a pipe', () => execFileSync('mkfifo', [join(root, 'vitest.config.ts')]), []],
  ['a file of more than 1 MiB', () => write('vitest.config.ts', CONFIG.padEnd(1024 * 1024 + 1)), []],
])('settings are read from plain files of bounded size: %s', (_, place, args) => {
  write('package.json', '{"scripts": {"test": "vitest"}}');
  place();
  expect(commands('')).toEqual([{ runner: 'vitest', cwd: '', args }]);
});
