import { describe, expect, it } from 'vitest';
import { checkCoverage } from '../../../../src/kernel/proof/coverage/check-coverage.ts';
import { baselineText } from '../../../../src/kernel/proof/coverage/baseline-file.ts';
import { describeSession } from '../../../../src/kernel/serve/describe-session.ts';
import { proposeCommit } from '../../../../src/kernel/commit/propose-commit.ts';
import type { CommittableResult, Commits } from '../../../../src/kernel/services.ts';
import { nodeTestReport } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../../support/kernel/test-kernel.ts';

const HEAD = '1'.repeat(40);
const FILE = '.fluffy/coverage-baseline.json';
const sourceOf = (count: number) => Array.from({ length: count }, (_, n) => `export const n${n} = ${n};\n`).join('');
const lines = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const baselineOf = (covered: number, total: number, runner = 'node-test') =>
  baselineText({ version: 1, lines: { covered, total }, runner, languages: ['javascript'] });
const EMPTY = baselineText({ version: 1, lines: null, runner: '', languages: [] });

interface Scene extends TestKernelOptions {
  readonly baseline?: string;
  /** How many of the twenty lines of src/a.js the suite executes; null: the runner does not count. */
  readonly executes?: number | null;
}

/** A session in reviewing, whose suite has passed. */
async function scene({ baseline, executes = 16, files, snapshot, commits, ...options }: Scene) {
  const log: string[] = [];
  const committable: CommittableResult = {
    kind: 'ok',
    tree: 't',
    dirty: [],
    view: { overrides: [], onHead: [], kept: [] },
    digest: 'v',
  };
  const repository: Partial<Commits> = {
    base: () => Promise.resolve({ kind: 'ok', branch: 'main', head: HEAD }),
    committable: () => Promise.resolve(committable),
    prepare: () => {
      log.push('prepare');
      return Promise.resolve({ kind: 'prepared', message: 'Change a', diff: '+2\n', findings: [] });
    },
    merge: () => Promise.resolve({ kind: 'committed', commit: 'c'.repeat(40) }),
  };
  const kernel = testKernel({
    state: 'reviewing',
    mode: 'explore',
    files: {
      'src/a.js': sourceOf(20),
      'test/a.test.js': 'old',
      ...(baseline === undefined ? {} : { [FILE]: baseline }),
      ...files,
    },
    staged: { 'src/b.txt': 'staged' },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    options: { interactive: false },
    ...options,
    commits: { ...repository, ...commits },
  });
  kernel.sandboxes.runTests = (run) => {
    log.push('suite');
    return nodeTestReport(run, { works: true }, executes === null ? undefined : { 'src/a.js': lines(executes) });
  };
  kernel.session.update({
    base: { branch: 'main', head: HEAD },
    dirty_at_start: [],
    baseline: { kind: 'known', passed: [], failed: [], broken_files: [] },
    green: {
      run_id: 't_2',
      at_ms: 2,
      staging_digest: await kernel.workspace.stagingDigest(),
      passed: 1,
      skipped: 0,
      failed: [],
    },
    ...snapshot,
  });
  const notices = () => kernel.eventsOf('notice').map(({ code }) => code);
  return { ...kernel, log, notices };
}

