import { describe, expect, it } from 'vitest';
import type { PlannedKind } from '../../../../src/contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../../../src/contracts/review/evidence.ts';
import { observedFacts } from '../../../../src/kernel/proof/observed-facts.ts';
import { unprovenReasons } from '../../../../src/lib/evidence/unproven.ts';
import { callAll, callTool } from '../../../support/kernel/calls.ts';
import type { SentCall } from '../../../support/kernel/calls.ts';
import type { Files } from '../../../support/kernel/file-tree.ts';
import { nodeTestReports } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const SOURCE = `import { log } from './log.js';
import { shout } from './shout.js';
export function max(a, b) {
  if (a > b) return a;
  return b;
}
export function dead() {
  return shout('nobody calls this');
}
log('loaded');
`;
const HEAD = "import { max } from '../src/max.js';\n";
const OLD_TEST = `${HEAD}test('max', () => assert.equal(max(1, 2), 2));\n`;
const PROJECT: Files = {
  'package.json': '{}',
  'src/max.js': SOURCE,
  'src/log.js': 'export const log = () => {};\n',
  'src/shout.js': 'export const shout = (text) => text;\n',
  'test/max.test.js': OLD_TEST,
};
const RUN: SentCall = { tool: 'test.run', input: {} };
const write = (path: string, content: string): SentCall => ({ tool: 'fs.write', input: { path, content } });

/** What `max` of the files answers, or why it does not. */
function maxOf(source: string, a: number, b: number): unknown {
  const text = source.replaceAll(/^import.*$/gm, '').replaceAll('export ', '');
  try {
    return new Function('log', 'a', 'b', `${text}; return max(a, b);`)(() => undefined, a, b) as unknown;
  } catch (error) {
    return error;
  }
}

interface Scene {
  readonly kind: PlannedKind;
  readonly files?: Files;
  readonly calls: readonly SentCall[];
  /** Whether a case passes on the run with this number although it would fail, or the other way round. */
  readonly flips?: (run: number) => boolean;
  /** Lines of `max` that every test file runs; nothing is counted without it. */
  readonly ran?: readonly number[];
}

