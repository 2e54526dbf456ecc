import { expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { callTool } from '../../support/kernel/calls.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernel } from '../../support/kernel/test-kernel.ts';

/** Calls that have an effect, or start something that could have one. */
const CALLS = [
  ['fs.write', { path: 'src/a.js', content: 'new' }],
  ['fs.edit', { path: 'src/a.js', old_string: 'old', new_string: 'new' }],
  ['fs.delete', { path: 'src/a.js' }],
  ['fs.move', { from: 'src/a.js', to: 'src/b.js' }],
  ['shell.run', { command: ['prettier', '--write', 'src/a.js'], effects: 'stage' }],
  ['shell.run', { command: ['git', 'log'] }],
  ['test.run', {}],
] as const;

const kernelWith = (): TestKernel =>
  testKernel({
    files: { 'src/a.js': 'old', 'test/a.test.js': '' },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
  });

function started({ sandboxes }: TestKernel): number {
  return sandboxes.operations.length + sandboxes.testRuns.length;
}

/** Whether the call reached its end; the log may stop it anywhere. */
async function call(kernel: TestKernel, [tool, input]: readonly [string, unknown]): Promise<'ended' | 'no log'> {
  try {
    await callTool(kernel, tool, input);
    return 'ended';
  } catch (error) {
    if (error instanceof FluffyError && error.code === 'audit_write_failed') return 'no log';
    throw error;
  }
}

it.each(CALLS)('%s %j starts nothing and stages nothing where the log goes before its intent', async (...each) => {
  const whole = kernelWith();
  expect(await call(whole, each)).toBe('ended');
  expect(started(whole)).toBeGreaterThan(0);
  const intent = whole.audit.records.findIndex(({ event_type }) => event_type === 'tool_execute');
  expect(intent).toBeGreaterThan(-1);

  for (let records = 0; records <= intent; records += 1) {
    const kernel = kernelWith();
    kernel.audit.failAfter = records;
    expect({ records, outcome: await call(kernel, each) }).toEqual({ records, outcome: 'no log' });
    expect(started(kernel)).toBe(0);
    expect(await kernel.workspace.changes()).toEqual([]);
  }
});

it('a session goes on when its log is back, and the call that had no intent has left nothing', async () => {
  const kernel = kernelWith();
  await call(kernel, CALLS[0]);
  kernel.audit.failing = true;
  expect(await call(kernel, ['fs.write', { path: 'src/b.js', content: 'b' }])).toBe('no log');
  kernel.audit.failing = false;
  expect(await call(kernel, ['fs.write', { path: 'src/c.js', content: 'c' }])).toBe('ended');
  expect((await kernel.workspace.changes()).map(({ path }) => path)).toEqual(['src/a.js', 'src/c.js']);
});
