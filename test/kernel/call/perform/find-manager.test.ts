import { expect, it } from 'vitest';
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
    'poetry.lock is there. Ask the user to install them.',
  ],
])('no manager is found where %s', async (_what, files, why) => {
  expect(await findManager(workspaceOf(files))).toEqual({ kind: 'none', why: expect.stringContaining(why) as string });
});

it('the manager that is named is taken where two are there', async () => {
  const workspace = workspaceOf({ 'package.json': MANIFEST, 'go.mod': 'module a\n' });
  expect(await findManager(workspace, 'npm')).toMatchObject({ kind: 'found', name: 'npm' });
});
