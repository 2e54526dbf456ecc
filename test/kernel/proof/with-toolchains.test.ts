import { expect, it } from 'vitest';
import { jobEnvironment } from '../../../src/kernel/proof/with-toolchains.ts';

const SYSTEM = { PATH: '/bin', LANG: 'C' };
const PYTHON = { name: 'python', path: ['/venv/bin'], env: { LANG: 'de', GOFLAGS: '-x' } };

it.each([
  ['by itself', {}, [], { PATH: '/bin', LANG: 'C' }],
  ['with a toolchain', {}, [PYTHON], { PATH: '/venv/bin:/bin', LANG: 'de', GOFLAGS: '-x' }],
  [
    'with directories and variables of its runner',
    { PATH: '/p/.venv/bin:/bin', GOFLAGS: '-v' },
    [PYTHON],
    { PATH: '/venv/bin:/p/.venv/bin:/bin', LANG: 'de', GOFLAGS: '-v' },
  ],
])('the environment of a job, %s', (_what, own, toolchains, expected) => {
  expect(jobEnvironment(SYSTEM, own, toolchains)).toEqual(expected);
});
