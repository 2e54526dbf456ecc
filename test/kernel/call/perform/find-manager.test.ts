import { describe, expect, it } from 'vitest';
import { findManager } from '../../../../src/kernel/call/perform/find-manager.ts';
import { MemoryWorkspace } from '../../../support/kernel/memory-workspace.ts';

const MANIFEST = '{ "name": "app" }\n';
const NO_TEXT = '\uffff';

function workspaceOf(files: Readonly<Record<string, string>>): MemoryWorkspace {
  const workspace = new MemoryWorkspace(files);
  const read = workspace.read.bind(workspace);
  workspace.read = async (path, maxBytes) => {
    const found = await read(path, maxBytes);
    return found.kind === 'file' && files[path] === NO_TEXT ? { ...found, bytes: Buffer.from([0xff]) } : found;
  };
  return workspace;
}

it.each([
  ['pom.xml', 'run mvn test in the project'],
  ['Gemfile', 'run bundle install in the project'],
  ['setup.py', '.venv/bin/pip install -e .'],
])('says how people install the packages of %s', async (manifest, command) => {
  const found = await findManager(workspaceOf({ [manifest]: '' }));
  expect(found).toEqual({ kind: 'none', why: expect.stringContaining(command) as string });
});

it.each<readonly [string, Record<string, string>, string]>([
  ['there is no manifest', {}, 'at the top of the project. Write one first, or ask the user.'],
  [
    'two managers are there and none is named',
    { 'package.json': MANIFEST, 'go.mod': 'module a\n' },
    'The project has packages of npm and go: name the manager.',
  ],
  [
    'the lockfile is no text',
    { 'package.json': MANIFEST, 'package-lock.json': NO_TEXT },
    'package-lock.json cannot be read as text.',
  ],
  [
    'another program manages the packages',
    { 'requirements.txt': 'a==1\n', 'poetry.lock': '' },
    'poetry.lock exists. Ask the user to run POETRY_',
  ],
])('no manager is found where %s', async (_what, files, why) => {
  expect(await findManager(workspaceOf(files))).toEqual({ kind: 'none', why: expect.stringContaining(why) as string });
});

it('the manager that is named is taken where two are there', async () => {
  const workspace = workspaceOf({ 'package.json': MANIFEST, 'go.mod': 'module a\n' });
  expect(await findManager(workspace, 'npm')).toMatchObject({ kind: 'found', name: 'npm' });
});

describe('lockfiles of several programs beside one package.json', () => {
  const named = (program: string) => JSON.stringify({ name: 'app', packageManager: `${program}@10.2.0` });
  const BOTH = { 'package.json': MANIFEST, 'package-lock.json': '{}', 'pnpm-lock.yaml': '' };
  const ci = (line: string) => ({ '.github/workflows/test.yml': `steps:\n  - run: ${line}\n` });

  it.each<readonly [string, Record<string, string>, string, string]>([
    [
      'packageManager names',
      { ...BOTH, 'package.json': named('pnpm') },
      'pnpm',
      'packageManager in package.json names pnpm',
    ],
    [
      'packageManager names, whatever CI says',
      { ...BOTH, 'package.json': named('npm'), ...ci('pnpm install') },
      'npm',
      'names npm',
    ],
    ['CI installs with', { ...BOTH, ...ci('npm ci') }, 'npm', "the project's CI installs with npm"],
    [
      'CI installs with, once it has installed itself',
      { ...BOTH, ...ci('npm i -g pnpm\n  - run: pnpm i') },
      'pnpm',
      'with pnpm',
    ],
    [
      'CI installs with, beside a lockfile of Bun',
      { 'package.json': MANIFEST, 'yarn.lock': '', 'bun.lock': '', '.travis.yml': 'install: yarn\n' },
      'yarn',
      'with yarn',
    ],
  ])('the one that %s counts, which is said', async (_what, files, name, why) => {
    expect(await findManager(workspaceOf(files))).toMatchObject({
      kind: 'found',
      name,
      chosen: expect.stringContaining(why) as string,
    });
  });

  it.each<readonly [string, Record<string, string>, string]>([
    ['nothing decides', BOTH, "nor the project's CI says which one counts. Name the manager: npm or pnpm."],
    ['CI installs with both', { ...BOTH, ...ci('npm ci && pnpm install') }, 'Name the manager: npm or pnpm.'],
    [
      'a program that is not here is named',
      { 'package.json': named('bun'), 'package-lock.json': '{}', 'bun.lock': '' },
      'names bun, whose packages cannot be installed here. Name the manager: npm.',
    ],
  ])('none is taken where %s', async (_what, files, why) => {
    expect(await findManager(workspaceOf(files))).toEqual({
      kind: 'none',
      why: expect.stringContaining(why) as string,
    });
  });

  it('the requested one counts if its lockfile is there', async () => {
    expect(await findManager(workspaceOf(BOTH), 'npm')).toMatchObject({ kind: 'found', name: 'npm' });
    expect(await findManager(workspaceOf({ 'package.json': MANIFEST, 'yarn.lock': '' }), 'npm')).toMatchObject({
      kind: 'none',
    });
  });
});
