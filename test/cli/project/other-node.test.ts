import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { otherNode } from '../../../src/cli/project/other-node.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-other-node-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const engines = (node: unknown): string => JSON.stringify({ engines: { node } });

it.each<[string, Readonly<Record<string, string>>, string]>([
  ['.nvmrc', { '.nvmrc': '# ours\n\nv18.1.0 # until May\n' }, '.nvmrc asks for Node v18.1.0'],
  ['.node-version', { '.node-version': '20\r\n' }, '.node-version asks for Node 20'],
  [
    '.tool-versions',
    { '.tool-versions': 'python 3.12\nnodejs 20.1.0 18.0.0\n' },
    '.tool-versions asks for Node 20.1.0',
  ],
  ['another name of it', { '.tool-versions': 'node 22\n' }, '.tool-versions asks for Node 22'],
  ['volta', { 'package.json': '{"volta":{"node":"18.2.0"}}' }, 'package.json (volta) asks for Node 18.2.0'],
  ['engines', { 'package.json': engines('^18 || ^20') }, 'package.json (engines) asks for Node ^18 || ^20'],
  ['a pick before a range', { '.nvmrc': '22', 'package.json': engines('>=18') }, '.nvmrc asks for Node 22'],
  ['a pick above a range', { '.nvmrc': '22', 'packages/a/package.json': engines('>=18') }, '.nvmrc asks for Node 22'],
  ['the nearest file', { '.nvmrc': '24', 'packages/a/.nvmrc': '20' }, 'packages/a/.nvmrc asks for Node 20'],
  ['a word before it', { '.nvmrc': 'lts/*', 'package.json': engines('18') }, 'package.json (engines) asks for Node 18'],
])('%s is told', (_name, files, expected) => {
  write(files);
  expect(otherNode(root, 'packages/a', 24)?.what).toBe(`${expected}; tests and commands run with Node 24`);
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['nothing', {}],
  ['the same major version', { '.nvmrc': '24.1.0' }],
  ['a range with it', { 'package.json': engines('>=18') }],
  ['a pick of it before a range without it', { '.nvmrc': '24', 'package.json': engines('^18') }],
  ['a word', { '.nvmrc': 'lts/*' }],
  ['another tool', { '.tool-versions': 'nodejs-x 18\n# nodejs 18\n' }],
  ['what is no text', { 'package.json': engines(18) }],
  ['a broken manifest', { 'package.json': '{"engines":' }],
  ['another package', { '.nvmrc': '24', 'packages/b/.nvmrc': '18' }],
])('%s is not told', (_name, files) => {
  write(files);
  expect(otherNode(root, 'packages/a', 24)).toBeNull();
});

it('reads no link', () => {
  write({ elsewhere: '18' });
  symlinkSync('elsewhere', join(root, '.nvmrc'));
  expect(otherNode(root, '', 24)).toBeNull();
});

it.each([
  ['^20 || ^22', 'to use another, run fluffy image use node:22'],
  ['>=26', 'to use another, run fluffy image use node:26'],
  ['20', 'if a test fails only in a session, change the project so that it works with Node 24 too'],
])('for %s it says what to do', (wish, fix) => {
  write({ '.node-version': wish });
  expect(otherNode(root, '', 24)?.fix).toBe(fix);
});
