import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mergeReview } from '../../src/kernel/review/review-facts.ts';
import { requireRunner } from '../../src/kernel/runners/registry.ts';
import { callAll, callTool } from '../support/kernel/calls.ts';
import { buildRunnerPrograms, HostTestRunner } from '../support/kernel/host-test-runner.ts';
import { testKernel } from '../support/kernel/test-kernel.ts';
import { HONEST_WAYS } from './way.ts';
import type { HonestWay } from './way.ts';

const directory = mkdtempSync(join(tmpdir(), 'fluffy-honest-'));
const programs = buildRunnerPrograms(
  directory,
  ['node-test', 'vitest'].map((name) => requireRunner(name).program),
);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** All that the model does, with the project's real runner; then what a person would be asked. */
async function play({ runner, kind, files, calls }: HonestWay) {
  const host = new HostTestRunner(programs);
  try {
    const kernel = testKernel({
      state: 'planning',
      files,
      testCommand: { runner, cwd: '', args: [] },
      kernelOptions: { project_root: host.project },
    });
    kernel.sandboxes.runTests = host.run;
    const { services, session, workspace } = kernel;
    await callTool(kernel, 'plan.complete', { summary: 'Do it', steps: [], kind });
    const refusals: string[] = [];
    for (const call of calls)
      for (const { ok, content } of await callAll(kernel, [call])) if (!ok) refusals.push(content);
    const prepared = { message: 'Do it', diff: await workspace.diff() };
    const review = await mergeReview(services, session, workspace, '0'.repeat(40), prepared);
    return { state: session.state, refusals, reasons: review.reasons };
  } finally {
    host.close();
  }
}

describe('an honest way reaches its commit', () => {
  it.each(HONEST_WAYS)('$runner: $name', { timeout: 120_000 }, async (way) => {
    const { state, refusals, reasons } = await play(way);
    expect(refusals).toEqual([]);
    expect(state).toBe('reviewing');
    if (way.reasons.length === 0) expect(reasons).toEqual([]);
    for (const words of way.reasons) expect(reasons.join('\n')).toMatch(words);
  });
});
