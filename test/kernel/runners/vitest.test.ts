import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { vitest } from '../../../src/kernel/runners/vitest/runner.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import { SECRETS, SPY_IN_JAVASCRIPT } from './spies.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 120_000;
const hosts: RunnerOnHost[] = [];
beforeAll(async () => {
  for (const each of hosts) await each.playTogether();
}, 3 * DEADLINE_MS);
afterAll(() => {
  for (const each of hosts) each.close();
});

/** Projects that all have the packages of this repository, vitest among them, and these files. */
function hostWith(files: Files): RunnerOnHost {
  const packages = { 'package.json': '{ "type": "module" }', ...files };
  const made = new RunnerOnHost(vitest, { program: process.execPath, packages, deadlineMs: DEADLINE_MS });
  hosts.push(made);
  return made;
}

const T = "import { describe, expect, test, vi } from 'vitest';\n";
const BAD = "test('bad', () => expect(1).toBe(2));\n";
const config = (test: string, rest = '') => ({ 'vitest.config.ts': `export default { test: { ${test} }, ${rest} };` });

const host = hostWith({});
/** The source directory of the whole project as `@`. */
const aliased = hostWith(config('', `resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } }`));
/** Everything that a configuration may say to leave tests or failures out. */
const lenient = hostWith({
  ...config(`allowOnly: true, bail: 1, passWithNoTests: true, dangerouslyIgnoreUnhandledErrors: true, update: true,
    testNamePattern: 'good|one', reporters: ['./r.ts']`),
  'r.ts': 'export default class { onTestRunEnd() { process.exitCode = 0; process.exit(0); } }',
});

/** The first file of a run gets the errors that vitest attributes to no file, such as those of a worker that ended. */
const firstOfMany = host.together({ 'a.test.ts': `${T}test('good', () => {});` });

function importing(line: string): () => Promise<TestRun> {
  return aliased.together({
    'src/imports-none.ts': `export { f } from './none.ts';`,
    'test/a.test.ts': `${T}${line}\ntest('x', () => expect(f()).toBe(1));`,
  });
}