describe('in explore mode', () => {
  it.each([
    ['as the baseline', 16, [], null],
    ['above it', 18, [], null],
  ])('a commit with coverage %s is shown without a warning', async (_how, executes, codes, warning) => {
    const { context, session, notices } = await scene({ baseline: baselineOf(16, 20), executes });
    await proposeCommit(context, 'Change a');
    expect(notices()).toEqual(codes);
    expect(session.snapshot.coverage).toMatchObject({
      kind: 'measured',
      lines: { covered: executes, total: 20 },
      warning,
    });
    expect(session.snapshot.review).not.toBeNull();
  });

  it('a drop beyond the first threshold is a notice and a reason at review', async () => {
    const { context, session, notices } = await scene({ baseline: baselineOf(84, 100) });
    expect(await proposeCommit(context, 'Change a')).toEqual({ kind: 'end', end: { kind: 'waiting' } });
    const warning =
      'The suite executes 80% (16 of 20 lines) of the source, 4 points below the baseline. Policy warns beyond 2 points (tech_debt).';
    expect(session.snapshot.review?.reasons).toContain(warning);
    expect(notices()).toEqual(['coverage_dropped']);
  });

  it('a drop beyond the second one makes no commit, and says what leads on', async () => {
    const { context, session, notices, log } = await scene({ baseline: baselineOf(18, 20) });
    expect(await proposeCommit(context, 'Change a')).toEqual({
      kind: 'continue',
      message: expect.stringMatching(
        /80% \(16 of 20 lines\) of the source, 10 points below .* locks explore mode beyond 5 points .*Write tests that execute more .*\/strict.*\/budget/,
      ) as string,
    });
    expect(log).toEqual(['suite']);
    expect(session).toMatchObject({
      state: 'exploring',
      snapshot: { review: null, green: null, refused: { gate: true } },
    });
    expect(notices()).toEqual(['coverage_locked']);
  });

  it('never changes the baseline', async () => {
    const { context, session } = await scene({ baseline: baselineOf(10, 20), executes: 20 });
    await proposeCommit(context, 'Change a');
    expect(session.snapshot.coverage).toMatchObject({ kind: 'measured', next: null });
  });

  it('the thresholds are those of the policy', async () => {
    const { policy } = testKernel().services;
    const techDebt = { ...policy().techDebt, lockoutThreshold: -20, warningThreshold: -15 };
    const { context, notices } = await scene({ baseline: baselineOf(18, 20), policy: { ...policy(), techDebt } });
    await proposeCommit(context, 'Change a');
    expect(notices()).toEqual([]);
  });

  it.each([
    [
      'the runner counts no lines',
      { executes: null, baseline: baselineOf(18, 20) },
      'the test runner counted no lines',
    ],
    ['the baseline cannot be read', { baseline: '<<<<<<< HEAD' }, 'it is not JSON'],
  ])('where %s, a person sees that and nothing is locked', async (_why, given, why) => {
    const { context, session, notices } = await scene(given);
    await proposeCommit(context, 'Change a');
    expect(session.snapshot.review?.reasons.join()).toContain(why);
    expect(notices()).toEqual(['coverage_unmeasured']);
  });
});

describe('in strict mode', () => {
  const strict = { mode: 'strict', snapshot: { red: null } } as const;

  it.each([
    ['an empty baseline gets its first figure', EMPTY, baselineOf(16, 20)],
    ['a gain becomes the baseline', baselineOf(15, 20), baselineOf(16, 20)],
    ['a figure of another runner is replaced', baselineOf(19, 20, 'jest'), baselineOf(16, 20)],
    ['the same figure changes no file', baselineOf(16, 20), null],
    ['a drop leaves the baseline: the debt is still there', baselineOf(19, 20), null],
  ])('%s', async (_what, baseline, next) => {
    const { context, session, notices } = await scene({ ...strict, baseline });
    expect(await checkCoverage(context, HEAD)).toBeNull();
    expect(session.snapshot.coverage).toMatchObject({ kind: 'measured', next, locked: null, warning: null });
    expect(notices()).toEqual([]);
  });

  it('leaves a baseline alone that the user has edited', async () => {
    const commits = { textOnHead: () => Promise.resolve(EMPTY) };
    const { context, session } = await scene({ ...strict, baseline: baselineOf(1, 20), commits });
    await checkCoverage(context, HEAD);
    expect(session.snapshot.coverage).toMatchObject({ kind: 'measured', next: null });
  });

  it('does not measure what was exempt from tests', async () => {
    const exemption = { category: 'documentation', paths: ['README.md'], reason: 'words' };
    const { context, session, log } = await scene({ mode: 'strict', snapshot: { exemption }, baseline: EMPTY });
    expect(await checkCoverage(context, HEAD)).toBeNull();
    expect([session.snapshot.coverage, log]).toEqual([null, []]);
  });
});

