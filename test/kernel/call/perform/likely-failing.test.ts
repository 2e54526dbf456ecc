import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../../src/contracts/session/session-facts.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { nodeTestReports } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const RED = 'test/red.test.js';
const OLD = 'test/old.test.js';
const OTHER = 'test/other.test.js';
const ALL = [OLD, OTHER, RED];

const LONG: Baseline = {
  kind: 'known',
  passed: [`${OLD}\0${OLD}`, `${OTHER}\0${OTHER}`],
  failed: [],
  broken_files: [],
  duration_ms: 60_000,
};

/** A task whose source is written. `run` writes a source that fails in some test files, calls `test.run`, and answers which files were run first, and next. */
async function writing(baseline: Baseline = LONG) {
  const kernel = testKernel({
    files: { 'package.json': '{}', [OLD]: 'old', [OTHER]: 'other' },
    staged: { [RED]: 'red' },
    state: 'test_writing',
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    snapshot: { baseline },
  });
  const ran: string[][] = [];
  let differs = false;
  kernel.sandboxes.runTests = (run) => {
    const files = (run.operation.job.input ?? '').match(/test\/\w+\.test\.js/g) ?? [];
    if (files.length > 0) ran.push([...new Set(files)].sort());
    const failing = run.files.get('src/a.js')?.text ?? `// ${RED}`;
    const isAgain = differs && ran.length > 1;
    return nodeTestReports(run, (path) => ({ [path]: isAgain || !failing.includes(path) }));
  };
  await callTool(kernel, 'test.run', {});
  const run = async (failing: readonly string[], paths: readonly string[] = []) => {
    await callTool(kernel, 'fs.write', { path: 'src/a.js', content: `// ${failing.join(' ')}\n` });
    ran.length = 0;
    const { ok, content } = await callTool(kernel, 'test.run', { paths });
    return { ok, content, runs: ran.slice(0, 2), third: ran[2] };
  };
  return { ...kernel, run, differ: () => (differs = true) };
}

describe('of a suite that takes long, the files that are most likely to fail are run first', () => {
  it('those that were red: where they still fail, the others are not run', async () => {
    const { run, session, eventsOf } = await writing();
    const { ok, content, runs } = await run([RED, OLD]);
    expect({ ok, runs }).toEqual({ ok: false, runs: [[RED]] });
    expect(content).toContain(`${RED} › ${RED} still fails: `);
    expect(content).toContain('The other 2 test files were not run.');
    expect(session.state).toBe('code_writing');
    expect(eventsOf('test.finished').at(-1)).toMatchObject({ outcome: 'failed', failed: 1, passed: 0 });
  });

  it('where they pass, the whole suite decides', async () => {
    const { run } = await writing();
    const { ok, content, runs } = await run([OLD]);
    expect({ ok, runs }).toEqual({ ok: false, runs: [[RED], ALL] });
    expect(content).toContain(`${OLD} › ${OLD} fails`);
    expect(content).not.toContain('not run');
  });

  it('and those that failed in the last run of the suite, each once', async () => {
    const { run } = await writing();
    await run([OLD]);
    const again = await run([OLD]);
    expect(again.content).toContain('The other test file was not run.');
    expect(again.runs[0]).toEqual([OLD, RED]);
    expect((await run([OLD])).runs).toEqual([[RED], ALL]);
  });

  it.each([
    ['a file', OTHER],
    ['a directory', 'test'],
  ])('and %s that the model names, where it is not all', async (_, path) => {
    const { run } = await writing();
    const first = path === OTHER ? [OTHER, RED] : ALL;
    expect((await run([OTHER], [path])).runs[0]).toEqual(first);
  });

  it('is green by the whole suite alone', async () => {
    const { run, session } = await writing();
    const { ok, runs } = await run([]);
    expect({ ok, runs }).toEqual({ ok: true, runs: [[RED], ALL] });
    expect(session.snapshot.failing_files).toEqual([]);
  });

  it('a failure that does not come again is left to the whole suite', async () => {
    const { run, differ } = await writing();
    await run([OLD]);
    differ();
    expect(await run([OLD])).toMatchObject({ runs: [[OLD, RED], [OLD]], third: ALL });
  });
});

it.each<[string, Baseline]>([
  ['that is short', { ...LONG, duration_ms: 9_000 }],
  ['of which nobody knows how long it takes', { kind: 'known', passed: [], failed: [], broken_files: [] }],
  ['that could not be run', { kind: 'unknown', why: 'crashed' }],
])('a suite %s is run whole at once', async (_, baseline) => {
  const { run } = await writing(baseline);
  expect((await run([RED])).runs).toEqual([ALL]);
});
