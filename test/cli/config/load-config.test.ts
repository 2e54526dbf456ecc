import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadProjectConfig, loadUserConfig } from '../../../src/cli/config/load-config.ts';
import { EXIT } from '../../../src/contracts/exit-codes.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-config-')));
  mkdirSync(join(root, '.fluffy'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (): string => join(root, '.fluffy/config.yaml');
const link = (path: string, target: string): void => {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
};

test.each([
  ['there is none', () => undefined],
  ['a file is in place of its directory', () => writeInPlaceOfDirectory()],
])('the defaults are used where %s', async (_what, make) => {
  make();
  expect(await loadUserConfig(file())).toMatchObject({ prices: {}, models: {} });
  expect(await loadProjectConfig(root)).toEqual(await loadProjectConfig('/nowhere'));
});

function writeInPlaceOfDirectory(): void {
  rmSync(join(root, '.fluffy'), { recursive: true });
  writeFileSync(join(root, '.fluffy'), '');
}

describe("a project's configuration is refused", () => {
  test.each<readonly [string, () => void, string, string]>([
    ['whose directory is a link', () => link(join(root, '.fluffy'), '/etc'), '', 'it is a symbolic link'],
    ['that is a link', () => link(file(), '/etc/passwd'), '/config.yaml', 'it is a symbolic link'],
    ['that is a directory', () => mkdirSync(file()), '/config.yaml', 'it is a directory, not a regular file'],
    ['that is empty', () => writeFileSync(file(), ''), '/config.yaml', 'it is empty; remove it to use the defaults'],
    ['that is too large', () => makeLarge(), '/config.yaml', 'it is larger than 1048576 bytes'],
  ])('%s', async (_what, make, where, why) => {
    make();
    await expect(loadProjectConfig(root)).rejects.toMatchObject({
      code: 'config_invalid',
      what: `The configuration ${root}/.fluffy${where} cannot be used`,
      why,
      exitCode: EXIT.usage,
    });
  });

  test.each([
    ['that is no YAML', 'a: [', ':1:5', /./],
    ['that is a list', '- a\n', ':1:1', /./],
    ['with a key that is none', 'nonsense: 1\n', ':1:1', /nonsense/],
  ])('%s, with line and column', async (_what, text, place, why) => {
    writeFileSync(file(), text);
    await expect(loadProjectConfig(root)).rejects.toMatchObject({
      what: `The configuration ${file()}${place} cannot be used`,
      why: expect.stringMatching(why) as string,
    });
  });
});

test("the user's own file may be a link, and is no directory", async () => {
  writeFileSync(join(root, 'real.yaml'), 'prices: {}\n');
  link(file(), join(root, 'real.yaml'));
  expect(await loadUserConfig(file())).toMatchObject({ prices: {} });
  await expect(loadUserConfig(root)).rejects.toMatchObject({ why: 'it is a directory, not a regular file' });
});

test("the user's own file is not waited for where it is a pipe", async () => {
  execFileSync('mkfifo', [file()]);
  await expect(loadUserConfig(file())).rejects.toMatchObject({
    code: 'config_invalid',
    why: 'it is a pipe, not a regular file',
  });
});

function makeLarge(): void {
  writeFileSync(file(), '');
  truncateSync(file(), 1024 * 1024 + 1);
}
