import { describe, expect, it } from 'vitest';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { caseId } from '../../../../src/kernel/proof/test-case-id.ts';
import { judgeVariants, observeVariants } from '../../../../src/kernel/proof/variants/observe-variants.ts';
import type { Tried } from '../../../../src/kernel/proof/variants/observe-variants.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const FILE = 'test/f.test.js';
const ID = `${FILE}\0doubles`;

function tried(mark: string, cases: Readonly<Record<string, boolean>>, more: Partial<TestRun> = {}): Tried {
  const reported = Object.entries(cases).map(([name, passed]): TestCase => ({
    file: FILE,
    name,
    status: passed ? 'passed' : 'failed',
    duration_ms: 1,
    ...(passed ? {} : { failure: { kind: 'assertion', message: 'not equal' } }),
  }));
  const run = {
    run_id: 't',
    outcome: 'failed',
    cases: reported,
    requested: [FILE],
    duration_ms: 1,
    ...more,
  } as TestRun;
  return { variants: [{ mark, name: 'doubles', line: 3, path: FILE }], run };
}

const NOTHING: Tried = { variants: [], run: null };
const TWICE = tried('_x1x', { doubles: true, doubles_x1x: true });

describe('new tests in other forms', () => {
  it.each<[what: string, repeated: Tried, wrong: Tried, outcome: string, detail: RegExp]>([
    [
      'all is as it should be',
      TWICE,
      tried('_x2x', { doubles_x2x: false }),
      'held',
      /^1 passes .*, 1 fails with a wrong expected value$/,
    ],
    ['there is nothing to expect', TWICE, NOTHING, 'held', /^1 passes when run twice in one process$/],
    [
      'the second time differs',
      tried('_x1x', { doubles: true, doubles_x1x: false }),
      NOTHING,
      'failed',
      /test\.js:3 › doubles fails when it runs twice in one process: not equal/,
    ],
    [
      'a comment in the source makes a difference',
      tried('_x1x', { doubles: false, doubles_x1x: false }),
      NOTHING,
      'failed',
      /^test\/f\.test\.js › doubles fails when the source only gets a comment/,
    ],
    [
      'a wrong expectation passes',
      TWICE,
      tried('_x2x', { doubles_x2x: true }),
      'failed',
      /:3 › doubles also passes with a wrong expected value/,
    ],
    [
      'of a table one row notices',
      TWICE,
      tried('_x2x', { 'doubles_x2x 1': true, 'doubles_x2x 2': false }),
      'held',
      /wrong expected value/,
    ],
    [
      'wrong expectations cannot be built',
      TWICE,
      tried('_x2x', {}),
      'held',
      /^1 passes when run twice in one process$/,
    ],
    ['no copy ran', tried('_x1x', { doubles: true }), NOTHING, 'impossible', /no test ran a second time/],
    [
      'the run is none',
      tried('_x1x', {}, { outcome: 'timeout', why: 'It took too long.' }),
      NOTHING,
      'impossible',
      /^run twice: /,
    ],
  ])('%s', (_what, repeated, wrong, outcome, detail) => {
    const judged = judgeVariants([ID], repeated, wrong);
    expect(judged.outcome).toBe(outcome);
    expect(judged.detail).toMatch(detail);
  });
});

it('reports state that cases may leave behind only if they differ in a second run', () => {
  const differing = tried('_x1x', { doubles: true, doubles_x1x: false });
  const asking = { ...differing, variants: differing.variants.map((each) => ({ ...each, repeatsCalls: true })) };
  const again = (repeated: Tried, wrong = NOTHING) => judgeVariants([ID], repeated, wrong).differs_again;
  expect(again(differing)).toBe(true);
  expect(again(tried('_x1x', { doubles: false, doubles_x1x: false }))).toBe(true);
  expect(again(asking)).toBe(false);
  expect(again(TWICE, tried('_x2x', { doubles_x2x: true }))).toBe(false);
  expect(again(TWICE)).toBeUndefined();
});

describe('where no case can be written a second time', () => {
  const observed = async (path: string, after: string) => {
    const kernel = testKernel({ state: 'code_writing', files: {}, staged: { [path]: after } });
    const texts = [{ path, role: 'test', before: null, after }] as const;
    const command = { runner: 'node-test', cwd: '', args: [] };
    const cases = [caseId({ file: path, name: 'a' })];
    return observeVariants(kernel.context, { command, suite: TWICE.run as TestRun, texts, cases, sources: [] });
  };

  it('a language with a grammar leaves it open', async () => {
    const text = 'test(...given, () => assert.equal(f(1), 2));\n';
    expect(await observed('test/a.test.js', text)).toMatchObject({ observation: 'variants', outcome: 'impossible' });
  });

  it('a language without a grammar is a finding, and nothing is observed', async () => {
    expect(await observed('test/a.sh', 'f 1\n')).toBeNull();
  });
});
