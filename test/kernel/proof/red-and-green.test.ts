import { describe, expect, it } from 'vitest';
import type { TestCase, TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { baselineOf } from '../../../src/kernel/proof/baseline.ts';
import { judgeGreen } from '../../../src/kernel/proof/green.ts';
import { judgeRed, noLongerRed } from '../../../src/kernel/proof/red.ts';
import type { Baseline, Red } from '../../../src/contracts/session/session-facts.ts';

const FILE = 'test/new.test.js';
const OLD = 'test/old.test.js';

function testCase(file: string, name: string, status: TestCase['status'], failure?: TestCase['failure']): TestCase {
  const cause = status === 'failed' ? (failure ?? { kind: 'assertion' as const, message: '1 !== 2' }) : undefined;
  return { file, name, status, duration_ms: 1, ...(cause === undefined ? {} : { failure: cause }) };
}

function run(cases: readonly TestCase[], change: Partial<TestRun> = {}): TestRun {
  const failed = cases.some((each) => each.status === 'failed');
  return {
    outcome: failed ? 'failed' : 'passed',
    cases: [...cases],
    files: [...new Set(cases.map((each) => each.file))],
    requested: [],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output: '',
    ...change,
  };
}

const BASELINE: Baseline = { kind: 'known', passed: [`${OLD}\0works`], failed: [`${OLD}\0broken`], broken_files: [] };
const load = (specifier?: string): TestCase =>
  testCase(FILE, '(load)', 'failed', {
    kind: 'load',
    message: 'no module',
    ...(specifier === undefined ? {} : { missing: { specifier } }),
  });

interface RedCase {
  readonly name: string;
  readonly run: TestRun;
  readonly changed?: readonly string[];
  readonly expected: string;
}

const RED: readonly RedCase[] = [
  { name: 'a new test that fails', run: run([testCase(FILE, 'a', 'failed')]), expected: 'red' },
  {
    name: 'a changed test that fails, beside passing ones',
    run: run([testCase(OLD, 'works', 'failed'), testCase(OLD, 'other', 'passed')]),
    changed: [OLD],
    expected: 'red',
  },
  {
    name: 'an error thrown by the test',
    run: run([testCase(FILE, 'a', 'failed', { kind: 'error', message: 'x is not a function' })]),
    expected: 'red',
  },
  { name: 'a module of the project that does not exist yet', run: run([load('../src/new.js')]), expected: 'red' },
  { name: 'nothing written', run: run([testCase(OLD, 'works', 'failed')]), changed: [], expected: 'no_tests_written' },
  { name: 'a run without the new file', run: run([testCase(OLD, 'broken', 'failed')]), expected: 'not_executed' },
  { name: 'a file without tests', run: run([], { files: [FILE] }), expected: 'zero_tests_collected' },
  {
    name: 'a file without tests beside others',
    run: run([testCase(OLD, 'works', 'passed')], { files: [FILE, OLD] }),
    expected: 'zero_tests_collected',
  },
  { name: 'a new test that passes', run: run([testCase(FILE, 'a', 'passed')]), expected: 'unexpected_green' },
  { name: 'a new test that is skipped', run: run([testCase(FILE, 'a', 'skipped')]), expected: 'unexpected_green' },
  {
    name: 'only what failed before',
    run: run([testCase(FILE, 'a', 'passed'), testCase(OLD, 'broken', 'failed')]),
    changed: [FILE, OLD],
    expected: 'no_target_failed',
  },
  {
    name: 'only an untouched test fails',
    run: run([testCase(FILE, 'a', 'passed'), testCase(OLD, 'works', 'failed')]),
    expected: 'no_target_failed',
  },
  { name: 'a syntax error', run: run([load()]), expected: 'load_failure' },
  { name: 'a package that is not installed', run: run([load('left-pad')]), expected: 'load_failure' },
  {
    name: 'a red test beside a file that does not load',
    run: run([testCase(FILE, 'a', 'failed'), load()]),
    expected: 'load_failure',
  },
  {
    name: 'a crash',
    run: run([testCase(FILE, '(file)', 'failed', { kind: 'crash', message: 'exit 1' })]),
    expected: 'load_failure',
  },
  { name: 'a tampered run', run: run([], { outcome: 'tampered', why: 'stubbed' }), expected: 'tampered' },
  { name: 'an invalid report', run: run([], { outcome: 'invalid' }), expected: 'invalid_report' },
  { name: 'a timeout', run: run([], { outcome: 'timeout' }), expected: 'timeout' },
  { name: 'out of memory', run: run([], { outcome: 'out_of_memory' }), expected: 'runner_failure' },
  { name: 'a runner that was killed', run: run([], { outcome: 'killed' }), expected: 'runner_failure' },
  { name: 'a runner that crashed', run: run([], { outcome: 'crashed' }), expected: 'runner_failure' },
];

describe('red', () => {
  it.each(RED)('$expected: $name', ({ run: ran, changed = [FILE], expected }) => {
    const outcome = judgeRed({
      run: ran,
      baseline: BASELINE,
      changedTests: new Set(changed),
      resolvesInside: (_, specifier) => specifier.startsWith('.'),
      explainNotCollected: (files) => `names for ${files.join()}`,
    });
    expect(outcome.kind === 'red' ? 'red' : outcome.code).toBe(expected);
    if (expected === 'not_executed')
      expect(outcome).toMatchObject({ why: expect.stringMatching(`names for ${FILE}$`) as string });
  });
});

const RED_EVIDENCE: Red = {
  run_id: 't_0000000000',
  cases: [`${FILE}\0a`],
  files: [],
  frozen: { [FILE]: 'h1' },
  sensitive: {},
  staging_digest: 'd',
  at_ms: 0,
};
const green = testCase(FILE, 'a', 'passed');
const works = testCase(OLD, 'works', 'passed');
const broken = testCase(OLD, 'broken', 'failed');

interface GreenCase {
  readonly name: string;
  readonly run: TestRun;
  readonly red?: Partial<Red> | null;
  readonly hashes?: Readonly<Record<string, string>>;
  readonly sourceChanged?: boolean;
  readonly expected: string;
  readonly findings?: number;
  readonly why?: RegExp;
}

const GREEN: readonly GreenCase[] = [
  { name: 'what was red passes, what passed still does', run: run([green, works]), expected: 'green', findings: 0 },
  { name: 'an old failure that still fails is said', run: run([green, works, broken]), expected: 'green', findings: 1 },
  { name: 'a test that passed and is gone is said', run: run([green]), expected: 'green', findings: 1 },
  {
    name: 'a test that passed and is skipped now is said',
    run: run([green, testCase(OLD, 'works', 'skipped')]),
    expected: 'green',
    findings: 1,
  },
  { name: 'what was red is gone', run: run([works]), expected: 'red_case_missing' },
  { name: 'what was red still fails', run: run([testCase(FILE, 'a', 'failed'), works]), expected: 'red_case_failing' },
  { name: 'what was red is skipped', run: run([testCase(FILE, 'a', 'skipped'), works]), expected: 'tests_weakened' },
  { name: 'what was red is todo', run: run([testCase(FILE, 'a', 'todo'), works]), expected: 'tests_weakened' },
  {
    name: 'one name passes and fails',
    run: run([green, testCase(FILE, 'a', 'failed'), works]),
    expected: 'red_case_failing',
  },
  { name: 'the test file changed', run: run([green, works]), hashes: { [FILE]: 'h2' }, expected: 'tests_changed' },
  { name: 'the test file was taken back', run: run([green, works]), hashes: {}, expected: 'tests_changed' },
  {
    name: 'another test file changed after red',
    run: run([green, works]),
    hashes: { [FILE]: 'h1', [OLD]: 'h9' },
    expected: 'tests_changed',
  },
  {
    name: 'a test that passed before fails',
    run: run([green, testCase(OLD, 'works', 'failed')]),
    expected: 'regression',
  },
  { name: 'another new test fails', run: run([green, works, testCase(FILE, 'b', 'failed')]), expected: 'tests_failed' },
  { name: 'no source has changed', run: run([green, works]), sourceChanged: false, expected: 'no_source_change' },
  {
    name: 'a file that could not load yields a passing test',
    run: run([green, works]),
    red: { cases: [], files: [FILE] },
    expected: 'green',
    findings: 0,
  },
  {
    name: 'a name that was seen on stand-ins is another one with the source',
    run: run([testCase(FILE, 'Shop::a', 'passed'), works]),
    red: { cases: [`${FILE}\0a`], files: [FILE] },
    expected: 'red_case_missing',
    why: /workflow\.revise_tests.*fixed texts/,
  },
  {
    name: 'a file that could not load yields nothing',
    run: run([works]),
    red: { cases: [], files: [FILE] },
    expected: 'red_case_missing',
  },
  {
    name: 'a file that could not load yields a skipped test',
    run: run([testCase(FILE, 'a', 'skipped'), works]),
    red: { cases: [], files: [FILE] },
    expected: 'red_case_missing',
  },
  {
    name: 'a file that could not load still fails in part',
    run: run([green, testCase(FILE, 'b', 'failed'), works]),
    red: { cases: [], files: [FILE] },
    expected: 'red_case_failing',
  },
  {
    name: 'an old failure in a file that could not load',
    run: run([green, works, broken]),
    red: { cases: [], files: [FILE, OLD] },
    expected: 'green',
    findings: 1,
  },
  { name: 'a tampered run', run: run([green, works], { outcome: 'tampered' }), expected: 'tampered' },
  { name: 'explore mode without red', run: run([works]), red: null, hashes: {}, expected: 'green', findings: 0 },
  {
    name: 'explore mode with a regression',
    run: run([testCase(OLD, 'works', 'failed')]),
    red: null,
    hashes: {},
    expected: 'regression',
  },
];

describe('red once more', () => {
  const red = { cases: ['test/a.test.js\0adds', 'test/b.test.js\0b'], files: ['test/a.test.js'] };

  it('is what it was while a file whose cases were seen with stand-ins does not load', () => {
    const again = { kind: 'red', cases: ['test/b.test.js\0b'], files: ['test/a.test.js'] } as const;
    expect(noLongerRed(red, again)).toEqual([]);
  });

  it('has lost the cases of a file that loads, and those of another one that never failed to', () => {
    expect(noLongerRed(red, { kind: 'red', cases: [], files: ['test/b.test.js'] })).toEqual([
      'test/a.test.js\0adds',
      'test/b.test.js\0b',
      'test/a.test.js',
    ]);
    expect(noLongerRed(red, { kind: 'not-red', code: 'tampered', why: '' })).toHaveLength(3);
  });
});

describe('green', () => {
  it.each(GREEN)(
    '$expected: $name',
    ({ run: ran, red = {}, hashes = { [FILE]: 'h1' }, sourceChanged = true, expected, findings, why }) => {
      const outcome = judgeGreen({
        run: ran,
        baseline: BASELINE,
        red: red === null ? null : { ...RED_EVIDENCE, ...red },
        testHashes: hashes,
        sourceChanged,
      });
      expect(outcome.kind === 'green' ? 'green' : outcome.code).toBe(expected);
      if (outcome.kind === 'green') expect(outcome.findings).toHaveLength(findings ?? 0);
      else if (why !== undefined) expect(outcome.why).toMatch(why);
    },
  );
});

it('says how a snapshot comes into the project where a runner advises a flag', () => {
  const message =
    "Cannot read snapshot file '/p/test/f.test.js.snapshot'. Rerun with the --test-update-snapshots flag.";
  const failing = { ...testCase(FILE, 'a', 'failed'), failure: { kind: 'error' as const, message } };
  const outcome = judgeGreen({
    run: run([failing, works]),
    baseline: BASELINE,
    red: RED_EVIDENCE,
    testHashes: { [FILE]: 'h1' },
    sourceChanged: true,
  });
  expect(outcome).toMatchObject({
    why: expect.stringContaining(`revise_tests and write the expected text by hand into ${FILE}.snapshot`) as string,
  });
});

describe('what failed before the session', () => {
  const judged = (baseline: Baseline, failing: TestCase) =>
    judgeGreen({ run: run([failing]), baseline, red: null, testHashes: {}, sourceChanged: true });
  const known = (change: Partial<Extract<Baseline, { kind: 'known' }>>): Baseline => ({
    kind: 'known',
    passed: [],
    failed: [],
    broken_files: [],
    ...change,
  });
  it.each<[string, Baseline, TestCase]>([
    ['a case', known({ failed: [`${OLD}\0broken`] }), testCase(OLD, 'broken', 'failed')],
    ['a file that did not load', known({ broken_files: [OLD] }), testCase(OLD, 'any', 'failed')],
  ])('may fail again, and is named: %s', (_name, baseline, failing) => {
    expect(judged(baseline, failing)).toEqual({
      kind: 'green',
      findings: [`${OLD} › ${failing.name} failed before this session and still does.`],
    });
  });

  it.each<[string, Baseline, TestCase]>([
    ['another case', known({ failed: [`${OLD}\0broken`] }), testCase(OLD, 'other', 'failed')],
    ['the same name elsewhere', known({ failed: [`${OLD}\0broken`] }), testCase(FILE, 'broken', 'failed')],
    ['another file', known({ broken_files: [OLD] }), testCase(FILE, 'any', 'failed')],
    ['a suite that was not known', { kind: 'unknown', why: 'no tests' }, testCase(OLD, 'broken', 'failed')],
  ])('excuses nothing else: %s', (_name, baseline, failing) => {
    expect(judged(baseline, failing)).toMatchObject({ kind: 'not-green', code: 'tests_failed' });
  });
});

describe('the baseline', () => {
  it('keeps apart what passed, what failed and what did not load', () => {
    expect(baselineOf(run([works, broken, load(), testCase(OLD, 'later', 'skipped')]))).toEqual({
      kind: 'known',
      passed: [`${OLD}\0works`],
      failed: [`${OLD}\0broken`],
      skipped: [`${OLD}\0later`],
      broken_files: [FILE],
      duration_ms: 1,
    });
  });

  it('is unknown when the suite could not be run, so that nothing counts as an old failure', () => {
    expect(baselineOf(run([], { outcome: 'crashed', why: 'no runner' })).kind).toBe('unknown');
  });
});
