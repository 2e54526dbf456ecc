import { describe, expect, it } from 'vitest';
import type { ProjectPath } from '../../../../src/contracts/ids.ts';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { mutantsInTurns } from '../../../../src/kernel/proof/mutation/chosen-mutants.ts';
import type { Executed } from '../../../../src/kernel/proof/mutation/known-lines.ts';
import { observeMutants } from '../../../../src/kernel/proof/mutation/observe-mutants.ts';
import type { MutationFacts } from '../../../../src/kernel/proof/mutation/mutation-facts.ts';
import { reasonsOf } from '../../../../src/kernel/proof/observations/prove.ts';
import { textEntry } from '../../../../src/kernel/proof/views/text-entry.ts';
import { unitedLines } from '../../../../src/kernel/runners/executed-lines.ts';
import { ranLines } from '../../../support/kernel/ran-lines.ts';
import { nodeTestReport } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../../support/kernel/test-kernel.ts';

const TEST = 'test/f.test.js';
const OTHER = 'test/g.test.js';
const SOURCE = `export function f(a, b) {
  if (a > b) return a + b;
  return a * b;
}
`;
const GREEN: TestRun = {
  outcome: 'passed',
  cases: [],
  files: [TEST, OTHER],
  requested: [],
  exit: { kind: 'exited', code: 0 },
  duration_ms: 100,
  output: '',
};
const COMMAND = { runner: 'node-test', cwd: '', args: [] };

const NOT_BUILT = {
  exit: { kind: 'exited' as const, code: 1 },
  report: Buffer.from('{"event":"load","index":0,"type":"build","message":"no"}\n{"event":"end"}\n'),
};

/** `notices` says whether the test file that runs fails on this source. */
async function observed(
  notices: (source: string, file: string, test: string) => boolean,
  given: {
    /** The run of the suite at green. */
    suite?: Partial<TestRun>;
    executed?: Executed;
    /** Whether the sandbox of the run with this number cannot be made. */
    fails?: (run: number) => boolean;
    /** How often the tests of this source do not end in time. */
    late?: { of: (source: string) => boolean; times: number };
    /** A runner that builds the source first, and what it can build. */
    built?: { runner: string; builds: (source: string) => boolean };
    source?: string;
    /** The same file before the change. */
    old?: string;
    eachFunction?: boolean;
    repeated?: MutationFacts['repeated'];
  } & TestKernelOptions = {},
) {
  const { services, built, source = SOURCE, old, eachFunction = false } = given;
  const command = { ...COMMAND, runner: built?.runner ?? COMMAND.runner };
  const staged = { 'src/f.js': source, [TEST]: 'new' };
  const kernel = testKernel({
    files: { [OTHER]: 'old', ...(old === undefined ? {} : { 'src/f.js': old }) },
    staged,
    testCommand: command,
    ...(services === undefined ? {} : { services }),
  });
  const ran: string[] = [];
  kernel.sandboxes.runTests = (run) => {
    if (given.fails?.(ran.length) === true) {
      ran.push('');
      return { kind: 'failed', reason: 'no engine' };
    }
    const file = /test\/\w\.test\.js/.exec(run.operation.job.input ?? '')?.[0] ?? '';
    ran.push(file);
    const { late } = given;
    if (late !== undefined && late.of(run.files.get('src/f.js')?.text ?? '') && late.times > 0) {
      late.times -= 1;
      return { exit: { kind: 'timed-out', after_ms: 10_000 }, report: Buffer.from('') };
    }
    if (built?.builds(run.files.get('src/f.js')?.text ?? '') === false) return NOT_BUILT;
    const textOf = (path: string): string => run.files.get(path)?.text ?? '';
    return nodeTestReport(run, { f: !notices(textOf('src/f.js'), file, textOf(file)) });
  };
  const sources = [{ path: 'src/f.js', role: 'source' as const, before: old ?? null, after: source }];
  const suite = { ...GREEN, ...given.suite };
  const facts = { command, suite, sources, breaks: 'the changed lines', files: [TEST], eachFunction };
  const { executed = { bySuite: null, byNew: null }, repeated } = given;
  const result = await observeMutants(kernel.context, {
    ...facts,
    executed,
    ...(repeated === undefined ? {} : { repeated }),
  });
  expect(kernel.openScratches()).toBe(0);
  return { ...result, ran, kernel };
}

