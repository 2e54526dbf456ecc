import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { otherNode, runsInNode } from '../../../src/cli/project/other-node.ts';
import { findTests } from '../../../src/cli/config/init/detect-test-command.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-other-node-')));
  root = join(base, 'project');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true }));

function write(files: Readonly<Record<string, string>>, below = root): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(below, path)), { recursive: true });
    writeFileSync(join(below, path), text);
  }
}

/** Versions that nvm has: programs by their form alone. */
function install(...versions: readonly string[]): void {
  for (const version of versions) write({ [`.nvm/versions/node/v${version}/bin/node`]: '\x7fELF node' }, base);
}

const IMAGE = { major: 97, version: '97.3.0' };
const ask = (cwd = '', image: { major: number; version: string | null } = IMAGE) =>
  otherNode({ projectRoot: root, cwd, image, env: { HOME: base } });
const engines = (node: unknown): string => JSON.stringify({ engines: { node } });

it.each<[string, Readonly<Record<string, string>>, string]>([
  ['.nvmrc', { '.nvmrc': '# ours\n\nv92.1.0 # until May\n' }, '.nvmrc asks for Node v92.1.0'],
  ['.node-version', { '.node-version': '94\r\n' }, '.node-version asks for Node 94'],
  [
    '.tool-versions',
    { '.tool-versions': 'python 3.12\nnodejs 94.1.0 18.0.0\n' },
    '.tool-versions asks for Node 94.1.0',
  ],
  ['another name of it', { '.tool-versions': 'node 92\n' }, '.tool-versions asks for Node 92'],
  ['mise.toml', { 'mise.toml': '[tools]\nnode = "92"\n' }, 'mise.toml asks for Node 92'],
  ['a list of mise', { '.mise.toml': '[tools]\nnode = ["92", "94"]\n' }, '.mise.toml asks for Node 92'],
  ['a table of mise', { 'mise.toml': '[tools.node]\nversion = "92"\n' }, 'mise.toml asks for Node 92'],
  ['volta', { 'package.json': '{"volta":{"node":"92.2.0"}}' }, 'package.json (volta) asks for Node 92.2.0'],
  [
    'devEngines',
    { 'package.json': '{"devEngines":{"runtime":[{"name":"bun"},{"name":"node","version":"^92"}]}}' },
    'package.json (devEngines) asks for Node ^92',
  ],
  ['engines', { 'package.json': engines('^92 || ^94') }, 'package.json (engines) asks for Node ^92 || ^94'],
  ['a pick before a range', { '.nvmrc': '92', 'package.json': engines('>=18') }, '.nvmrc asks for Node 92'],
  [
    'the root for all packages',
    { '.nvmrc': '92', 'packages/a/package.json': engines('>=18') },
    '.nvmrc asks for Node 92',
  ],
  ['a word before it', { '.nvmrc': 'lts/*', 'package.json': engines('92') }, 'package.json (engines) asks for Node 92'],
])('%s is told', async (_name, files, expected) => {
  write(files);
  expect((await ask('packages/a'))?.what).toBe(`${expected}; tests and commands run with Node 97`);
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['nothing', {}],
  ['the same major version', { '.nvmrc': '97.1.0' }],
  ['a range with it', { 'package.json': engines('>=18') }],
  ['a pick of it before a range without it', { '.nvmrc': '97', 'package.json': engines('^92') }],
  ['a word', { '.nvmrc': 'lts/*' }],
  ['another tool', { '.tool-versions': 'nodejs-x 92\n# nodejs 92\n' }],
  ['what is no text', { 'package.json': engines(92) }],
  ['a broken manifest', { 'package.json': '{"engines":' }],
  ['a broken file of mise', { 'mise.toml': '[tools\nnode = "92"' }],
  ['a path in the place of a version', { '.nvmrc': '../../x' }],
  ['another package', { '.nvmrc': '97', 'packages/b/.nvmrc': '92' }],
])('%s is not told', async (_name, files) => {
  write(files);
  expect(await ask('packages/a')).toBeNull();
});

it('tells a package that asks for another Node than the rest of the project', async () => {
  write({ '.nvmrc': '97', 'packages/a/.nvmrc': '92' });
  expect(await ask('packages/a')).toMatchObject({
    what: 'packages/a/.nvmrc asks for Node 92; tests and commands run with Node 97',
    why: expect.stringContaining('one Node') as string,
  });
});

it('reads no link', async () => {
  write({ elsewhere: '92' });
  symlinkSync('elsewhere', join(root, '.nvmrc'));
  expect(await ask()).toBeNull();
});

it.each([
  ['^30 || ^33', 'run nvm install 30, then start the session again; or run fluffy image use node:30'],
  ['14', 'if a test fails only in a session, change the project so that it works with Node 97 too'],
])('for %s it says what to do', async (wish, fix) => {
  write({ '.node-version': wish });
  expect((await ask())?.fix).toBe(fix);
});

it('names the installed Node that is used, and why', async () => {
  install('92.1.0', '92.10.0', '94.0.0', '97.1.0');
  write({ '.nvmrc': '92' });
  expect(await ask()).toMatchObject({ level: 'info', what: 'Node 92.10.0 from nvm, requested by .nvmrc' });
});

it.each<[string, Readonly<Record<string, string>>, boolean]>([
  ['vitest', { 'package.json': '{"scripts":{"test":"vitest run"}}' }, true],
  ['bun', { 'package.json': '{"scripts":{"test":"bun test"}}' }, false],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'package.json': '{}' }, false],
])('is a matter of tests that run with Node: %s', (_name, files, expected) => {
  write(files);
  expect(runsInNode(findTests(root, '').nearest)).toBe(expected);
});