describe('a run of vitest', () => {
  it(
    'lists every case with its file, its full name, its status and how it failed',
    host.on(
      {
        'src/add.ts': 'export const add = (a: number, b: number): number => a + b;',
        'test/a.test.ts': `${T}import { add } from '../src/add';
describe('outer', () => { describe('inner', () => { test('passes', () => expect(add(1, 2)).toBe(3)); test('fails', () => expect(add(1, 2)).toBe(4)); }); test.skip('later', () => {}); });
test.todo('planned');
test('throws', () => { (undefined as unknown as { x(): void }).x(); });
test('slow', async () => { await new Promise(() => undefined); }, 50);
test.each([1, 2])('counts %i', (n) => expect(n).toBeGreaterThan(0));
describe('broken', () => { beforeAll(() => { throw new Error('no'); }); test('never runs', () => {}); });
import { beforeAll } from 'vitest';`,
        'test/b.spec.mjs': `${T}test('plain', () => {});`,
      },
      (run) => {
        expect(run.outcome).toBe('failed');
        expect(statuses(run)).toEqual({
          'test/a.test.ts outer > inner > passes': 'passed',
          'test/a.test.ts outer > inner > fails': 'failed',
          'test/a.test.ts outer > later': 'skipped',
          'test/a.test.ts planned': 'todo',
          'test/a.test.ts throws': 'failed',
          'test/a.test.ts slow': 'failed',
          'test/a.test.ts counts 1': 'passed',
          'test/a.test.ts counts 2': 'passed',
          'test/a.test.ts broken > never runs': 'skipped',
          'test/a.test.ts broken > (hooks)': 'failed',
          'test/b.spec.mjs plain': 'passed',
        });
        const kinds = Object.fromEntries(run.cases.map((each) => [each.name, each.failure?.kind]));
        expect(kinds).toMatchObject({ 'outer > inner > fails': 'assertion', throws: 'error', slow: 'timeout' });
      },
    ),
  );

  it(
    'passes when every case passes, with nothing of the canaries left in it',
    host.on({ 'test/a.test.ts': `${T}test('one', () => expect(1).toBe(1));` }, (run) => {
      expect(run).toMatchObject({ outcome: 'passed', files: ['test/a.test.ts'] });
      expect(run.cases.map((each) => each.name)).toEqual(['one']);
    }),
  );

  it('has what a failed case printed with it, and nothing of the others', async () => {
    const run = await host.run({
      'a.test.ts': `import { expect, test } from 'vitest';\ntest('other', () => console.log('other'));\ntest('bad', () => {\n  console.log('seen');\n  expect(1).toBe(2);\n});\n`,
    });
    const message = run.cases.find(({ name }) => name === 'bad')?.failure?.message ?? '';
    expect(message).toMatch(/\nPrinted by this test:\nseen$/);
  });

  it("keeps the project's own setup files, globals, aliases and mocks at work", async () => {
    const run = await host.run({
      'vitest.config.ts': `export default { resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
        test: { globals: true, setupFiles: ['./setup.ts'], globalSetup: ['./global.ts'] } };`,
      'setup.ts': 'globalThis.prepared = true;',
      'global.ts': 'export default () => { process.env.FROM_GLOBAL = "yes"; };',
      'src/a.ts': 'export const a = () => "real";',
      'test/a.test.ts': `import { a } from '@/a'; vi.mock('@/a', () => ({ a: () => 'mocked' }));
test('all', () => { expect(globalThis.prepared).toBe(true); expect(a()).toBe('mocked'); expect(process.env.FROM_GLOBAL).toBe('yes'); });`,
    });
    expect(statuses(run)).toEqual({ 'test/a.test.ts all': 'passed' });
  });

  it('puts canaries into each of several configured projects, and names the project where a file belongs to two', async () => {
    const run = await host.run({
      ...config(`projects: [{ test: { name: 'one' } }, { test: { name: 'two', setupFiles: ['./setup.ts'] } }]`),
      'setup.ts': 'globalThis.two = true;',
      'test/a.test.ts': `${T}test('only in two', () => expect(globalThis.two).toBe(true));`,
    });
    expect(statuses(run)).toEqual({
      'test/a.test.ts [one] > only in two': 'failed',
      'test/a.test.ts [two] > only in two': 'passed',
    });
  });

  it.each<[string, () => Promise<TestRun>, boolean]>([
    ['beside the source', importing(`import { f } from '../src/none';`), true],
    ['by another source', importing(`import { f } from '../src/imports-none.ts';`), true],
    ['by an alias', importing(`import { f } from '@/none';`), true],
    ['from a package', importing(`import { f } from 'no-such-package';`), false],
  ])('names a missing module (%s) as what keeps a file from loading', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure?.kind).toBe('load');
    const specifier = failure?.missing?.specifier ?? '';
    const root = specifier.split('/project/')[0] ?? '';
    expect(resolvesInside(`${root}/project`, 'test/a.test.ts', specifier)).toBe(inside);
  });

  it('runs its setup in an environment that takes modules as a browser does, which loads nothing outside of the project', async () => {
    const run = await host.run({
      'vitest.config.ts': `export default { test: { environment: './page.ts' } };`,
      'page.ts': `export default { name: 'page', transformMode: 'web', viteEnvironment: 'client', setup: () => ({ teardown() {} }) };`,
      'a.test.ts': `${T}test('one', () => expect(1).toBe(1));${BAD}`,
    });
    expect(statuses(run)).toEqual({ 'a.test.ts one': 'passed', 'a.test.ts bad': 'failed' });
  });

  it.each([`'@/none'`, `'@/deep/none'`])(
    'has the path that an alias leads to, where that is missing: %s',
    async (name) => {
      const run = await aliased.run({
        'test/a.test.ts': `${T}import { f } from ${name}; test('x', () => expect(f()).toBe(1));`,
      });
      expect(run.cases[0]?.failure?.missing?.specifier).toMatch(/\/project\/src\/(?:deep\/)?none$/);
    },
  );

  it(
    'fails a case that calls an export that is not there yet',
    host.on(
      {
        'src/a.ts': 'export const a = 1;',
        'test/a.test.ts': `${T}import { f } from '../src/a'; test('x', () => expect(f()).toBe(1));`,
      },
      (run) => {
        expect(run.cases[0]).toMatchObject({ name: 'x', status: 'failed', failure: { kind: 'error' } });
      },
    ),
  );

  it(
    'does not take a syntax error for something missing',
    host.on({ 'test/a.test.ts': `${T}test('x', () => {` }, (run) => {
      expect(run.cases[0]?.failure).toMatchObject({ kind: 'load' });
      expect(run.cases[0]?.failure?.missing).toBeUndefined();
    }),
  );

  it('starts in the directory of the command, with the patterns and settings configured for it', async () => {
    const run = await host.run(
      {
        'web/own.config.ts': `export default { test: { include: ['checks/**'], globals: true } };`,
        'web/checks/a.ts': `test('here', () => expect(process.cwd().endsWith('/web')).toBe(true));`,
      },
      { cwd: 'web', args: ['checks/**', '--config=own.config.ts'] },
    );
    expect(statuses(run)).toEqual({ 'web/checks/a.ts here': 'passed' });
  });

  it('does not run another file whose path has the same ending as a requested file', async () => {
    const lost = `${T}test('x', async () => { void Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 20)); });`;
    const files = { 'a.test.ts': `${T}test('good', () => {});`, 'sub/a.test.ts': `${lost}${BAD}` };
    const run = await host.run(files, { only: ['a.test.ts'] });
    expect(statuses(run)).toEqual({ 'a.test.ts good': 'passed' });
  });

  it('reports what is missing when vitest is not installed', async () => {
    const run = await host.run({ 'test/a.test.ts': '' }, { bare: true });
    expect(run.outcome).toBe('crashed');
    expect(run.why).toContain('vitest is not installed');
  });

  it('says first why vitest could not be loaded, with what a loader hides in the cause', async () => {
    const run = await host.run({
      'vitest.config.ts': `throw new Error('no binding', { cause: new Error('librt.so.1: cannot open', { cause: 'inner' }) });`,
      'a.test.ts': T,
    });
    expect(run.outcome).toBe('crashed');
    const [first, , ...causes] = run.why?.split('\n') ?? [];
    expect(first).toContain('no binding');
    expect(causes.slice(0, 2)).toEqual([
      expect.stringContaining('librt.so.1: cannot open'),
      expect.stringContaining('inner'),
    ]);
  });
});