describe('broken source', () => {
  it('is noticed by the new tests, which alone are run then', async () => {
    const { outcome, mutants, ran } = await observed((source) => source !== SOURCE);
    expect(outcome).toBe('held');
    expect(mutants).toEqual({ tried: 6, noticed: 6, survivors: [] });
    expect(new Set(ran)).toEqual(new Set([TEST]));
  });

  it('is counted while it is tried', async () => {
    const { kernel } = await observed((source) => source !== SOURCE);
    const counted = kernel.eventsOf('proof.progress').map(({ observation, done, total }) => [observation, done, total]);
    expect(counted).toEqual(Array.from({ length: 7 }, (_, done) => ['mutation', done, 6]));
  });

  it('is noticed by an old test where the new ones do not', async () => {
    const { mutants, ran } = await observed((_, file) => file === OTHER);
    expect(mutants).toMatchObject({ tried: 6, noticed: 6 });
    expect(ran).toHaveLength(12);
  });

  it('that no test notices is shown with its line and change', async () => {
    const { outcome, detail, mutants } = await observed((source) => !/a > b|a >= b|a < b|a <= b/.test(source));
    expect(outcome).toBe('failed');
    expect(mutants?.survivors.length).toBeGreaterThan(2);
    expect(detail).toContain('no test fails when `>` becomes `>=` in line 2 of src/f.js');
    expect(mutants?.survivors).toContainEqual({
      path: 'src/f.js',
      line: 2,
      mutator: 'swap-operator',
      words: 'no test fails when `>` becomes `>=` in line 2 of src/f.js',
    });
  });

  const ranBy = (newTest: readonly number[] | null, oldTest: readonly number[] | null): Executed => {
    const byNew = newTest === null ? null : ranLines(TEST, { 'src/f.js': newTest });
    const byOld = oldTest === null ? null : ranLines(OTHER, { 'src/f.js': oldTest });
    return { bySuite: unitedLines([byNew, byOld]), byNew };
  };
  const ALL = [1, 2, 3];

  it.each<[string, Executed, readonly string[]]>([
    ['of the new tests only, where no other runs the line', ranBy(ALL, []), [TEST]],
    ['of all that run the line', ranBy(ALL, ALL), [TEST, OTHER]],
    ['of all, where nothing was counted', ranBy(null, null), [TEST, OTHER]],
    ['of the new tests, where none runs the line: one may start a process that does', ranBy([], []), [TEST]],
    ['of the new tests as well, where only others run the line', ranBy([], ALL), [TEST, OTHER]],
  ])('is shown to the cases %s', async (_, executed, files) => {
    const { ran } = await observed(() => false, { executed });
    expect([...new Set(ran)].sort()).toEqual([...files].sort());
  });

  it.each<[string, Executed, string]>([
    ['no new test', ranBy([], ALL), ', which no new test executes'],
    ['no test', ranBy([], []), ', which no test executes'],
    ['a new test', ranBy(ALL, []), ''],
    ['nobody knows which test', ranBy(null, null), ''],
  ])('that nobody notices is named with its line, where it was executed by %s', async (_, executed, said) => {
    const { mutants } = await observed(() => false, { executed });
    const of = mutants?.survivors.filter(({ words }) => words.startsWith('no test fails when `>` becomes'));
    expect(of?.[0]?.words).toBe(`no test fails when \`>\` becomes \`>=\` in line 2 of src/f.js${said}`);
  });

  const failedAtGreen = (name: string, kind: 'assertion' | 'load'): TestCase[] =>
    [TEST, OTHER].map((file) => ({ file, name, status: 'failed', duration_ms: 1, failure: { kind, message: 'no' } }));

  it.each([
    ['a case that failed at green', failedAtGreen('f', 'assertion')],
    ['a file that did not load at green', failedAtGreen('', 'load')],
  ])('is not noticed by %s', async (_, cases) => {
    const { mutants } = await observed(() => true, { suite: { cases } });
    expect(mutants).toMatchObject({ tried: 6, noticed: 0 });
  });

  it('that never ends is stopped, and noticed', async () => {
    const { kernel, ...first } = await observed((source) => source !== SOURCE, { suite: { duration_ms: 1_000 } });
    expect(first.mutants?.noticed).toBe(6);
    const [run] = kernel.sandboxes.testRuns;
    expect(run?.deadlineMs).toBe(14_000);
    expect(run?.job.input).toContain('"caseMs":5000');
  });

  const many = Array.from({ length: 60 }, (_, n) => `export const f${n} = (a) => a + ${n};\n`).join('');
  const slow = (stepMs: number, source = SOURCE) => {
    let nowMs = 0;
    const clock = {
      monotonicMs: () => (nowMs += stepMs),
      nowMs: () => nowMs,
      sleep: () => new Promise<void>(() => undefined),
    };
    return observed(() => true, { source, services: { clock } });
  };

  it.each([0, 200, 1_000, 2_000])(
    'of a small change is tried in the same ways where a run takes %d ms',
    async (stepMs) => {
      expect((await slow(stepMs)).mutants?.tried).toBe(6);
    },
  );

  it('of a large change is tried within a budget', async () => {
    expect((await slow(0, many)).mutants?.tried).toBe(16);
    expect((await slow(2_000, many)).mutants?.tried).toBe(7);
  });

  it('is tried no longer than three budgets', async () => {
    const { outcome, detail, ran } = await slow(20_000);
    expect({ outcome, detail }).toEqual({
      outcome: 'impossible',
      detail: expect.stringMatching(/only [01] of 6 .*: no time was left/) as string,
    });
    expect(ran.length).toBeLessThan(3);
  });

  it('whose run could not be made is tried once more, and then left out', async () => {
    const lost = await observed(() => true, { fails: (run) => run === 0 });
    expect(lost.mutants).toMatchObject({ tried: 6, noticed: 6 });
    const never = await observed(() => true, { fails: (run) => [0, 2].includes(run) });
    expect(never.mutants).toMatchObject({ tried: 5, noticed: 5 });
  });

  it('that cannot be built is not tried, and if no mutant can be built a person decides', async () => {
    const some = await observed(() => true, {
      built: { runner: 'go-test', builds: (source) => !source.includes('a - b') },
    });
    expect(some.mutants).toMatchObject({ tried: 5, noticed: 5 });
    const none = await observed(() => true, { built: { runner: 'go-test', builds: () => false } });
    expect(none).toMatchObject({ outcome: 'impossible', mutants: null });
    const loaded = await observed(() => true, { built: { runner: 'node-test', builds: () => false } });
    expect(loaded.mutants).toMatchObject({ tried: 6, noticed: 6 });
  });

  it.each([undefined, new Set<string>()])(
    'is not tried in a project whose test files cannot all be listed',
    async (cases) => {
      const { context, workspace } = testKernel({ files: { [OTHER]: 'old' }, staged: { 'src/f.js': SOURCE } });
      workspace.glob = () => Promise.resolve({ paths: [OTHER as ProjectPath], truncated: true });
      const result = await observeMutants(context, {
        ...{ command: COMMAND, suite: GREEN, breaks: 'the changed lines', files: [TEST] },
        ...{ executed: { bySuite: null, byNew: null }, eachFunction: false, ...(cases === undefined ? {} : { cases }) },
        sources: [{ path: 'src/f.js', before: null, after: SOURCE }],
      });
      expect(result).toMatchObject({ outcome: 'impossible', detail: 'not all test files could be listed' });
    },
  );

  it.each([
    ['in most cases', (run: number) => run < 4],
    ['at all', () => true],
  ])('whose runs could not be made %s is a reason for a person', async (_, fails) => {
    const { kernel, ran: _ran, ...result } = await observed(() => true, { fails });
    expect(result).toMatchObject({ outcome: 'impossible', mutants: null });
    expect(result.detail).toContain('no engine');
    const observation = { ...result, observation: 'mutation', duration_ms: 1 } as const;
    expect(reasonsOf({ observations: [observation], findings: [] })).toEqual([
      `Mutation: not possible, ${result.detail}`,
    ]);
    expect(kernel.openScratches()).toBe(0);
  });
});