/** A session whose tests ask `max` for the pairs that their text names. */
async function play({ kind, files = {}, calls, flips = () => false, ran }: Scene) {
  const kernel = testKernel({
    state: 'planning',
    files: { ...PROJECT, ...files },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    snapshot: { baseline: { kind: 'known', passed: ['test/max.test.js\0max(1, 2), 2'], failed: [], broken_files: [] } },
  });
  let runs = 0;
  kernel.sandboxes.runTests = (run) => {
    runs += 1;
    const source = run.files.get('src/max.js')?.text ?? '';
    const linesOf = ran === undefined ? undefined : () => ({ 'src/max.js': ran });
    const casesOf = (path: string): Record<string, boolean> => {
      const text = run.files.get(path)?.text ?? '';
      const asked = [...text.matchAll(/(?:test\('(max\([^']*)'.*?)?(max\((-?\d+), (-?\d+)\), (-?\d+))/g)];
      return Object.fromEntries(
        asked.map(([, title, pair, a, b, expected]) => {
          const name = title ?? pair ?? '';
          const passes = maxOf(source, Number(a), Number(b)) === Number(expected);
          return [name, flips(runs) && path !== 'test/max.test.js' ? !passes : passes];
        }),
      );
    };
    return nodeTestReports(run, casesOf, linesOf);
  };
  await callTool(kernel, 'plan.complete', { summary: 'Do it', steps: [], kind });
  const answers: string[] = [];
  for (const call of calls) for (const { content } of await callAll(kernel, [call])) answers.push(content);
  expect(kernel.openScratches()).toBe(0);
  const facts = observedFacts(kernel.session);
  return { state: kernel.session.state, last: answers.at(-1) ?? '', facts, unproven: unprovenReasons(facts) };
}

function outcomes({ proof }: Pick<EvidenceFacts, 'proof'>): Record<string, string> {
  return Object.fromEntries((proof?.observations ?? []).map(({ observation, outcome }) => [observation, outcome]));
}

const COVERED = write('test/more.test.js', `${HEAD}test('max(3, 2), 3', () => assert.equal(max(3, 2), 3));\n`);
const REFACTORED = write('src/max.js', SOURCE.replace(/ {2}if[^}]*\n/, '  return a > b ? a : b;\n'));

describe('a refactoring is verified', () => {
  it('where the same tests notice both the old lines and the new ones when they are broken', async () => {
    const { state, facts, unproven } = await play({ kind: 'refactor', calls: [COVERED, RUN, REFACTORED, RUN] });
    expect(state).toBe('reviewing');
    expect(facts).toMatchObject({ kind: 'refactor', red: null });
    expect(outcomes(facts)).toMatchObject({
      opening: 'held',
      plain: 'held',
      old_tests: 'held',
      mutation_before: 'held',
      mutation: 'held',
    });
    expect(unproven).toEqual([]);
  });

  it.each([
    [[1, 2, 3, 4, 5], { changed: 1, executed: 1 }, []],
    [[], { changed: 1, executed: 0 }, ['the tests do not execute the changed line', '1 finding in changed files']],
  ])('and only where the tests execute a changed line', async (ran, lines, reasons) => {
    const { facts, unproven } = await play({ kind: 'refactor', calls: [COVERED, RUN, REFACTORED, RUN], ran });
    expect(facts.proof?.lines).toEqual(lines);
    expect(unproven).toEqual(reasons);
    expect(outcomes(facts)).toMatchObject({ findings: reasons.length === 0 ? 'held' : 'failed' });
  });

  it('but not if they notice no mutant of old or new lines', async () => {
    // Of two equal numbers it does not matter which one is taken.
    const files = { 'test/max.test.js': `${HEAD}test('max', () => assert.equal(max(2, 2), 2));\n` };
    const { state, facts, unproven } = await play({ kind: 'refactor', files, calls: [RUN, REFACTORED, RUN] });
    expect(state).toBe('reviewing');
    expect(outcomes(facts)).toMatchObject({ mutation_before: 'failed' });
    expect(unproven).toContain('mutation before the change: failed');
  });
});

describe('a new constant of a refactoring', () => {
  const given = (options: string, check: string): SentCall => {
    const pick = `function pick(a, b, { larger, strict, from = 0 }) {\n${check}  if (!larger) return Math.min(a, b);\n  return Math.max(a, b) + from;\n}\n`;
    const source = SOURCE.replace(/ {2}if[^}]*\n/, `  return pick(a, b, { ${options} });\n`);
    return write('src/max.js', source.replace('export function max', `${pick}export function max`));
  };
  const findings = async (options: string, check = '') => {
    const { facts } = await play({ kind: 'refactor', calls: [COVERED, RUN, given(options, check), RUN] });
    return (facts.proof?.findings ?? []).filter(({ kind }) => kind === 'new-constant').map(({ words }) => words);
  };
  const named = (pair: string): string => expect.stringContaining(`adds ${pair}`) as string;

  it('is no finding if the tests fail without it, and with another value', async () => {
    expect(await findings('larger: true')).toEqual([]);
  });

  it('is a finding if the tests pass with another value', async () => {
    const needed = '  if (strict === undefined) return NaN;\n';
    expect(await findings('larger: true, strict: false', needed)).toEqual([named('strict with the value false')]);
  });

  it('is a finding if the tests pass without it', async () => {
    expect(await findings('larger: true, from: 0')).toEqual([named('from with the value 0')]);
  });

  it('is a finding beyond the first five', async () => {
    const options = 'a: 2, b: 3, c: 4, d: 5, e: 6, larger: true';
    expect(await findings(options)).toContainEqual(named('larger with the value true'));
  });
});