describe('a measurement', () => {
  it('whose run does not end says so', async () => {
    const { context, sandboxes, session } = await scene({ baseline: EMPTY });
    sandboxes.runTests = () => ({ exit: { kind: 'timed-out', after_ms: 1_000 } });
    expect(await checkCoverage(context, HEAD)).toBeNull();
    expect(session.snapshot.coverage).toMatchObject({ kind: 'impossible', why: 'The tests were stopped after 1 s.' });
  });

  it('that failed is made again, and its reason is said once', async () => {
    const { context, sandboxes, log, notices, session } = await scene({ baseline: EMPTY, executes: null });
    await checkCoverage(context, HEAD);
    await checkCoverage(context, HEAD);
    expect([log.length, notices()]).toEqual([2, ['coverage_unmeasured']]);
    sandboxes.runTests = (run) => nodeTestReport(run, { works: true }, { 'src/a.js': lines(20) });
    await checkCoverage(context, HEAD);
    expect(session.snapshot.coverage).toMatchObject({ kind: 'measured' });
  });

  it('is not made in a project without a baseline', async () => {
    const { context, session, log } = await scene({});
    await proposeCommit(context, 'Change a');
    expect([session.snapshot.coverage, log]).toEqual([null, ['prepare']]);
  });

  it('is made once of one staged tree, and again of another', async () => {
    const { context, session, workspace, log, notices } = await scene({ baseline: baselineOf(84, 100) });
    await checkCoverage(context, HEAD);
    await checkCoverage(context, HEAD);
    expect(log).toEqual(['suite']);
    workspace.edit('src/b.txt', 'another');
    await checkCoverage(context, HEAD);
    await checkCoverage(context, '2'.repeat(40));
    expect(log).toEqual(['suite', 'suite', 'suite']);
    session.updateRow({ mode: 'debug' });
    await checkCoverage(context, '2'.repeat(40));
    expect(log.length).toBe(4);
    expect(notices().length).toBe(4);
  });

  it('counts sources that no test loads, in languages that are counted and no others', async () => {
    const files = { 'src/unused.js': sourceOf(10), 'tool.py': 'x = 1\n' };
    const { context, session } = await scene({ mode: 'strict', baseline: EMPTY, files });
    await checkCoverage(context, HEAD);
    // Tests are no source.
    expect(session.snapshot.coverage).toMatchObject({ lines: { covered: 16, total: 30 } });
    const python = baselineText({
      version: 1,
      lines: { covered: 1, total: 1 },
      runner: 'node-test',
      languages: ['python'],
    });
    const other = await scene({ mode: 'strict', baseline: python, files });
    await checkCoverage(other.context, HEAD);
    expect(other.session.snapshot.coverage).toMatchObject({ lines: { covered: 16, total: 31 } });
    const jest = await scene({ mode: 'strict', baseline: python.replace('node-test', 'jest'), files });
    await checkCoverage(jest.context, HEAD);
    expect(jest.session.snapshot.coverage).toMatchObject({ lines: { covered: 16, total: 30 } });
  });
});

describe('/budget', () => {
  const budget = async (given: Scene, measure = true) => {
    const { context, services, session } = await scene(given);
    if (measure) await checkCoverage(context, HEAD);
    return (await describeSession(services, session, 'budget')).split('\n').slice(-4);
  };

  it('shows the baseline, the last measurement, what is left, and what leads on', async () => {
    expect(await budget({ baseline: baselineOf(84, 100) })).toEqual([
      'coverage baseline 84% (84 of 100 lines), counted with node-test',
      'last measured 80% (16 of 20 lines), 4 points below the baseline',
      'explore mode warns below 82% (2 points), and is locked below 79% (5 points)',
      'to restore it: /strict, then ask for tests of code that none executes (such a change needs no failing test)',
    ]);
  });

  it.each<[Scene, string, boolean]>([
    [{}, 'coverage is not measured: fluffy config init --coverage begins it', false],
    [{ baseline: EMPTY }, 'coverage has no baseline yet: the next commit in strict mode measures it', false],
    [{ baseline: '{}' }, 'coverage is not compared: .fluffy/coverage-baseline.json cannot be read: version: ', false],
    [{ baseline: baselineOf(1, 2) }, 'coverage has not been measured in this session', false],
    [
      { baseline: baselineOf(1, 2, 'jest') },
      'last measured 80% (16 of 20 lines), with no baseline of the same runner',
      true,
    ],
    [{ baseline: baselineOf(1, 2), executes: null }, 'could not be measured: the test runner counted no lines', true],
  ])('%j: %s', async (given, text, measured) => {
    expect((await budget(given, measured)).join('\n')).toContain(text);
  });
});