type Trick = readonly [name: string, outcome: string, files: Files];

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly Trick[] = [
  ['process.exit(0) in a test', 'failed', { 'a.test.ts': `${T}test('x', () => process.exit(0));${BAD}` }],
  ['process.exit(0) when the file loads', 'failed', { 'a.test.ts': `process.exit(0);` }],
  [
    'process.reallyExit(0) in a test',
    'failed|tampered',
    { 'a.test.ts': `${T}test('x', () => process.reallyExit(0));${BAD}` },
  ],
  [
    'a worker killed by its test',
    'failed|tampered',
    { 'a.test.ts': `${T}test('x', () => process.kill(process.pid, 'SIGKILL'));${BAD}` },
  ],
  [
    'a source that stubs assertions when it is called',
    'tampered',
    {
      'src.ts': `import { chai } from 'vitest'; export const f = () => chai.util.overwriteMethod(chai.Assertion.prototype, 'toBe', () => function () {});`,
      'a.test.ts': `${T}import { f } from './src'; test('x', () => { f(); expect(1).toBe(2); });`,
    },
  ],
  [
    'equality overloaded by the source',
    'tampered',
    {
      'src.ts': `import { expect } from 'vitest'; expect.addEqualityTesters([() => true]);`,
      'a.test.ts': `${T}import './src'; test('x', () => expect({ a: 1 }).toEqual({ a: 2 }));`,
    },
  ],
  [
    'assert.strict replaced by the source, and put back',
    'tampered',
    {
      'src.ts': `import { strict } from 'node:assert'; const { equal } = strict;
export const f = () => { strict.equal = () => {}; queueMicrotask(() => { strict.equal = equal; }); };`,
      'a.test.ts': `${T}import { strict } from 'node:assert'; import { f } from './src'; test('x', () => { f(); strict.equal(1, 2); });`,
    },
  ],
  [
    'node:assert stubbed by the source',
    'tampered',
    {
      'src.ts': `import assert from 'node:assert'; assert.strictEqual = () => {};`,
      'a.test.ts': `${T}import assert from 'node:assert'; import './src'; test('x', () => assert.strictEqual(1, 2));`,
    },
  ],
  [
    'failures that are swallowed on their way out of the worker',
    'tampered',
    {
      'src.ts': `const worker = globalThis.__vitest_worker__; const real = worker.rpc;
worker.rpc = new Proxy(real, { get: (on, key) => key !== 'onTaskUpdate' ? on[key] : (packs, events) => on.onTaskUpdate(packs.map(([id, result, meta]) => [id, result?.state === 'fail' ? { ...result, state: 'pass', errors: [] } : result, meta]), events) });`,
      'a.test.ts': `${T}import './src';${BAD}`,
    },
  ],
  [
    'a runner whose cases are changed by the source',
    'tampered',
    {
      'src.ts': `import { TestRunner } from 'vitest'; TestRunner.prototype.onAfterTryTask = (task) => { if (task.name === 'bad') task.result.state = 'pass'; };`,
      'a.test.ts': `${T}import './src';${BAD}`,
    },
  ],
  [
    'a matcher that one value passes by',
    'tampered',
    {
      'src.ts': `import { chai } from 'vitest'; chai.util.overwriteMethod(chai.Assertion.prototype, 'toBe', (real) => function (...all) { return all[0] === 42 ? undefined : real.apply(this, all); });`,
      'a.test.ts': `${T}import './src'; test('x', () => expect(1).toBe(42));`,
    },
  ],
  ['.only on a passing test', 'tampered', { 'a.test.ts': `${T}test.only('good', () => {});${BAD}` }],
  [
    'an unhandled rejection',
    'failed',
    {
      'a.test.ts': `${T}test('x', async () => { void Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 20)); });`,
    },
  ],
];