describe('a function of which no test notices any mutant', () => {
  const sign =
    "export function sign(n) {\n  if (n > 0) return 'plus';\n  if (n < 0) return 'minus';\n  return 'zero';\n}\n";
  const source = `${sign}export const mul = (a, b) => a + b;\n`;
  const isOfSign = (text: string): boolean => !text.startsWith(sign);

  it('is a finding, however many mutants of others are noticed', async () => {
    const { mutants, unnoticed, outcome } = await observed(isOfSign, { source, eachFunction: true });
    expect(outcome).toBe('held');
    expect(mutants?.tried).toBe(6);
    expect(unnoticed).toEqual([
      {
        kind: 'unnoticed-function',
        path: 'src/f.js',
        line: 6,
        words: 'no test notices any of 2 mutants of mul',
      },
    ]);
  });

  it('is no finding if one of its mutants is noticed, if functions are not reported, and if only numbers are changed', async () => {
    const one = await observed((text) => isOfSign(text) || !text.includes('a - b'), { source, eachFunction: true });
    expect(one.unnoticed).toEqual([]);
    expect((await observed(isOfSign, { source })).unnoticed).toEqual([]);
    const limits = `${sign}export function limits(a) {\n  a.low = 12;\n  a.high = 34;\n  a.step = 56;\n}\n`;
    const removed = await observed((text) => isOfSign(text) || !text.includes('a.low ='), {
      source: limits,
      eachFunction: true,
    });
    expect(removed.unnoticed).toEqual([]);
  });

  it('is no finding if the second of two equal cases notices it, and is a finding if no case does', async () => {
    const repeated = () => Promise.resolve({ files: [TEST], entries: [textEntry(TEST, 'new, twice')] });
    const secondNotices = (text: string, _file: string, test: string): boolean =>
      isOfSign(text) || (test === 'new, twice' && text !== source);
    const { unnoticed, mutants, ran } = await observed(secondNotices, { source, eachFunction: true, repeated });
    expect(unnoticed).toEqual([]);
    expect(mutants?.survivors).toEqual([]);
    expect((await observed(isOfSign, { source, eachFunction: true, repeated })).unnoticed).toHaveLength(1);
    // Only mutants of the function that nobody noticed are tried again.
    expect(ran.length).toBe((await observed(isOfSign, { source, eachFunction: true })).ran.length + 2);
  });

  it('or of its returned value, is a finding too', async () => {
    const checked = `${sign}export function half(n) {\n  if (n < 0) throw new RangeError('negative');\n  return n / 3;\n}\n`;
    const errors = (text: string): boolean =>
      isOfSign(text) || !text.includes("if (n < 0) throw new RangeError('negative');");
    const { unnoticed } = await observed(errors, { source: checked, eachFunction: true });
    expect(unnoticed.map(({ line, words }) => [line, words])).toEqual([
      [6, 'no test notices when half returns something else'],
    ]);
    const itself = checked.replace('n / 3', 'this');
    expect((await observed(errors, { source: itself, eachFunction: true })).unnoticed).toEqual([]);
  });

  it.each([
    [
      'a default that tests replace',
      'constructor(max, clock = { now: () => Date.now() + 1 }) {\n    this.max = max;\n    this.clock = clock;',
      0,
    ],
    [
      'a callback that it keeps',
      "constructor(max) {\n    this.max = max;\n    this.said = () => 'over the maximum';",
      0,
    ],
    ['a function that it returns', 'made(max) {\n    this.max = max;\n    return (n) => n + max;', 1],
    [
      'a function of a name that it returns',
      'made(max) {\n    this.max = max;\n    const over = (n) => n + max;\n    return { over };',
      1,
    ],
  ])('or of what it returns, which is said of %s only where it is returned', async (_, method, findings) => {
    const source = `${sign}export class Limit {\n  ${method}\n  }\n}\n`;
    const notices = (text: string): boolean => isOfSign(text) || !text.includes('this.max = max;');
    expect((await observed(notices, { source, eachFunction: true })).unnoticed).toHaveLength(findings);
  });

  it('is no finding if one of several returns of an old function is changed: tests may notice the others', async () => {
    const source = `${sign}export function half(n) {\n  if (n < 0) throw new RangeError('negative');\n  if (n === 0) return 0;\n  return n / 3;\n}\n`;
    const old = `${sign}export function half(n) {\n  if (n === 0) return 0;\n  return n / 2;\n}\n`;
    const errors = (text: string): boolean => isOfSign(text) || !text.includes("throw new RangeError('negative');");
    expect((await observed(errors, { source, old, eachFunction: true })).unnoticed).toEqual([]);
  });

  it('is looked for with more mutants than those that count, up to a limit', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `export function f${n}(a) {\n  return a + ${n};\n}\n`).join('');
    const { mutants, unnoticed, ran } = await observed((text) => text.includes('return a + 29;'), {
      source: many,
      eachFunction: true,
    });
    expect(mutants?.tried).toBe(23);
    expect(unnoticed.map(({ line }) => line)).toEqual([88]);
    expect(ran.length).toBeLessThan(60);
  });
});

