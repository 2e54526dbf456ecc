import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolchainMounts } from '../../../src/host/toolchains/toolchain-mounts.ts';

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
