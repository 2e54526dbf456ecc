import { expect, it } from 'vitest';
import type { TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { withUnbuilt } from '../../../../src/kernel/proof/run/unbuilt-files.ts';
import { MemoryWorkspace } from '../../../support/kernel/memory-workspace.ts';

const MANIFEST = JSON.stringify({ scripts: { build: 'tsc', test: 'mocha' } });

function runOf(specifier: string, more: object = {}): TestRun {
  const failure = { kind: 'load', message: 'Cannot find module', missing: { specifier, ...more } } as const;
  return {
    outcome: 'failed',
    cases: [
      { file: 'test/a.test.js', name: 'a', status: 'passed', duration_ms: 1 },
      { file: 'test/b.test.js', name: '(file)', status: 'failed', duration_ms: 1, failure },
    ],
    files: [],
    requested: [],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output: '',
  };
}

async function explained(runner: string, run: TestRun, manifest = MANIFEST): Promise<string> {
  const ignored = ['build/index.cjs', 'src/app/_version.py', 'node_modules/ms/index.js'];
  const workspace = new MemoryWorkspace({ 'package.json': manifest }, { ignored });
  const part = { runner, cwd: '', args: [] };
  return (await withUnbuilt(workspace, '/work/app', part, run)).cases[1]?.failure?.message ?? '';
}

it('a test that lacks a file that a build makes says so, and what to do', async () => {
  const message = await explained('mocha', runOf('../build/index.cjs'));
  expect(message).toContain('Cannot find module\nbuild/index.cjs is missing, and git ignores it');
  expect(message).toContain('run npm run build in the project');
  expect(message).toContain('[sh, -c, "npm run build && npm test"]');
  const python = await explained('pytest', runOf('/work/app/src/app/_version'));
  expect(python).toContain('Ask the user to build the project.');
});

it.each<[string, TestRun]>([
  ['a file that a task may write', runOf('../src/new.js')],
  ['a package', runOf('ms')],
  ['an export', runOf('../build/index.cjs', { export: 'add' })],
])('%s that is missing is no such file', async (_what, run) => {
  expect(await explained('mocha', run)).toBe('Cannot find module');
});
