import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { detectTestCommand } from '../../../src/cli/config/detect-test-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-detect-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const commands = (cwd: string) => detectTestCommand(root, cwd).map(({ command }) => command);

it('the nearest directory with a sign of a runner counts, up to the project', () => {
  write('package.json', '{"scripts": {"test": "vitest"}}');
  write('packages/api/pytest.ini', '[pytest]\n');
  write('packages/web/README.md', '');
  expect(commands('packages/api')).toEqual([{ runner: 'pytest', cwd: 'packages/api', args: [] }]);
  expect(commands('packages/web')).toEqual([{ runner: 'vitest', cwd: '', args: [] }]);
});

it('a project without a sign has none, and so has one that cannot be read', () => {
  write('main.c', 'int main;');
  expect(commands('')).toEqual([]);
  expect(detectTestCommand(join(root, 'nowhere'), '')).toEqual([]);
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
