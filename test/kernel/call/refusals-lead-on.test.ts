import { describe, expect, it } from 'vitest';
import { callAll } from '../../support/kernel/calls.ts';
import type { SentCall } from '../../support/kernel/calls.ts';
import type { Files } from '../../support/kernel/file-tree.ts';
import { nodeTestReports } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const WRONG = 'export function max(a, b) {\n  return a;\n}\n';
const RIGHT = 'export function max(a, b) {\n  return a > b ? a : b;\n}\n';
const OTHER = 'export function max(a, b) {\n  if (a > b) return a;\n  return b;\n}\n';
const test = (...cases: readonly string[]): string =>
  `import { max } from '../src/max.js';\n${cases.map((each) => `test('${each}', () => assert.equal(max(${each})));\n`).join('')}`;
const OLD = test('2, 1), 2');
const NEW = test('1, 2), 2', '3, 2), 3');
const PROJECT: Files = { 'package.json': '{}', 'src/max.js': WRONG, 'test/old.test.js': OLD };

const write = (path: string, content: string): SentCall => ({ tool: 'fs.write', input: { path, content } });
const plan = (kind: string): SentCall => ({ tool: 'plan.complete', input: { summary: 'Do it', steps: [], kind } });
const RUN: SentCall = { tool: 'test.run', input: {} };
const REVISE: SentCall = { tool: 'workflow.revise_tests', input: { reason: 'it was wrong' } };
const COMMIT: SentCall = { tool: 'git.commit', input: { message: 'Do it' } };
const TEST = write('test/new.test.js', NEW);
const SIGN: Files = { 'src/sign.js': 'export const sign = Math.sign;\n', 'test/sign.test.js': 'sign' };
const DELETE_SIGN: SentCall = { tool: 'fs.delete', input: { path: 'src/sign.js' } };
const DELETE_SIGN_TEST: SentCall = { tool: 'fs.delete', input: { path: 'test/sign.test.js' } };
/** It registers something under a name that can be taken once. */
const leaving = (hook: string): SentCall =>
  write(
    'test/new.test.js',
    `import { max } from '../src/max.js';\n${hook}// leaves a name behind\ntest('larger', () => assert.equal(max(1, 2), 2));\n`,
  );
const SOURCE = write('src/max.js', RIGHT);

function maxOf(source: string, a: number, b: number): unknown {
  try {
    return new Function('a', 'b', `${source.replaceAll('export ', '')}; return max(a, b);`)(a, b) as unknown;
  } catch (error) {
    return error;
  }
}

