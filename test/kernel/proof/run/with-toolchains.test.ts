import { expect, it } from 'vitest';
import { inProjectNode, jobEnvironment, toolchainSettings } from '../../../../src/kernel/proof/run/with-toolchains.ts';
import { SYSTEM_PATH } from '../../../../src/kernel/runners/plain-command.ts';

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

it('puts a Python that replaces the system one after the virtual environments of the project', () => {
  const requested = { name: 'python', path: ['/links', '/py/bin'], env: {}, python: '/links' };
  const system = { PATH: SYSTEM_PATH };
  const own = { PATH: `/p/.venv/bin:${SYSTEM_PATH}` };
  expect(jobEnvironment(system, own, [requested, PYTHON])['PATH']).toBe(
    `/venv/bin:/p/.venv/bin:/links:/py/bin:${SYSTEM_PATH}`,
  );
  expect(jobEnvironment(system, {}, [requested])['PATH']).toBe(`/links:/py/bin:${SYSTEM_PATH}`);
  expect(toolchainSettings({ toolchains: [requested] })).toEqual({ first: ['/links'], path: ['/py/bin'], env: {} });
});

const NODE_TOOLCHAIN = { name: 'node', path: ['/kit'], env: {}, node: '/kit/node' };
const JOB = {
  argv: ['/usr/local/bin/node', 'run.mjs'],
  env: {},
  cwd: '',
  reportName: 'report',
  image: 'node',
} as const;

it.each([
  ['a runner of Node', { runsInNode: true }, [PYTHON, NODE_TOOLCHAIN], '/kit/node'],
  ['a runner that only our own program starts', {}, [NODE_TOOLCHAIN], '/usr/local/bin/node'],
  ['a host without another Node', { runsInNode: true }, [PYTHON], '/usr/local/bin/node'],
] as const)("the project's own Node in the job of %s", (_what, runner, toolchains, program) => {
  expect(inProjectNode(JOB, runner, toolchains)).toEqual({ ...JOB, argv: [program, 'run.mjs'] });
});
