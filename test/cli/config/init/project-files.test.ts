import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readProjectFiles } from '../../../../src/cli/config/init/project-files.ts';
import { detectRunners } from '../../../../src/kernel/runners/detect-runners.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-files-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a directory is read as text, without links and without what is outside', () => {
  mkdirSync(join(root, 'in/test'), { recursive: true });
  writeFileSync(join(root, 'secret'), 'secret');
  writeFileSync(join(root, 'in/package.json'), '{}');
  writeFileSync(join(root, 'in/test/a.js'), 'a');
  symlinkSync('../secret', join(root, 'in/link'));
  const files = readProjectFiles(join(root, 'in'));
  expect(
    ['package.json', './package.json', 'test/a.js', 'link', '../secret', 'test', 'none/b'].map(files.text),
  ).toEqual(['{}', '{}', 'a', '', '', '', '']);
  expect(['', 'test', 'none', 'package.json', '..'].map((path) => [...files.names(path)].sort())).toEqual([
    ['link', 'package.json', 'test'],
    ['a.js'],
    [],
    [],
    [],
  ]);
  expect(['test', 'a.js'].map(files.has)).toEqual([true, false]);
});

test('a directory without a sign of any runner is listed once, and nothing in it is looked at', () => {
  writeFileSync(join(root, 'notes.txt'), 'text');
  const disk = { readdirSync: vi.fn(readdirSync), readText: vi.fn(() => '') };
  expect(detectRunners(readProjectFiles(root, disk as never), '')).toEqual([]);
  expect(disk.readdirSync).toHaveBeenCalledTimes(1);
  expect(disk.readText).not.toHaveBeenCalled();
});

test('a pipe in the place of a file is not waited for', () => {
  for (const name of ['package.json', 'pyproject.toml', '.nvmrc']) execFileSync('mkfifo', [join(root, name)]);
  const files = readProjectFiles(root);
  expect(['package.json', 'pyproject.toml', '.nvmrc'].map(files.text)).toEqual(['', '', '']);
});
