import { describe, expect, it } from 'vitest';
import type { EvidenceFacts } from '../../../../src/contracts/review/evidence.ts';
import type { Proof } from '../../../../src/contracts/review/proof.ts';
import type { ObjectId } from '../../../../src/contracts/ids.ts';
import type { RepositoryState } from '../../../../src/contracts/ports/repository.ts';
import { commitFacts } from '../../../../src/kernel/commit/commit-facts.ts';
import { reasonsOf, withoutUncommitted } from '../../../../src/kernel/proof/observations/prove.ts';
import { caseId } from '../../../../src/kernel/proof/test-case-id.ts';
import { unprovenReasons } from '../../../../src/lib/evidence/unproven.ts';
import { runTestTool } from '../../../../src/kernel/call/perform/tests.ts';
import { sha256Of } from '../../../support/kernel/file-tree.ts';
import type { Lines } from '../../../support/kernel/ran-lines.ts';
import { nodeTestReport } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

type Files = Readonly<Record<string, string>>;

const TEST = 'test/f.test.js';
const HONEST = "import test from 'node:test';\ntest('doubles', () => { assert.equal(f(1), 2); });\n";

/** A session that has written its test and its source; `passes` says how the one case of a run comes out. */
async function green(
  staged: Files,
  passes: (files: Files, run: number) => boolean,
  {
    runner = 'node-test',
    ran,
    files = {},
  }: { readonly runner?: string; readonly ran?: Lines | ((path: string) => Lines); readonly files?: Files } = {},
) {
  const test = staged[TEST] ?? '';
  const kernel = testKernel({
    state: 'code_writing',
    files: { 'package.json': '{}', 'src/f.js': 'export const f = () => 0;\n', ...files },
    staged,
    testCommand: { runner, cwd: '', args: runner === 'generic' ? ['make'] : [] },
    snapshot: {
      baseline: { kind: 'known', passed: [], failed: [], broken_files: [] },
      red: {
        run_id: 't_0',
        cases: [caseId({ file: TEST, name: 'doubles' })],
        files: [],
        frozen: { [TEST]: sha256Of(test) },
        sensitive: {},
        staging_digest: 'd',
        at_ms: 0,
      },
    },
  });
  let runs = 0;
  kernel.sandboxes.runTests = (run) => {
    const files = Object.fromEntries([...run.files].map(([path, { text }]) => [path, text.replace('/* */ ', '')]));
    const passed = passes(files, (runs += 1));
    const cases = [...(files[TEST] ?? '').matchAll(/test\('([\w ]+)'.*f\(1\)(?:, (\d)\))?/g)];
    return nodeTestReport(
      run,
      Object.fromEntries(cases.map(([, name = '', expected = '2']) => [name, passed && expected === '2'])),
      ran,
    );
  };
  const answer = await runTestTool(kernel.context, {
    targets: { named: [], writes: [] },
    received: { call_id: 'c1', tool: 'test.run', arguments: '{}' },
    use: { network: null },
  });
  return { kernel, answer, session: kernel.session };
}

const SOURCE = { 'src/f.js': 'export const f = (a) => a * 2;\n' };
const withSource = (files: Files): boolean => files['src/f.js'] === SOURCE['src/f.js'];

const UNEXECUTED = 'the new tests do not execute the changed line';

