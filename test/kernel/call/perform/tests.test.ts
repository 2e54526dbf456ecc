import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../../../src/contracts/session/workflow-states.ts';
import { attemptTests } from '../../../../src/kernel/proof/run/run-tests.ts';
import { nodeTest } from '../../../../src/kernel/runners/node-test/runner.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import type { Files } from '../../../support/kernel/file-tree.ts';
import { nodeTestReport } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const PROJECT: Files = { 'package.json': '{}' };
const TEST: Files = { 'test/lru.test.js': 'corrected' };

/** `test.run` with these files staged. The one test passes when source and test are there and right. */
async function runTests(staged: Files, state: SessionState = 'test_writing', paths?: readonly string[]) {
  const kernel = testKernel({
    state,
    files: PROJECT,
    staged,
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    snapshot: { baseline: { kind: 'known', passed: [], failed: [], broken_files: [] } },
  });
  kernel.sandboxes.runTests = (run) =>
    nodeTestReport(run, {
      evicts: run.files.get('src/lru.js')?.text === 'right' && run.files.get('test/lru.test.js')?.text === 'corrected',
    });
  const reply = await callTool(kernel, 'test.run', paths === undefined ? {} : { paths });
  return { ...kernel, reply };
}

describe('test.run in test_writing', () => {
  it('sees new tests fail without the source', async () => {
    const { reply, session, sandboxes } = await runTests(TEST);
    expect(sandboxes.testRuns.at(-1)?.job.input).toMatch(/"caseMs":2\d{4}\b/);
    expect(reply).toMatchObject({ ok: true, content: expect.stringMatching(/^1 failed/) as unknown });
    expect(session.state).toBe('code_writing');
  });

  it('sees a revised test fail without the source that was written before the revision', async () => {
    const { reply, session, openScratches } = await runTests({ ...TEST, 'src/lru.js': 'right' });
    expect(reply.content).toContain('ran without the staged source');
    expect(session.state).toBe('code_writing');
    expect(openScratches()).toBe(0);
  });

  it('still wants a test that fails, whatever the source', async () => {
    const { reply, eventsOf, session, openScratches } = await runTests({ 'src/lru.js': 'right' });
    expect(reply.ok).toBe(false);
    expect(eventsOf('tool.finished')).toMatchObject([{ error: { code: 'no_tests_written' } }]);
    expect(eventsOf('notice')).toMatchObject([{ what: 'The source stays closed', code: 'no_tests_written' }]);
    expect(session.state).toBe('test_writing');
    expect(session.snapshot.refused.gate).toBe(true);
    expect(openScratches()).toBe(0);
  });

  it('notes what decides how tests run as it was when they were seen to fail', async () => {
    const { session } = await runTests({ ...TEST, 'src/lru.js': 'right', 'package.json': '{"type":"module"}' });
    expect(Object.keys(session.snapshot.red?.sensitive ?? {})).toEqual(['package.json']);
  });
});

it('a run that takes minutes says so every half minute, and no longer when it is over', async () => {
  const kernel = testKernel({
    state: 'planning',
    files: { ...PROJECT, 'test/lru.test.js': '' },
    testCommand: { runner: 'node-test', cwd: '', args: [], timeout_ms: 600_000 },
  });
  kernel.sandboxes.test = async () => {
    await kernel.advance(29_000);
    expect(kernel.eventsOf('test.progress')).toEqual([]);
    for (let step = 0; step < 2; step += 1) await kernel.advance(30_000);
    return { kind: 'cancelled' };
  };
  await callTool(kernel, 'test.run', {});
  await kernel.advance(600_000);
  expect(kernel.eventsOf('test.progress')).toMatchObject([
    { elapsed_ms: 59_000, timeout_ms: 600_000 },
    { elapsed_ms: 89_000, timeout_ms: 600_000 },
  ]);
});

it('a run says how many cases have ended', async () => {
  const kernel = testKernel({
    state: 'planning',
    files: { ...PROJECT, 'test/lru.test.js': '' },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
  });
  const names: (string | undefined)[] = [];
  kernel.sandboxes.test = (operation) => {
    names.push(operation.progress?.name, operation.job.reportName);
    operation.progress?.onCounts({ done: 3, failed: 1 });
    return Promise.resolve({ kind: 'cancelled' });
  };
  await callTool(kernel, 'test.run', {});
  expect(kernel.eventsOf('test.counts')).toMatchObject([{ done: 3, failed: 1 }]);
  // The one file does not lead to the other.
  expect(new Set(names).size).toBe(2);
});

it('a run that nobody watches is described as one that somebody watches', async () => {
  const kernel = testKernel({ state: 'planning', files: PROJECT });
  const { services, session, workspace } = kernel;
  const described: unknown[] = [];
  kernel.sandboxes.test = ({ job }) => {
    described.push(Object.keys(JSON.parse(job.input ?? '{}') as object));
    return Promise.resolve({ kind: 'cancelled' });
  };
  const command = { runner: 'node-test', cwd: '', args: [] };
  const { signal } = new AbortController();
  for (const watched of [{}, { onCounts: () => undefined }])
    await attemptTests(services, { id: session.id, workspace, session, ...watched }, command, ['a.test.js'], signal);
  expect(described).toHaveLength(2);
  expect(described[0]).toContain('progress');
  expect(described[0]).toEqual(described[1]);
});

describe('test.run that only informs', () => {
  it('reports the run', async () => {
    const { reply, session } = await runTests({ ...TEST, 'src/lru.js': 'right' }, 'planning');
    expect(reply).toMatchObject({ ok: true, content: expect.stringMatching(/^0 failed, 1 passed/) as unknown });
    expect(session.state).toBe('planning');
  });

  it.each([
    [['test/lru.test.ts'], ''],
    [['src', 'docs/a.md'], ''],
    [['src/lru-spec.ts'], ': src/lru.test.ts in place of src/lru-spec.ts'],
  ])('fails for %j, where no test is, and says which names are collected', async (paths, names) => {
    const { reply, eventsOf } = await runTests(TEST, 'planning', paths);
    expect(reply).toMatchObject({
      ok: false,
      content: `not_found: No test file is at ${paths.join(', ')}. node-test collects ${nodeTest.pattern}${names}.`,
    });
    expect(eventsOf('test.finished')).toEqual([]);
  });

  it('fails where no test command is known', async () => {
    expect(await callTool(testKernel({ state: 'planning' }), 'test.run', {})).toMatchObject({
      ok: false,
      content: 'not_found: No test command is known for this project.',
    });
  });
});