/** The same, with the help of the lenient configuration. */
const LENIENT: readonly Trick[] = [
  [
    'a reporter that drops failures',
    'failed',
    {
      'a.test.ts': T + BAD,
    },
  ],
  ['.only that the configuration allows', 'tampered', { 'a.test.ts': `${T}test.only('good', () => {});${BAD}` }],
  ['a name pattern', 'failed', { 'a.test.ts': `${T}test('good', () => {});${BAD}` }],
  ['bail', 'failed', { 'a.test.ts': `${T}test('first', () => expect(1).toBe(2));${BAD}` }],
  ['a failing file that only passes with no tests', 'failed', { 'a.test.ts': `${T}throw new Error('no');` }],
  ['errors that the configuration ignores', 'failed', { 'a.test.ts': T + BAD }],
  [
    'a snapshot that would be written',
    'failed',
    { 'a.test.ts': `${T}test('x', () => expect({ a: 1 }).toMatchSnapshot());` },
  ],
];

/** The same, by a configuration that no other test can share. */
const CONFIGURED: readonly Trick[] = [
  ['process.exit(0) in the configuration', 'crashed', { 'vitest.config.ts': 'process.exit(0);', 'a.test.ts': T + BAD }],
  [
    'process.exit(0) in globalSetup',
    'crashed|invalid',
    { ...config(`globalSetup: ['./g.ts']`), 'g.ts': 'export default () => process.exit(0);', 'a.test.ts': T + BAD },
  ],
  [
    'an exit code set by the configuration',
    'tampered|crashed',
    {
      'vitest.config.ts': `process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); }); export default {};`,
      'a.test.ts': T + BAD,
    },
  ],
  [
    'a setup file that stubs expect',
    'tampered',
    {
      ...config(`setupFiles: ['./s.ts']`),
      's.ts': `import { expect } from 'vitest'; expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });`,
      'a.test.ts': T + BAD,
    },
  ],
  [
    'a runner that calls no test',
    'tampered',
    {
      ...config(`runner: './runner.ts'`),
      'runner.ts': `import { TestRunner } from 'vitest'; export default class extends TestRunner { async runTask() {} }`,
      'a.test.ts': T + BAD,
    },
  ],
];

