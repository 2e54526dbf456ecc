import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kernelSeccomp } from '../../../src/cli/supervisor/kernel-seccomp.ts';
import { REPOSITORY } from '../../support/source/source-files.ts';

interface Profile {
  readonly defaultAction: string;
  readonly syscalls: readonly { readonly names: readonly string[]; readonly action: string }[];
}

it("the kernel's profile is that of tools and setxattr", () => {
  const text = readFileSync(join(REPOSITORY, 'seccomp/standard.json'), 'utf8');
  const standard = JSON.parse(text) as Profile;
  const kernel = JSON.parse(kernelSeccomp(text)) as Profile;
  const without = (names: readonly string[]) => names.filter((name) => name !== 'setxattr');
  expect(kernel).toEqual({
    ...standard,
    syscalls: [
      ...standard.syscalls.map((rule) => ({ ...rule, names: without(rule.names) })),
      { names: ['setxattr'], action: 'SCMP_ACT_ALLOW' },
    ],
  });
  expect(standard.syscalls.filter(({ names }) => names.includes('setxattr'))).toMatchObject([
    { action: 'SCMP_ACT_ERRNO' },
  ]);
});
