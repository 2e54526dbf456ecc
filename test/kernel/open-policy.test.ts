import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPolicy } from '../../src/kernel/open-policy.ts';

let projectRoot: string;
beforeEach(() => {
  projectRoot = mkdtempSync(join(tmpdir(), 'fluffy-open-policy-'));
  mkdirSync(join(projectRoot, '.fluffy'));
});
afterEach(() => rmSync(projectRoot, { recursive: true, force: true }));

const file = () => join(projectRoot, '.fluffy/policy.yaml');
const opened = () => openPolicy({ shippedFile: 'policy.yaml', projectRoot, isSigned: () => Promise.resolve(true) });

describe('the policy of a project', () => {
  it('is the shipped one where the project has none', async () => {
    expect(await opened()).toMatchObject({ project: null });
  });

  it.each([
    ['a link', () => symlinkSync('/dev/zero', file()), 'ELOOP'],
    ['a directory', () => mkdirSync(file()), 'no regular file'],
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
