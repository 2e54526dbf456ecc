import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolchainStamp } from '../../../src/host/toolchains/toolchain-stamp.ts';

let root: string;
let project: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-stamp-'));
  project = join(root, 'project');
  for (const made of ['project', '.nvm/versions/node', '.pyenv/versions', '.rustup/toolchains'])
    mkdirSync(join(root, made), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const stamp = (more: Readonly<Record<string, string>> = {}): Promise<string> =>
  toolchainStamp({ projectRoot: project, env: { HOME: root, ...more } });

function write(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '22\n');
}

it.each([
  'project/.nvmrc',
  'project/.python-version',
  'project/.tool-versions',
  'project/rust-toolchain.toml',
  'project/.venv/pyvenv.cfg',
  'project/venv/pyvenv.cfg',
  '.nvm/versions/node/v22.1.0/bin/node',
  '.pyenv/versions/3.13.1/bin/python3',
  '.rustup/toolchains/nightly/bin/cargo',
])('is another one once there is %s', async (path) => {
  const before = await stamp();
  expect(await stamp()).toBe(before);
  write(path);
  expect(await stamp()).not.toBe(before);
});

it('is another one in a virtual environment outside of the project', async () => {
  const before = await stamp();
  expect(await stamp({ VIRTUAL_ENV: join(root, 'envs/a') })).not.toBe(before);
  expect(await stamp({ VIRTUAL_ENV: join(project, '.venv') })).toBe(before);
});

it.each(['project/package.json', 'project/src/a.js', 'project/.venv/lib/a.py'])(
  'stays as it is when %s is written',
  async (path) => {
    write('project/.venv/pyvenv.cfg');
    const before = await stamp();
    write(path);
    expect(await stamp()).toBe(before);
  },
);