describe('tests alone are verified', () => {
  it('where the new cases by themselves notice that the source they name is broken', async () => {
    const { state, facts, unproven } = await play({ kind: 'tests', calls: [strong(), RUN] });
    expect(state).toBe('reviewing');
    expect(outcomes(facts)).toMatchObject({ repeated: 'held', plain: 'held', mutation: 'held' });
    // `dead` is not named, so nothing in it is broken.
    expect(facts.proof?.mutants?.survivors.filter(({ line }) => line > 6)).toEqual([]);
    expect(unproven).toEqual([]);
  });

  it('but not if only the old cases notice them', async () => {
    const weak = write('test/more.test.js', `${HEAD}test('weak', () => { max; assert.ok(true); }); // max(9, 9), 9\n`);
    const { state, facts, unproven } = await play({ kind: 'tests', calls: [weak, RUN] });
    expect(state).toBe('reviewing');
    expect(outcomes(facts)).toMatchObject({ mutation: 'failed' });
    expect(unproven).toContain('mutation: failed');
  });

  it('but not if it is unknown which source they use', async () => {
    const other = write('test/more.test.js', "test('alone', () => { assert.equal(max(3, 2), 3); });\n");
    const { facts } = await play({ kind: 'tests', calls: [other, RUN] });
    expect(facts.proof?.observations.at(-1)).toMatchObject({
      outcome: 'impossible',
      detail: 'no mutant can be made of the source that the new tests use',
    });
  });

  it('and are refused, with what to do, where they do not pass twice', async () => {
    const { state, last } = await play({ kind: 'tests', calls: [strong(), RUN], flips: (run) => run > 1 });
    expect(state).toBe('test_writing');
    expect(last).toMatch(/Two runs of the same files.*Take out what changes between runs/s);
  });

  function strong(): SentCall {
    return write(
      'test/more.test.js',
      `${HEAD}test('max(3, 2), 3', () => assert.equal(max(3, 2), 3));\ntest('max(2, 3), 3', () => assert.equal(max(2, 3), 3));\n`,
    );
  }
});

const USES_MAX = "import * as all from './max.js';\nexport const least = (a, b) => all.max(-a, -b);\n";

describe('a deletion is verified', () => {
  const gone = SOURCE.replace(/export function dead[^}]*}\n/, '').replace(/import { shout.*\n/, '');
  const DELETED = write('src/max.js', gone);

  it('where whole declarations go that nothing names', async () => {
    const { state, facts, unproven } = await play({ kind: 'deletion', calls: [RUN, DELETED, RUN] });
    expect(state).toBe('reviewing');
    expect(outcomes(facts)).toMatchObject({ opening: 'held', plain: 'held', old_tests: 'held', references: 'held' });
    expect(unproven).toEqual([]);
  });

  it.each<[string, Files, string, RegExp]>([
    [
      'another file imports it',
      { 'src/use.js': "import { dead } from './max.js';\n" },
      gone,
      /src\/use\.js:1 refers to/,
    ],
    ['a text names it, which may be how it is found', { 'src/use.js': "run(all['dead']);\n" }, gone, /src\/use\.js:1/],
    ['settings name it', { 'tool.json': '{ "entry": "dead" }' }, gone, /tool\.json:1 refers to/],
    ['others may import it', { 'package.json': '{ "main": "src/max.js" }' }, gone, /package\.json names it/],
    [
      'a file that others import takes over all of it',
      { 'src/all.js': "export * from './max.js';\n" },
      gone,
      /imports all names/,
    ],
    [
      'a name that is made at run time may be it',
      { 'src/all.js': "import * as all from './max.js';\nexport const run = (name) => all['de' + name]();\n" },
      gone,
      /src\/all\.js:2 may use it by a name computed at run time/,
    ],
    [
      'a part of a function goes',
      {},
      SOURCE.replace('  if (a > b) return a;\n', ''),
      /a part of a statement was deleted/,
    ],
    ['what goes runs when the file is loaded', {}, SOURCE.replace("log('loaded');\n", ''), /not a declaration/],
    ['an import goes that may have an effect', {}, gone.replace(/import { log.*\n/, ''), /may have an effect/],
  ])('and not where %s', async (_, files, source, words) => {
    const { state, facts } = await play({
      kind: 'deletion',
      files,
      calls: [RUN, write('src/max.js', source), RUN],
    });
    expect(state).toMatch(/reviewing|code_writing/);
    const references = facts.proof?.observations.find(({ observation }) => observation === 'references');
    if (state === 'reviewing')
      expect(references).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(words) as string });
  });

  it('but not if no deleted code has a name', async () => {
    const commented = SOURCE.replace(/$/, '// the end\n');
    const files = { 'src/max.js': commented };
    const { facts } = await play({ kind: 'deletion', files, calls: [RUN, write('src/max.js', SOURCE), RUN] });
    const references = facts.proof?.observations.find(({ observation }) => observation === 'references');
    expect(references).toMatchObject({
      outcome: 'failed',
      detail: 'the deleted code has no name to search for',
    });
  });

  it('where only a comment has the name still', async () => {
    const files = {
      'src/all.js': USES_MAX,
      'src/use.js': '// dead is gone\nexport const x = 1;\n',
      'README.md': 'dead',
    };
    expect(await play({ kind: 'deletion', files, calls: [RUN, DELETED, RUN] })).toMatchObject({ unproven: [] });
  });
});
