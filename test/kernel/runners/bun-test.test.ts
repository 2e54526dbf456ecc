import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { bunTest } from '../../../src/kernel/runners/bun-test/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { bunToolchain } from '../../support/bun-toolchain.ts';
import { runProcess } from './run-process.ts';
import type { Ended, HostProcess } from './run-process.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { INNER, NODE_TEST_TRICKS } from './node-test-tricks.ts';
import { SECRETS, SPY_IN_JAVASCRIPT } from './spies.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 240_000;
const toolchain = await bunToolchain();
/** Left out where the machine cannot have Bun. */
const describeHere = describe.skipIf(toolchain === null);
const host = new RunnerOnHost(bunTest, {
  program: process.execPath,
  env: { PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':') },
  deadlineMs: DEADLINE_MS,
});
beforeAll(async () => {
  if (toolchain !== null) await host.playTogether();
}, DEADLINE_MS);
afterAll(() => {
  host.close();
});

const HEAD = "import { describe, expect, test } from 'bun:test';\n";
const BAD = "test('bad', () => expect(1).toBe(2));\n";

function importing(line: string): () => Promise<TestRun> {
  return host.together({
    'src/imports-none.ts': `export { f } from './none';`,
    'test/a.test.ts': `${HEAD}${line}\ntest('x', () => expect(f()).toBe(1));`,
  });
}

/** Starts a process that finds a program of this text before the one of the machine. */
function withProgram(name: string, text: string): (process: HostProcess) => Promise<Ended> {
  return (process) => {
    const directory = join(process.env['HOME'] ?? '', 'bin');
    mkdirSync(directory);
    writeFileSync(join(directory, name), text, { mode: 0o755 });
    return runProcess({ ...process, env: { ...process.env, PATH: `${directory}:${process.env['PATH'] ?? ''}` } });
  };
}