describe('the mutants that are tried', () => {
  const parse = testKernel().services.parseSyntax;
  const chosenMutants = async (...given: Parameters<typeof mutantsInTurns>) => (await mutantsInTurns(...given)).chosen;
  const text = (path: string, lines: number) => ({
    path,
    role: 'source' as const,
    before: null,
    after: Array.from({ length: lines }, (_, index) => `export const f${index} = (a) => a + ${index};\n`).join(''),
  });

  it('are more where more lines change, and never more than forty', async () => {
    expect(await chosenMutants([text('src/a.js', 3)], parse)).toHaveLength(6);
    expect(await chosenMutants([text('src/a.js', 60)], parse)).toHaveLength(16);
    expect(await chosenMutants([text('src/a.js', 400)], parse)).toHaveLength(40);
  });

  it('come from all files in turns', async () => {
    const chosen = await chosenMutants([text('src/a.js', 3), text('src/b.js', 3)], parse);
    expect(chosen.map(({ path }) => path)).toEqual([
      'src/a.js',
      'src/b.js',
      'src/a.js',
      'src/b.js',
      'src/a.js',
      'src/b.js',
    ]);
  });

  it('take a hunk back where a file has no grammar', async () => {
    const sources = [{ path: 'src/a.sql', role: 'source' as const, before: 'a\nb\n', after: 'a\nc\n' }];
    expect(await chosenMutants(sources, parse)).toMatchObject([{ mutant: { mutator: 'revert-hunk', line: 2 } }]);
  });

  it('are of changed lines alone', async () => {
    const { after } = text('src/a.js', 9);
    const sources = [{ ...text('src/a.js', 9), before: after.replace('a + 4', 'a + 40') }];
    expect((await chosenMutants(sources, parse)).map(({ mutant }) => mutant.line)).toEqual([5, 5, 5]);
  });
});