describe('at green', () => {
  it('results that a command reports about itself are a finding, so a person decides', async () => {
    const { session } = await green({ ...SOURCE, [TEST]: HONEST }, withSource, { runner: 'generic' });
    expect(session.state).toBe('reviewing');
    expect(session.snapshot.proof?.findings).toMatchObject([{ kind: 'unchecked-results', path: TEST }]);
    expect(session.snapshot.findings.join()).toContain('come from the command itself');
  });

  it('the new tests are seen to fail again without the new source, and to pass again with it', async () => {
    const { kernel, answer, session } = await green({ ...SOURCE, [TEST]: HONEST }, withSource);
    expect(answer).toMatchObject({ ok: true });
    expect(session.state).toBe('reviewing');
    expect(session.snapshot.proof?.observations).toMatchObject([
      { observation: 'removal', outcome: 'held' },
      { observation: 'variants', outcome: 'held' },
      { observation: 'plain', outcome: 'held' },
      { observation: 'old_tests', outcome: 'held' },
      { observation: 'findings', outcome: 'held' },
      { observation: 'mutation', outcome: 'held' },
    ]);
    expect(session.snapshot.proof?.mutants).toEqual({ tried: 3, noticed: 3, survivors: [] });
    expect(session.snapshot.findings).toEqual([]);
    expect(kernel.sandboxes.testRuns).toHaveLength(11);
    expect(kernel.openScratches()).toBe(0);
    expect(
      kernel
        .eventsOf('proof.finished')
        .map(({ observation, ok }) => `${observation} ${ok}`)
        .sort(),
    ).toEqual(['findings true', 'mutation true', 'old_tests true', 'plain true', 'removal true', 'variants true']);
    const [planned] = kernel.eventsOf('proof.progress');
    expect(planned).toMatchObject({ done: 0, total: 6 });
    expect(planned).not.toHaveProperty('observation');
  });

  it('only runs on the tree at green have the time limit of a case that the run allows', async () => {
    const { kernel } = await green({ ...SOURCE, [TEST]: HONEST }, withSource);
    const limits = kernel.sandboxes.testRuns.map(({ job }) => /"caseMs":(\d+)/.exec(job.input ?? '')?.[1] ?? 'plain');
    const [removal, variants, mutants, trivial] = [1, 2, 3, 2];
    const shortened = Array.from({ length: removal + variants + mutants + trivial }, () => '3002');
    // The suite takes 1 ms.
    expect(limits.toSorted()).toEqual(['270000', '270000', ...shortened, 'plain']);
  });

  it.each<[string, Lines | undefined, Proof['lines'], string[]]>([
    ['executed', { 'src/f.js': [1] }, { changed: 1, executed: 1 }, []],
    ['loaded and not executed', { 'src/f.js': [] }, { changed: 1, executed: 0 }, [UNEXECUTED]],
    ['in no process that was counted', undefined, undefined, []],
  ])('it is known whether the changed lines are %s', async (_, ran, lines, reasons) => {
    const { session } = await green({ ...SOURCE, [TEST]: HONEST }, withSource, ran === undefined ? {} : { ran });
    const { proof, red } = session.snapshot;
    expect(proof?.lines).toEqual(lines);
    const failed = [{ file: TEST, name: 'doubles' }];
    const facts = { red: red && { failed }, kind: 'feature', proof } as unknown as EvidenceFacts;
    expect(unprovenReasons(facts)).toEqual(reasons);
  });

  it('broken sources are shown only to the old tests that ran the line in the whole suite', async () => {
    const old = 'test/old.test.js';
    const filesOf = async (byOld: readonly number[]): Promise<string[]> => {
      const staged = { ...SOURCE, [TEST]: HONEST };
      const ran = (path: string): Lines => ({ 'src/f.js': path === old ? byOld : [1] });
      // Only the tree at green passes with both files; mutants are noticed by nobody, and a function without work by all.
      const passes = (files: Files): boolean =>
        files['src/f.js'] !== 'export const f = () => 0;\n' && !/=> \(/.test(files['src/f.js'] ?? '');
      const { kernel } = await green(staged, passes, { ran, files: { [old]: '' } });
      return kernel.sandboxes.testRuns.slice(7).map(({ job }) => job.input ?? '');
    };
    expect((await filesOf([])).filter((input) => input.includes('old.test.js'))).toEqual([]);
    expect((await filesOf([1])).filter((input) => input.includes('old.test.js'))).not.toEqual([]);
  });

  it('new tests that also pass on functions without work are a finding', async () => {
    const isWithoutWork = (files: Files): boolean => files['src/f.js'] === 'export const f = (a) => (a);\n';
    const passes = (files: Files): boolean => withSource(files) || isWithoutWork(files);
    const { session } = await green({ ...SOURCE, [TEST]: HONEST }, passes);
    const { proof } = session.snapshot;
    expect(proof?.findings).toMatchObject([{ kind: 'unnoticed-function', path: 'src/f.js', line: 1 }]);
    const row = proof?.observations.find(({ observation }) => observation === 'findings');
    expect(row?.outcome).toBe('failed');
    expect(row?.detail).toMatch(/^src\/f\.js:1: /);
  });

  it('what was observed becomes evidence of that work, and of no other', async () => {
    const { kernel, session } = await green({ ...SOURCE, [TEST]: HONEST }, withSource);
    const services = { ...kernel.services, images: {} };
    const state = { head: 'b'.repeat(40), branchRef: 'refs/heads/main' } as RepositoryState;
    const facts = (): EvidenceFacts => commitFacts(services, session, state, [], 'a'.repeat(40) as ObjectId);
    expect(facts().proof).toEqual({
      observations: [
        { observation: 'removal', outcome: 'held', detail: expect.any(String) as unknown },
        {
          observation: 'variants',
          outcome: 'held',
          detail: '1 passes when run twice in one process, 1 fails with a wrong expected value',
        },
        { observation: 'plain', outcome: 'held', detail: 'node --test passes' },
        { observation: 'old_tests', outcome: 'held', detail: 'no test passed before this session' },
        { observation: 'findings', outcome: 'held', detail: 'none' },
        { observation: 'mutation', outcome: 'held', detail: '3 of 3 mutants of the changed lines noticed' },
      ],
      findings: [],
      mutants: { tried: 3, noticed: 3, survivors: [] },
    });
    const { proof } = session.snapshot;
    if (proof === null) throw new Error('nothing was observed');
    session.update({ proof: { ...proof, staging_digest: 'of other work' } });
    expect(facts().proof).toBeUndefined();
  });

  it('a test that passes by itself the next time is flaky, and the review stays closed', async () => {
    const { kernel, answer, session } = await green({ ...SOURCE, [TEST]: HONEST }, () => true);
    expect(answer).toMatchObject({ ok: false, error: { code: 'flaky' } });
    expect(answer.ok ? '' : answer.error.message).toContain(`${TEST} › doubles`);
    expect(session.state).toBe('code_writing');
    expect(session.snapshot.green).toBeNull();
    expect(kernel.openScratches()).toBe(0);
  });

  it('a test that fails the next time is flaky', async () => {
    const { answer } = await green({ ...SOURCE, [TEST]: HONEST }, (files, run) => run === 1 && withSource(files));
    expect(answer).toMatchObject({ ok: false, error: { code: 'flaky' } });
  });

  it('a module that the source loads has to be in the project', async () => {
    const source = { 'src/f.js': `import './old.js';\nimport './engine.js';\n${SOURCE['src/f.js']}` };
    const isNew = (files: Files): boolean => files['src/f.js']?.includes('a * 2') === true;
    const { session } = await green({ [TEST]: HONEST, ...source }, isNew, { files: { 'src/old.js': '' } });
    const absent = session.snapshot.proof?.findings.filter(({ kind }) => kind === 'absent-module');
    expect(absent).toMatchObject([{ path: 'src/f.js', line: 2 }]);
  });

  it('findings in changed tests and sources are for a person to look at', async () => {
    const empty = "import test from 'node:test';\ntest('doubles', () => { f(1); });\n";
    const source = { 'src/f.js': `${SOURCE['src/f.js']}if (process.env.CI) process.exit(0);\n` };
    const { session } = await green({ ...source, [TEST]: empty }, (files) => files['src/f.js'] === source['src/f.js']);
    expect(session.state).toBe('reviewing');
    expect(session.snapshot.findings).toEqual([
      `Look at ${TEST}:2: the case 'doubles' asserts nothing`,
      'Look at src/f.js:2: it reads CI',
      'Look at src/f.js:2: process.exit ends the process',
    ]);
    expect(session.snapshot.proof?.findings.map(({ kind }) => kind)).toEqual([
      'no-assertion',
      'asks-if-tested',
      'ends-process',
    ]);
  });
});

describe('a plain run that failed', () => {
  it('keeps its words where the user has committed everything', () => {
    expect(withoutUncommitted('a failed', [])).toBe('a failed');
  });

  it('names what the user has not committed', () => {
    expect(withoutUncommitted('a failed', ['src/b.js'])).toMatch(/^a failed\nIt may pass only .*\(src\/b\.js\)/);
  });
});

it.each([
  ['failed', '2 of 3 mutants were not noticed', []],
  ['held', '3 of 3 mutants were noticed', []],
  ['impossible', 'switched off by policy', []],
  ['impossible', 'no mutant can be made of README.md', []],
  ['impossible', 'no run ended', ['Mutation: not possible, no run ended']],
] as const)(
  'mutation that %s (%s) is a reason for a person only where it was asked for',
  (outcome, detail, reasons) => {
    const observation = { observation: 'mutation', outcome, detail, duration_ms: 1 } as const;
    expect(reasonsOf({ observations: [observation], findings: [] })).toEqual(reasons);
  },
);