/** A session in planning, and its messages, each of one call or several. */
function session(files: Files) {
  const kernel = testKernel({
    state: 'planning',
    files: { ...PROJECT, ...files },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
  });
  kernel.sandboxes.runTests = (run) => {
    const source = run.files.get('src/max.js')?.text ?? '';
    return nodeTestReports(run, (path) => {
      if (path === 'test/sign.test.js') return { signs: run.files.has('src/sign.js') };
      const asked = [...(run.files.get(path)?.text ?? '').matchAll(/max\((-?\d+), (-?\d+)\), (-?\d+)/g)];
      const text = run.files.get(path)?.text ?? '';
      const names = [...text.matchAll(/^;?test\('([^']*)'/gm)].map(([, name = '']) => name);
      const isLeft = text.includes('leaves') && !text.includes('afterEach');
      return Object.fromEntries(
        asked.map(([, a, b, expected], index) => [
          names[index] ?? '',
          maxOf(source, Number(a), Number(b)) === Number(expected) && !(isLeft && index > 0),
        ]),
      );
    });
  };
  const say = async (calls: readonly SentCall[]): Promise<string> =>
    (await callAll(kernel, calls)).map(({ content }) => content).join('\n');
  return { kernel, say };
}

interface Row {
  readonly files?: Files;
  /** Up to the refusal, which is the answer to the last call. */
  readonly before: readonly SentCall[];
  readonly refusal: RegExp;
  /** What the refusal says, done: at most three messages, the last of which proposes the commit. */
  readonly then: readonly (readonly SentCall[])[];
}

describe('a model that does what a refusal says has its commit proposed within three messages', () => {
  it.each<[string, Row]>([
    [
      'source before a plan',
      { before: [SOURCE], refusal: /plan\.complete/, then: [[plan('fix'), TEST, RUN], [SOURCE, RUN], [COMMIT]] },
    ],
    [
      'source before a failing test',
      {
        before: [plan('fix'), SOURCE],
        refusal: /Write and run the tests first/,
        then: [[TEST, RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'a commit before anything is green',
      {
        before: [plan('fix'), COMMIT],
        refusal: /not open in state test_writing.*Open now: .*test\.run/,
        then: [[TEST, RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'a run without a test',
      { before: [plan('fix'), RUN], refusal: /Write the test first/, then: [[TEST, RUN], [SOURCE, RUN], [COMMIT]] },
    ],
    [
      'new tests that pass already',
      {
        files: { 'src/max.js': RIGHT },
        before: [plan('feature'), TEST, RUN],
        refusal: /plan\.complete again with kind tests/,
        then: [[plan('tests'), RUN], [COMMIT]],
      },
    ],
    [
      'a test under a name that nobody collects',
      {
        before: [plan('fix'), write('test/new.md', 'x'), RUN],
        refusal: /test/,
        then: [[TEST, RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'a frozen test',
      {
        before: [plan('fix'), TEST, RUN, write('test/new.test.js', test('1, 2), 2'))],
        refusal: /frozen.*workflow\.revise_tests/,
        then: [[REVISE, write('test/new.test.js', test('1, 2), 2', '5, 4), 5')), RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'a new test that fails still',
      {
        before: [plan('fix'), TEST, RUN, write('src/max.js', `${WRONG}// more\n`), RUN],
        refusal: /still fails/,
        then: [[SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'an old test that fails now',
      {
        before: [plan('fix'), TEST, RUN, write('src/max.js', RIGHT.replace('? a : b', '? b : b')), RUN],
        refusal: /fails/,
        then: [[SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'a refactoring without the run that opens the source',
      {
        files: { 'src/max.js': RIGHT },
        before: [plan('refactor'), write('src/max.js', OTHER)],
        refusal: /Call test\.run/,
        then: [[RUN], [write('src/max.js', OTHER), RUN], [COMMIT]],
      },
    ],
    [
      'a refactoring from tests that fail',
      {
        before: [plan('refactor'), TEST, RUN],
        refusal: /plan\.complete again with kind fix/,
        then: [[plan('fix'), RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'a deletion that adds',
      {
        files: { 'src/max.js': RIGHT },
        before: [plan('deletion'), RUN, write('src/max.js', OTHER), RUN],
        refusal: /workflow\.revise_tests and plan again with kind refactor/,
        then: [[REVISE, plan('refactor'), RUN], [RUN], [COMMIT]],
      },
    ],
    [
      'a deletion of what has tests',
      {
        files: { 'src/max.js': RIGHT, ...SIGN },
        before: [plan('deletion'), RUN, DELETE_SIGN, RUN],
        refusal:
          /call workflow\.revise_tests, take the cases out of test\/sign\.test\.js \(fs\.delete.*test\.run once more/,
        then: [[REVISE, DELETE_SIGN_TEST, RUN], [RUN], [COMMIT]],
      },
    ],
    [
      'a deletion of frozen tests',
      {
        files: { 'src/max.js': RIGHT, ...SIGN },
        before: [plan('deletion'), RUN, DELETE_SIGN_TEST],
        refusal: /workflow\.revise_tests/,
        then: [[REVISE, DELETE_SIGN_TEST, RUN], [DELETE_SIGN, RUN], [COMMIT]],
      },
    ],
    [
      'tests that are only deleted, in a plan for a feature',
      {
        files: { 'src/max.js': RIGHT, ...SIGN },
        before: [plan('feature'), DELETE_SIGN_TEST, RUN],
        refusal: /call plan\.complete again with kind deletion/,
        then: [[plan('deletion'), RUN], [DELETE_SIGN, RUN], [COMMIT]],
      },
    ],
    [
      'a case that leaves something behind',
      {
        before: [plan('fix'), leaving(''), RUN, SOURCE, RUN],
        refusal: /fails when it runs twice.*call workflow\.revise_tests.*in beforeEach or afterEach of node:test/,
        then: [[REVISE, leaving('afterEach(clear);\n'), RUN], [RUN], [COMMIT]],
      },
    ],
    [
      'source in a plan for tests alone',
      {
        before: [plan('tests'), SOURCE],
        refusal: /plan\.complete again with another kind/,
        then: [[plan('fix'), TEST, RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'tests alone that fail',
      {
        before: [plan('tests'), TEST, RUN],
        refusal: /fails/,
        then: [[plan('fix'), RUN], [SOURCE, RUN], [COMMIT]],
      },
    ],
    [
      'tests alone without a test',
      {
        files: { 'src/max.js': RIGHT },
        before: [plan('tests'), RUN],
        refusal: /Write the tests, then call test\.run/,
        then: [[TEST, RUN], [COMMIT]],
      },
    ],
  ])('%s', async (_, { files = {}, before, refusal, then }) => {
    const { kernel, say } = session(files);
    let last = '';
    for (const call of before) last = await say([call]);
    expect(last).toMatch(refusal);
    expect(then.length).toBeLessThanOrEqual(3);
    for (const calls of then) last = await say(calls);
    expect([kernel.session.state, kernel.session.snapshot.commit_message], last).toEqual(['reviewing', 'Do it']);
  });
});