describe('fake green', () => {
  it.each([
    ...TRICKS.map(([name, outcome, files]) => [name, outcome, host.together(files)] as const),
    ...LENIENT.map(([name, outcome, files]) => [name, outcome, lenient.together(files)] as const),
    ...CONFIGURED.map(([name, outcome, files]) => [name, outcome, () => host.run(files)] as const),
  ])('never passes: %s', async (_, outcome, run) => {
    expect((await run()).outcome).toMatch(new RegExp(`^(${outcome})$`));
  });

  it(
    'does not count as passed what is expected to fail, or passes in one of several tries only',
    host.on(
      {
        'a.test.ts': `${T}test.fails('expected', () => expect(1).toBe(2)); let n = 0; test('again', { retry: 2 }, () => { n += 1; expect(n).toBe(3); });
test('repeated', { repeats: 2 }, () => { n += 1; expect(n).not.toBe(5); });`,
      },
      (run) => {
        expect(statuses(run)).toEqual({
          'a.test.ts expected': 'todo',
          'a.test.ts again': 'failed',
          'a.test.ts repeated': 'failed',
        });
      },
    ),
  );

  it(
    'shows code under test neither its job nor a name of the canaries or the report',
    host.on(
      {
        'a.test.ts': `${T}${SPY_IN_JAVASCRIPT}test('bad', () => { throw new Error(spied() + JSON.stringify(globalThis.__vitest_worker__.providedContext)); });`,
      },
      (run) => {
        const seen = run.cases[0]?.failure?.message ?? '';
        expect(seen).toContain('vitest');
        for (const secret of [...SECRETS, 'nonce']) expect(seen).not.toContain(secret);
      },
    ),
  );

  it('counts an error that vitest attributes to no file', async () => {
    expect(statuses(await firstOfMany())).toEqual({
      'a.test.ts good': 'passed',
      'a.test.ts (unhandled error)': 'failed',
    });
  });

  it.each(TRICKS.slice(0, 1))('never passes in a run of its own: %s', async (_, outcome, files) => {
    expect((await host.run(files)).outcome).toBe(outcome);
  });

  it.each([
    ['excluded by the configuration', config(`exclude: ['**/bad.test.ts']`)],
    ['outside what it includes', config(`include: ['**/good.test.ts']`)],
  ])('a test file %s was not run, and is neither listed nor passed', async (_, files) => {
    const run = await host.run({ ...files, 'good.test.ts': `${T}test('x', () => {});`, 'bad.test.ts': T + BAD });
    expect(run.files).toEqual(['good.test.ts']);
    expect(statuses(run)).toEqual({ 'good.test.ts x': 'passed', 'bad.test.ts (file)': 'skipped' });
  });

  it(
    'keeps each of the failing cases when a name pattern or bail would leave them out',
    lenient.on(
      { 'a.test.ts': `${T}test('one', () => expect(1).toBe(2)); test('two', () => expect(1).toBe(2));` },
      (run) => {
        expect(statuses(run)).toEqual({ 'a.test.ts one': 'failed', 'a.test.ts two': 'failed' });
      },
    ),
  );
});

it('names the version that is needed, where an older vitest is installed', async () => {
  const run = await host.run(
    {
      'pkg/package.json': '{}',
      'pkg/node_modules/vitest/package.json': '{ "name": "vitest", "version": "0.34.6", "exports": { "./*": "./*" } }',
      'pkg/a.test.js': '',
    },
    { cwd: 'pkg' },
  );
  expect(run.why).toMatch(/vitest 0\.34\.6 is installed, and results can be judged from vitest 2 on/);
});
