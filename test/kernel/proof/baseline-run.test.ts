import { expect, it } from 'vitest';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('the baseline is run once for each head', async () => {
  const kernel = testKernel({
    files: { 'test/a.test.js': 'old' },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    snapshot: { base: { branch: 'main', head: '1'.repeat(40) } },
  });
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