describeHere('a run of bun test', () => {
  it(
    'lists every case with its file, its full name, its status and how it failed',
    host.on(
      {
        'src/add.ts': 'export const add = (a: number, b: number): number => a + b;',
        'test/a.test.ts': `import { beforeAll, describe, expect, test } from 'bun:test';
import { add } from '../src/add';
describe('outer', () => { describe('inner > deep', () => { test('passes', () => expect(add(1, 2)).toBe(3)); test('fails', () => expect(add(1, 2)).toBe(4)); }); test.skip('later', () => {}); });
test.todo('planned');
test('throws', () => { undefined.x(); });
test('slow', () => new Promise(() => undefined), 50);
test.each([1, 2])('counts %i', (n) => expect(n).toBeGreaterThan(0));
test.if(false)('not here', () => {});
test('calls back', (done) => { setTimeout(done, 1); });`,
        'b_spec.js': `test('by node:assert', () => require('node:assert').equal(1, 2));`,
      },
      (run) => {
        expect(run.outcome).toBe('failed');
        expect(statuses(run)).toEqual({
          'test/a.test.ts outer > inner > deep > passes': 'passed',
          'test/a.test.ts outer > inner > deep > fails': 'failed',
          'test/a.test.ts outer > later': 'skipped',
          'test/a.test.ts planned': 'todo',
          'test/a.test.ts throws': 'failed',
          'test/a.test.ts slow': 'failed',
          'test/a.test.ts counts 1': 'passed',
          'test/a.test.ts counts 2': 'passed',
          'test/a.test.ts not here': 'skipped',
          'test/a.test.ts calls back': 'passed',
          'b_spec.js by node:assert': 'failed',
        });
        const kinds = Object.fromEntries(run.cases.map((each) => [each.name, each.failure?.kind]));
        expect(kinds).toMatchObject({
          'outer > inner > deep > fails': 'assertion',
          'by node:assert': 'assertion',
          throws: 'error',
          slow: 'timeout',
        });
        expect(run.cases.find(({ name }) => name.endsWith('fails'))?.failure?.message).toContain('Expected: 4');
      },
    ),
  );

  it(
    'passes when every case passes, with nothing of the canaries left in it',
    host.on({ 'a.test.ts': `${HEAD}test('one', () => expect(1).toBe(1));` }, (run) => {
      expect(run).toMatchObject({ outcome: 'passed', files: ['a.test.ts'] });
      expect(run.cases.map((each) => each.name)).toEqual(['one']);
    }),
  );

  it(
    'fails a case after which something is thrown outside of every test',
    host.on(
      { 'a.test.ts': `setTimeout(() => { throw new Error('late'); }, 1); test('x', () => Bun.sleep(50));` },
      (run) => {
        expect(Object.values(statuses(run))).toContain('failed');
      },
    ),
  );

  it("keeps the project's own settings, files loaded first and module names at work", async () => {
    const run = await host.run({
      'bunfig.toml': `[test]\npreload = ["./setup.ts"]\nonlyFailures = true\nretry = 3\n[define]\n"process.env.MARK" = "'marked'"\n`,
      'setup.ts': 'globalThis.prepared = true;',
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/a.ts': `export const a = (): string => 'real';`,
      'a.test.ts': `import { expect, mock, test } from 'bun:test';
mock.module('@/a', () => ({ a: () => 'mocked' }));
test('all', async () => { expect(prepared).toBe(true); expect((await import('@/a')).a()).toBe('mocked'); expect(process.env.MARK).toBe('marked'); expect(process.env.CI).toBeUndefined(); });
let n = 0; test('repeated', () => expect((n += 1)).toBe(2));`,
    });
    expect(statuses(run)).toEqual({ 'a.test.ts all': 'passed', 'a.test.ts repeated': 'failed' });
  });

  it.each<[string, () => Promise<TestRun>, boolean]>([
    ['beside the source', importing(`import { f } from '../src/none';`), true],
    ['by another source', importing(`import { f } from '../src/imports-none';`), true],
    ['from a package', importing(`import { f } from 'no-such-package';`), false],
  ])('names a missing module (%s) as what keeps a file from loading', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure?.kind).toBe('load');
    const specifier = failure?.missing?.specifier ?? '';
    const root = specifier.split('/project/')[0] ?? '';
    expect(specifier).not.toBe('');
    expect(resolvesInside(`${root}/project`, 'test/a.test.ts', specifier)).toBe(inside);
  });

  it(
    'names an export that a module does not have',
    host.on(
      { 'm.ts': 'export const a = 1;', 'a.test.ts': `${HEAD}import { f } from './m';\ntest('x', () => f());` },
      (run) => {
        const missing = run.cases[0]?.failure?.missing;
        expect(missing).toMatchObject({ export: 'f' });
        expect(missing?.specifier).toMatch(/\/m\.ts$/);
      },
    ),
  );

  it(
    'does not take a syntax error for something missing',
    host.on({ 'a.test.ts': `test('x', () => {` }, (run) => {
      expect(run.cases[0]?.failure).toMatchObject({ kind: 'load' });
      expect(run.cases[0]?.failure?.missing).toBeUndefined();
    }),
  );

  it(
    'leaves nothing of its secrets where code of the project can read it',
    host.on({ 'a.test.mjs': `${SPY_IN_JAVASCRIPT}test('reads', () => { throw new Error(spied()); });` }, (run) => {
      const seen = run.cases[0]?.failure?.message ?? '';
      expect(seen).toContain('npm test');
      for (const secret of SECRETS) expect(seen).not.toContain(secret);
    }),
  );

  it('counts the lines of a source that its tests run', async () => {
    const { lines } = await host.counted(
      {
        'src/a.ts':
          'export function used(a: number): number {\n  if (a > 9) {\n    return 1;\n  }\n  return 2;\n}\nexport function unused(): number {\n  return 3;\n}\n',
        'a.test.ts': `${HEAD}import { used } from './src/a';\ntest('x', () => expect(used(1)).toBe(2));`,
      },
      ['src/a.ts'],
    );
    expect(lines?.['src/a.ts']).toContain(5);
    for (const line of [3, 8]) expect(lines?.['src/a.ts']).not.toContain(line);
  });

  it('reports what is missing if Bun is not installed', async () => {
    const bare = new RunnerOnHost(bunTest, {
      program: process.execPath,
      env: { PATH: '/nowhere' },
      deadlineMs: DEADLINE_MS,
    });
    const run = await bare.run({ 'a.test.ts': '' });
    bare.close();
    expect(run.outcome).toBe('crashed');
    expect(run.why).toContain('bun is not installed');
  });

  it('says what it needs where Bun does not report how a case failed', async () => {
    const old = `#!/bin/sh
[ "$1" = --version ] && exit 0
printf '%s' '<?xml version="1.0"?><testsuites><testsuite name="/x/last.test.mjs">' >/dev/fd/3
sed 's/.*"verdict":"\\([^"]*\\)".*/<testcase name="\\1"><failure type="AssertionError" \\/><\\/testcase><\\/testsuite><\\/testsuites>/' >>/dev/fd/3
exit 1
`;
    const run = await host.run({ 'a.test.ts': '' }, { start: withProgram('bun', old) });
    expect(run.outcome).toBe('crashed');
    expect(run.why).toContain('from Bun 1.4 on');
  });

  it('shows what the tests print, and nothing of the canaries', async () => {
    const run = await host.run({ 'a.test.ts': `test('x', () => { console.log('seen'); console.error('wrong'); });` });
    expect(run.output).toContain('seen');
    expect(run.output).toContain('wrong');
    expect(run.output).not.toMatch(/last\.test|setup\.mjs|in the end/);
  });
});

