import { expect, it } from 'vitest';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const SESSION: TestKernelOptions = {
  files: { 'test/a.test.js': 'old' },
  testCommand: { runner: 'node-test', cwd: '', args: [] },
  snapshot: { base: { branch: 'main', head: '1'.repeat(40) } },
};

it('the baseline is run once for each head', async () => {
  const kernel = testKernel(SESSION);
  const { services, session, sandboxes, context } = kernel;
  let isBroken = false;
  sandboxes.runTests = (run) => nodeTestReport(run, { old: !isBroken });
  const get = () => context.baseline.get(services, session, context.signal);
  expect(await get()).toMatchObject({ failed: [] });
  await get();
  expect(sandboxes.testRuns).toHaveLength(1);

  isBroken = true;
  session.update({ base: { branch: 'main', head: '2'.repeat(40) }, baseline: null });
  expect(await get()).toMatchObject({ failed: ['test/a.test.js\0old'] });
  expect(sandboxes.testRuns).toHaveLength(2);
});

it('who waits for it sees how many cases have ended', async () => {
  const { services, session, sandboxes, context } = testKernel(SESSION);
  const counts: unknown[] = [];
  sandboxes.test = (operation) => {
    operation.progress?.onCounts({ done: 3, failed: 1 });
    return Promise.resolve({ kind: 'failed', reason: 'lost' });
  };
  await context.baseline.get(services, session, context.signal, (each) => counts.push(each));
  expect(counts[0]).toEqual({ done: 3, failed: 1 });
});

it('a sandbox that was lost says nothing about the project: the baseline is run again, and later once more', async () => {
  const { services, session, sandboxes, context } = testKernel(SESSION);
  const get = () => context.baseline.get(services, session, context.signal);
  const lost = { kind: 'failed', reason: 'connect ECONNREFUSED guard.sock' } as const;
  let losses = 3;
  sandboxes.runTests = (run) => ((losses -= 1) >= 0 ? lost : nodeTestReport(run, { old: true }));
  expect(await get()).toEqual({ kind: 'unknown', why: 'crashed: connect ECONNREFUSED guard.sock' });
  expect(session.snapshot.baseline).toBeNull();
  expect(await get()).toMatchObject({ kind: 'known', passed: ['test/a.test.js\0old'] });
  expect(session.snapshot.baseline).toMatchObject({ kind: 'known' });
});

it('a run whose runner was killed is repeated once; if it is killed again, that is the result of the suite', async () => {
  const killed = { exit: { kind: 'signalled', signal: 'SIGKILL' }, report: null } as const;
  for (const [kills, kind] of [
    [1, 'known'],
    [2, 'unknown'],
  ] as const) {
    const { services, session, sandboxes, context } = testKernel(SESSION);
    let left: number = kills;
    sandboxes.runTests = (run) => ((left -= 1) >= 0 ? killed : nodeTestReport(run, { old: true }));
    expect(await context.baseline.get(services, session, context.signal)).toMatchObject({ kind });
    expect(session.snapshot.baseline).toMatchObject({ kind });
    expect(sandboxes.testRuns).toHaveLength(2);
  }
});