describe('a rule that the change deletes from an old function', () => {
  const old =
    "export function pay(user, amount) {\n  if (amount < 0) throw new RangeError('negative');\n  return user.id;\n}\nexport const half = (n) => n;\n";
  const source =
    'export function pay(user, amount) {\n  return user.id;\n}\nexport const half = (n) => {\n  return n / 2;\n};\n';
  const put = (text: string): boolean => text.includes('amount < 0');

  it('is a finding where no test fails when it is put back', async () => {
    const { unnoticed } = await observed((text) => text !== source && !put(text), { source, old, eachFunction: true });
    expect(unnoticed).toEqual([
      {
        kind: 'unnoticed-deletion',
        path: 'src/f.js',
        line: 1,
        words: "no test fails when `if (amount < 0) throw new RangeError('negative');` is put back",
      },
    ]);
  });

  it('is no finding if a test fails, or if functions are not reported', async () => {
    const asked = await observed((text) => text !== source, { source, old, eachFunction: true });
    expect(asked.unnoticed).toEqual([]);
    expect((await observed((text) => text !== source && !put(text), { source, old })).unnoticed).toEqual([]);
  });

  it('is a finding where it was not tried', async () => {
    const known = await observed((text) => text !== source, { source, old, eachFunction: true });
    const { unnoticed } = await observed((text) => text !== source, {
      source,
      old,
      eachFunction: true,
      fails: (run) => run >= known.ran.length - 1,
    });
    expect(unnoticed.map(({ kind, words }) => `${kind}: ${words}`)).toEqual([
      "unnoticed-deletion: it was not tried whether a test fails when `if (amount < 0) throw new RangeError('negative');` is put back: no engine",
    ]);
  });

  it.each([
    [1, ["no test fails when `if (amount < 0) throw new RangeError('negative');` is put back"]],
    [2, [expect.stringMatching(/^it was not tried whether .* is put back: the tests did not end in time, twice$/)]],
  ])('is tried once more where the tests do not end in time: %i times', async (times, expected) => {
    const late = { of: put, times };
    const notices = (text: string): boolean => text !== source && !put(text);
    const { unnoticed } = await observed(notices, { source, old, eachFunction: true, late });
    expect(unnoticed.map(({ words }) => words)).toEqual(expected);
  });

  it('is a finding beyond those that are tried, although tests notice them', async () => {
    const lines = Array.from({ length: 7 }, (_, n) => [
      `  if (amount === ${n + 9}) throw new RangeError('${n}');\n`,
      `  log.count(${n});\n`,
    ]);
    const before = `export function pay(user, amount) {\n${lines.map((each) => each.join('')).join('')}  return user.id;\n}\n`;
    const after = before.replaceAll(/ {2}if .*\n/g, '').replace('user.id;', 'user.id + 1;');
    const { unnoticed } = await observed((text) => text !== after, { source: after, old: before, eachFunction: true });
    expect(unnoticed.map(({ kind, words }) => `${kind}: ${words}`)).toContain(
      "unnoticed-deletion: 2 more like this were not tried: `if (amount === 14) throw new RangeError('5');` is put back",
    );
  });
});

describe('an effect that the change alters in an old function', () => {
  it('is a finding beyond those that are tried, although tests notice them', async () => {
    const calls = (first: number): string =>
      Array.from({ length: 10 }, (_, n) => `  user.send(${first + n});\n`).join('');
    const before = `export function pay(user) {\n${calls(20)}  return user.id;\n}\n`;
    const after = `export function pay(user) {\n${calls(40)}  return user.id;\n}\n`;
    const { unnoticed } = await observed((text) => text !== after, { source: after, old: before, eachFunction: true });
    expect(unnoticed).toMatchObject([
      { kind: 'unnoticed-change', words: '2 more like this were not tried: `48` is `28` again' },
    ]);
  });
});