type Trick = readonly [name: string, outcome: string, files: Files];

/** Each would end green, or leave the failing test out, if an exit code or Bun's own report were evidence. */
const TRICKS: readonly Trick[] = [
  ['a test in a test that is expected to fail', 'passed', { 'a.test.ts': INNER }],
  ...NODE_TEST_TRICKS.map(([name, text]): Trick => [name, 'passed', { 'a.test.ts': text }]),
  ['.only on a passing test', 'failed', { 'a.test.ts': `test.only('good', () => {});${BAD}` }],
  [
    'a test that is expected to fail',
    'passed',
    { 'a.test.ts': `${HEAD}test.failing('bad', () => expect(1).toBe(2));` },
  ],
  [
    'a table of tests that are expected to fail',
    'passed',
    { 'a.test.ts': `test.failing.each([[1]])('bad %i', (n) => expect(n).toBe(2));` },
  ],
  [
    'a test that passes when it is repeated',
    'failed',
    { 'a.test.ts': `let n = 0; test('x', () => expect((n += 1)).toBe(2), { retry: 3 });` },
  ],
  [
    'a test by another way to the runner, that passes when it is repeated',
    'failed',
    { 'a.test.ts': `let n = 0; Bun.jest(import.meta.path).test('x', { retry: 3 }, () => expect((n += 1)).toBe(2));` },
  ],
  [
    'a snapshot that would be written',
    'failed',
    { 'a.test.ts': `test('x', () => expect({ a: 1 }).toMatchSnapshot());` },
  ],
  ['process.exit(0) in a test', 'tampered', { 'a.test.ts': `test('x', () => process.exit(0));${BAD}` }],
  ['process.exit(1) in a test', 'failed', { 'a.test.ts': `test('x', () => process.exit(1));` }],
  ['a signal in a test', 'failed', { 'a.test.ts': `test('x', () => process.kill(process.pid, 'SIGKILL'));` }],
  [
    'matchers replaced by the source',
    'tampered',
    {
      'src.ts': `import { expect } from 'bun:test'; expect.extend({ toBe: () => ({ pass: true, message: () => '' }) }); export const f = () => 1;`,
      'a.test.ts': `${HEAD}import { f } from './src'; test('x', () => expect(f()).toBe(2));`,
    },
  ],
  [
    'a matcher replaced by the source, and put back',
    'tampered',
    {
      'src.ts': `import { expect } from 'bun:test'; const { toBe } = Object.getPrototypeOf(expect(1));
export const f = () => { expect.extend({ toBe: () => ({ pass: true, message: () => '' }) }); queueMicrotask(() => expect.extend({ toBe })); };`,
      'a.test.ts': `${HEAD}import { f } from './src'; test('x', () => { f(); expect(1).toBe(2); });`,
    },
  ],
  [
    'a matcher set on the prototype',
    'failed',
    {
      'src.ts': `import { expect } from 'bun:test'; export const f = () => { Object.getPrototypeOf(expect(1)).toBe = () => {}; };`,
      'a.test.ts': `${HEAD}import { f } from './src'; test('x', () => { f(); expect(1).toBe(2); });`,
    },
  ],
  [
    'a matcher defined on the prototype',
    'tampered',
    {
      'src.ts': `import { expect } from 'bun:test'; export const f = () => { Object.defineProperty(Object.getPrototypeOf(expect(1)), 'toBe', { value: () => {}, configurable: true }); };`,
      'a.test.ts': `${HEAD}import { f } from './src'; test('x', () => { try { f(); } catch {} });\ntest('y', () => expect.extend({ toEqual: () => ({ pass: true }) }));`,
    },
  ],
  [
    'the module of the runner replaced by the source',
    'tampered',
    {
      'src.ts': `import { mock, test } from 'bun:test'; mock.module('bun:test', () => ({ test, expect: () => new Proxy({}, { get: () => () => {} }) }));`,
      'a.test.ts': `import './src'; import { expect, test } from 'bun:test'; test('x', () => expect(1).toBe(2));`,
    },
  ],
  [
    'Bun.jest replaced by the source',
    'tampered',
    { 'src.ts': `const own = Bun.jest; Bun.jest = () => own();`, 'a.test.ts': `import './src'; test('x', () => {});` },
  ],
  [
    'node:assert stubbed by the source',
    'tampered',
    {
      'src.ts': `import assert from 'node:assert'; assert.strictEqual = () => {};`,
      'a.test.ts': `import assert from 'node:assert'; import './src'; test('x', () => assert.strictEqual(1, 2));`,
    },
  ],
  [
    'node:assert replaced as a module',
    'tampered',
    {
      'src.ts': `import { mock } from 'bun:test'; mock.module('node:assert', () => ({ default: () => {}, strictEqual: () => {} }));`,
      'a.test.ts': `import './src'; test('x', async () => (await import('node:assert')).strictEqual(1, 2));`,
    },
  ],
  [
    'a report that the source writes itself',
    'tampered',
    {
      'a.test.ts': `import { writeFileSync } from 'node:fs';
test('x', () => { writeFileSync('/dev/fd/3', '<?xml version="1.0"?><testsuites><testsuite name="a.test.ts"><testcase name="x"/></testsuite></testsuites>'); process.exit(0); });`,
    },
  ],
  [
    'a report that the source writes itself, with the exit code of a run with failures',
    'tampered',
    {
      'a.test.ts': `import { writeFileSync } from 'node:fs';
test('x', () => { writeFileSync('/dev/fd/3', '<?xml version="1.0"?><testsuites><testsuite name="a.test.ts"><testcase name="x"/></testsuite></testsuites>'); process.exit(1); });`,
    },
  ],
  [
    'a filter in the settings of the project',
    'failed',
    {
      'bunfig.toml': '[test]\nbail = 1\npassWithNoTests = true\nrandomize = true\n',
      'a.test.ts': `test('first', () => expect(1).toBe(2));${BAD}`,
    },
  ],
];

describeHere('fake green', () => {
  it.each(TRICKS.map(([name, outcome, files]) => [name, outcome, host.together(files)] as const))(
    'proves nothing: %s',
    async (_, outcome, run) => {
      const result = await run();
      expect(result.outcome).toBe(outcome);
      if (result.outcome === 'passed') expect(result.cases.map(({ status }) => status)).not.toContain('passed');
    },
  );
});
