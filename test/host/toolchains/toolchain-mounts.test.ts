import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownProgramMounts, toolchainMounts } from '../../../src/host/toolchains/toolchain-mounts.ts';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-mounts-')));
});
afterEach(() => rmSync(base, { recursive: true }));

it('are mounted from their real places, each once, where a link leads to them', async () => {
  const [disk, plain, absent] = ['disk/versions/3.12', 'plain', 'absent'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(disk, { recursive: true });
  mkdirSync(plain);
  symlinkSync('disk/versions', join(base, 'versions'));
  const placed = { source: plain, target: '/opt/there' };
  const toolchains = [{ mounts: [plain, join(base, 'versions/3.12')] }, { mounts: [disk], placed: [placed] }];
  expect(await toolchainMounts(toolchains, [plain, absent])).toEqual({
    dependencyMounts: [plain, absent, disk],
    placedMounts: [{ source: disk, target: join(base, 'versions/3.12') }, placed],
  });
});

it("are shown to a package manager only where it installs for the project's own Node or Python", () => {
  const toolchain = { name: '', path: [], env: {} };
  const toolchains = [
    { forTests: { ...toolchain, node: '/caches/node-1/node' } },
    { forTests: { ...toolchain, interpreter: '/home/me/.pyenv/versions/3.12.1/bin/python3.12' } },
    { forTests: toolchain },
  ];
  expect(ownProgramMounts(toolchains, 'node')).toEqual(['/caches/node-1']);
  const version = '/home/me/.pyenv/versions/3.12.1';
  expect(ownProgramMounts(toolchains, 'python')).toEqual([`${version}/bin`, `${version}/lib`]);
  expect(ownProgramMounts([{ forTests: toolchain }], 'python')).toEqual([]);
});
