import { expect, it } from 'vitest';
import { whyPublic } from '../../../../src/kernel/proof/kept/public-code.ts';
import { languageOfFile } from '../../../../src/lib/syntax/language-of-file.ts';

type Files = Readonly<Record<string, string>>;

async function why(path: string, files: Files, exported = ['gone'], names = exported): Promise<string | null> {
  const language = languageOfFile(path);
  if (language === null) throw new Error(`no language for ${path}`);
  return whyPublic(path, language, { names, exported, doubts: [] }, (file) => Promise.resolve(files[file] ?? null));
}

it.each<[string, string, Files]>([
  ['the manifest names the file', 'src/a.js', { 'package.json': '{ "main": "./src/a.js" }' }],
  ['the manifest names it without its ending', 'src/a.ts', { 'package.json': '{ "exports": "./src/a" }' }],
  ['the manifest names its directory', 'lib/index.js', { 'package.json': '{ "main": "lib/" }' }],
  ['the manifest exports a pattern', 'src/a.js', { 'package.json': '{ "exports": { "./*": "./src/*.js" } }' }],
  ['the nearest manifest names it', 'packages/p/a.js', { 'packages/p/package.json': '{ "main": "a.js" }' }],
  ['it is the entry by default', 'index.js', { 'package.json': '{}' }],
  ['it may be what the entry is built from', 'src/index.ts', { 'package.json': '{ "main": "dist/index.js" }' }],
])('JavaScript can be used by others where %s', async (_, path, files) => {
  expect(await why(path, files)).not.toBeNull();
  expect(await why(path, files, [], ['gone'])).toBeNull();
});

it.each<[string, string, Files]>([
  [
    'no manifest names it',
    'src/a.js',
    { 'package.json': '{ "main": "src/b.js", "exports": { "./*": "./lib/*.js" } }' },
  ],
  ['the package is private', 'index.js', { 'package.json': '{ "private": true }' }],
  ['there is no package', 'index.js', {}],
])('JavaScript is the own business of the project where %s', async (_, path, files) => {
  expect(await why(path, files)).toBeNull();
});

it.each<[string, string, Files, string, boolean]>([
  ['a package', 'lib/a.py', { 'lib/__init__.py': '' }, 'gone', true],
  ['what is installed', 'a.py', { 'pyproject.toml': '[project]\nname = "a"\n' }, 'gone', true],
  ['a script', 'a.py', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'gone', false],
  ['a private name', 'lib/a.py', { 'lib/__init__.py': '' }, '_gone', false],
  ['a private module', 'lib/_a.py', { 'lib/__init__.py': '' }, 'gone', false],
  ['an exported name of Go', 'a.go', { 'a.go': 'package a\n' }, 'Gone', true],
  ['a name of Go that is not exported', 'a.go', { 'a.go': 'package a\n' }, 'gone', false],
  ['a program in Go', 'a.go', { 'a.go': 'package main\n' }, 'Gone', false],
  ['an internal package of Go', 'internal/a/a.go', { 'internal/a/a.go': 'package a\n' }, 'Gone', false],
])('%s', async (_, path, files, name, isPublic) => {
  expect((await why(path, files, [], [name])) !== null).toBe(isPublic);
});
