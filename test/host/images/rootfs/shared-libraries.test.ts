import { expect, test } from 'vitest';
import { parseLdd } from '../../../../src/host/images/rootfs/shared-libraries.ts';

test.each([
  [
    'glibc',
    `\tlinux-vdso.so.1 (0x00007ffd)\n\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f51)\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f52)\n`,
    ['/lib/x86_64-linux-gnu/libm.so.6', '/lib64/ld-linux-x86-64.so.2'],
  ],
  [
    'musl',
    `\t/lib/ld-musl-x86_64.so.1 (0x7f)\n\tlibstdc++.so.6 => /usr/lib/libstdc++.so.6 (0x7f)\n`,
    ['/lib/ld-musl-x86_64.so.1', '/usr/lib/libstdc++.so.6'],
  ],
  ['a library that is missing', '\tlibnone.so => not found\n', []],
  ['a static program', '\tnot a dynamic executable\n', []],
  [
    'several programs, one library',
    '/bin/a:\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n/bin/b:\n\tlibc.so.6 => /lib/libc.so.6 (0x2)\n',
    ['/lib/libc.so.6'],
  ],
])('%s', (_name, output, expected) => {
  expect(parseLdd(output)).toEqual(expected);
});
