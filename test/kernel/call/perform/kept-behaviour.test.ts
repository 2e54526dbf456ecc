import { describe, expect, it } from 'vitest';
import type { PlannedKind } from '../../../../src/contracts/review/change-kinds.ts';
import { callAll, callTool } from '../../../support/kernel/calls.ts';
import type { SentCall } from '../../../support/kernel/calls.ts';
import type { Files } from '../../../support/kernel/file-tree.ts';
import { nodeTestReports } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const SOURCE = 'export const add = (a, b) => a + b;\nexport const dead = 1;\n';
const TEST = 'assert.equal(add(1, 2), 3)';
const PROJECT: Files = { 'package.json': '{}', 'src/add.js': SOURCE, 'test/add.test.js': TEST };

const write = (path: string, content: string): SentCall => ({ tool: 'fs.write', input: { path, content } });
const RUN: SentCall = { tool: 'test.run', input: {} };

/** A session that plans such a change, and its calls. A test passes unless the source or the test itself says `broken`. */
async function play(kind: PlannedKind, ...calls: readonly SentCall[]) {
  const kernel = testKernel({
    state: 'planning',
    files: PROJECT,
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    snapshot: { baseline: { kind: 'known', passed: ['test/add.test.js\0adds'], failed: [], broken_files: [] } },
  });
  kernel.sandboxes.runTests = (run) => {
    const source = run.files.get('src/add.js')?.text ?? '';
    return nodeTestReports(run, (path) => ({
      adds: !source.includes('broken') && run.files.get(path)?.text.includes('broken') !== true,
    }));
  };
  await callTool(kernel, 'plan.complete', { summary: 'Add up', steps: [], kind });
  const answers: string[] = [];
  for (const call of calls) for (const { content } of await callAll(kernel, [call])) answers.push(content);
  return { state: kernel.session.state, last: answers.at(-1) ?? '', answers, kernel };
}

describe('a refactoring', () => {
  const REFACTORED = write('src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n');

  it('opens the source for a suite that passes, and reaches review with the same tests', async () => {
    const { state, answers } = await play('refactor', RUN, REFACTORED, RUN);
    expect(state).toBe('reviewing');
    expect(answers[0]).toContain('The source can be written now');
  });

  it('may begin with tests of what the source does today, which are frozen then', async () => {
    const added = write('test/more.test.js', 'more');
    const { state } = await play('refactor', added, RUN, REFACTORED, RUN);
    expect(state).toBe('reviewing');
    const late = await play('refactor', RUN, REFACTORED, added);
    expect(late.last).toContain('workflow.revise_tests');
  });

  it.each<[string, readonly SentCall[], RegExp]>([
    ['before the suite was run', [REFACTORED], /once test\.run has seen the suite pass\. Call test\.run\./],
    [
      'from a suite that fails',
      [write('test/add.test.js', 'broken'), RUN],
      /starts from a suite that passes.*plan\.complete again/,
    ],
    ['without a change of the source', [RUN, RUN, RUN], /passed|No source file/],
    ['that breaks a test', [RUN, write('src/add.js', 'broken'), RUN], /fails/],
  ])('is refused %s, and says what leads on', async (_, calls, words) => {
    const { state, last } = await play('refactor', ...calls);
    expect(last).toMatch(words);
    expect(state).not.toBe('reviewing');
  });

  it('sees the suite pass without the source that was staged before its tests were revised', async () => {
    const revise: SentCall = { tool: 'workflow.revise_tests', input: { reason: 'one more case' } };
    const { answers, state } = await play('refactor', RUN, REFACTORED, revise, RUN, RUN);
    expect(answers[3]).toContain('without the staged source');
    expect(state).toBe('reviewing');
  });

  it('can become a feature, which needs a test that fails', async () => {
    const again: SentCall = { tool: 'plan.complete', input: { summary: 'Add', steps: [], kind: 'feature' } };
    const { last, state } = await play('refactor', again, REFACTORED);
    expect(last).toContain('once test.run has seen a new test fail');
    expect(state).toBe('test_writing');
  });
});

describe('a deletion', () => {
  const DELETED = write('src/add.js', 'export const add = (a, b) => a + b;\n');

  it('reaches review where lines only go', async () => {
    expect(await play('deletion', RUN, DELETED, RUN)).toMatchObject({ state: 'reviewing' });
  });

  it('is refused where a line came, and says what else it could be', async () => {
    const { state, last } = await play(
      'deletion',
      RUN,
      write('src/add.js', 'export const add = (a, b) => b + a;\n'),
      RUN,
    );
    expect(last).toMatch(/was not there before.*plan again with kind refactor or feature/);
    expect(state).toBe('code_writing');
  });

  it('names what still has the name that goes', async () => {
    const user = write('src/other.js', "export const used = 'dead';\n");
    const { last } = await play('deletion', RUN, user, DELETED, RUN);
    expect(last).toContain('src/other.js has a line that was not there before');
  });
});

describe('tests alone', () => {
  it('reach review by passing on the source as it is', async () => {
    expect(await play('tests', write('test/more.test.js', 'more'), RUN)).toMatchObject({ state: 'reviewing' });
  });

  it('are refused where source is staged from an earlier plan', async () => {
    const { last, state } = await play(
      'refactor',
      RUN,
      write('src/add.js', 'export const add = (a, b) => b + a;\n'),
      { tool: 'workflow.revise_tests', input: { reason: 'tests alone' } },
      { tool: 'plan.complete', input: { summary: 'Test more', steps: [], kind: 'tests' } },
      write('test/more.test.js', 'more'),
      RUN,
    );
    expect(last).toMatch(/src\/add\.js changed, but the plan is for tests only/);
    expect(state).toBe('test_writing');
  });

  it.each<[string, readonly SentCall[], RegExp]>([
    ['without a test', [RUN], /Write the tests, then call test\.run/],
    ['that fail', [write('test/more.test.js', 'broken'), RUN], /fails/],
    ['with source', [write('src/add.js', 'x')], /plan is for tests only.*plan\.complete again/],
    ['under a name that nobody collects', [write('test/more.md', 'x'), RUN], /test\.run/],
  ])('are refused %s, and the refusal says what leads on', async (_, calls, words) => {
    const { state, last } = await play('tests', ...calls);
    expect(last).toMatch(words);
    expect(state).toBe('test_writing');
  });
});
