import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProtectedLocations } from '../../../src/contracts/protected-locations.ts';
import { CORE_TAGS } from '../../../src/contracts/policy.ts';
import { decide } from '../../../src/kernel/policy/index.ts';
import { openPolicy } from '../../../src/kernel/policy-source/open-policy.ts';

let projectRoot: string;
beforeEach(() => {
  projectRoot = mkdtempSync(join(tmpdir(), 'fluffy-open-policy-'));
  mkdirSync(join(projectRoot, '.fluffy'));
});
afterEach(() => rmSync(projectRoot, { recursive: true, force: true }));

const file = () => join(projectRoot, '.fluffy/policy.yaml');
const locations: ProtectedLocations = { bootstrap: [], kernel: [], audit: [], state: [], keys: ['home/keys'] };
const opened = () =>
  openPolicy({ shippedFile: 'policy.yaml', projectRoot, locations, isSigned: () => Promise.resolve(true) });

describe('the policy of a project', () => {
  it.each([
    ['alone', null],
    [
      'with one that is signed and allows everything',
      'capabilities: [{ name: all, match: { path_glob: "**" }, action: allow }]',
    ],
  ])('closes what is fluffy’s own inside of it, %s', async (_title, text) => {
    if (text !== null) writeFileSync(file(), text);
    const { policy } = await opened();
    const read = (path: string) =>
      decide(
        policy,
        { syscall: 'fs.read', path, state: 'idle', mode: 'strict', tags: CORE_TAGS },
        { nowMonotonicMs: 0 },
      );
    expect(read('home/keys/anthropic')).toMatchObject({ decision: 'deny', rules: [{ name: 'protect-keys' }] });
    expect(read('home/keys.ts').decision).toBe('allow');
  });

  it('is the shipped one where the project has none', async () => {
    expect(await opened()).toMatchObject({ project: null });
  });

  it.each([
    ['a link', () => symlinkSync('/dev/zero', file()), 'symbolic link'],
    ['a directory', () => mkdirSync(file()), 'not a regular file'],
    [
      'so large that reading it would take the memory of the kernel',
      () => {
        writeFileSync(file(), 'capabilities: []\n');
        truncateSync(file(), 400 * 1024 * 1024);
      },
      'larger than 8388608 bytes',
    ],
  ])('that is %s stops the start', async (_what, make, why) => {
    make();
    await expect(opened()).rejects.toMatchObject({
      code: 'policy_invalid',
      why: expect.stringContaining(why) as string,
    });
  });
});
