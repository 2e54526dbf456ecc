import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { jestArguments } from '../../../src/kernel/runners/jest/arguments.ts';
import { jest } from '../../../src/kernel/runners/jest/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { SECRETS } from './spies.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 120_000;
const hosts: RunnerOnHost[] = [];
beforeAll(async () => {
  for (const each of hosts) await each.playTogether();
}, 2 * DEADLINE_MS);
afterAll(() => {
  for (const each of hosts) each.close();
});

/** Projects that all have the packages of this repository, jest among them, and these files. */
function hostWith(files: Files): RunnerOnHost {
  const packages = { 'package.json': '{}', ...files };
  const made = new RunnerOnHost(jest, { program: process.execPath, packages, deadlineMs: DEADLINE_MS });
  hosts.push(made);
  return made;
}

const BAD = "test('bad', () => expect(1).toBe(2));\n";
const host = hostWith({});
/** Everything that a configuration may say to leave tests or failures out. */
const lenient = hostWith({
  'jest.config.js': `module.exports = { bail: 1, passWithNoTests: true, reporters: ['<rootDir>/r.js'], coverageReporters: [],
    testResultsProcessor: '<rootDir>/p.js', forceExit: true, verbose: true };`,
  'r.js': 'module.exports = class { onRunComplete() { process.exit(0); } };',
  'p.js': 'module.exports = (results) => ({ ...results, testResults: [], success: true });',
});

function importing(line: string): () => Promise<TestRun> {
  return host.together({
    'src/imports-none.js': `module.exports = require('./none');`,
    'test/a.test.js': `${line}\ntest('x', () => expect(f()).toBe(1));`,
  });
}

describe('a run of jest', () => {
  it(
    'lists every case with its file, its full name, its status and how it failed',
    host.on(
      {
        'src/add.js': 'exports.add = (a, b) => a + b;',
        'test/a.test.js': `const { add } = require('../src/add');
describe('outer', () => { describe('inner', () => { test('passes', () => expect(add(1, 2)).toBe(3)); test('fails', () => expect(add(1, 2)).toBe(4)); }); test.skip('later', () => {}); });
test.todo('planned');
test('throws', () => { undefined.x(); });
test('slow', () => new Promise(() => undefined), 50);
test.each([1, 2])('counts %i', (n) => expect(n).toBeGreaterThan(0));
describe('broken', () => { beforeAll(() => { throw new Error('no'); }); test('never runs', () => {}); });`,
        '__tests__/b.js': `test('by node:assert', () => require('node:assert').equal(1, 2));`,
      },
      (run) => {
        expect(run.outcome).toBe('failed');
        expect(statuses(run)).toEqual({
          'test/a.test.js outer > inner > passes': 'passed',
          'test/a.test.js outer > inner > fails': 'failed',
          'test/a.test.js outer > later': 'skipped',
          'test/a.test.js planned': 'todo',
          'test/a.test.js throws': 'failed',
          'test/a.test.js slow': 'failed',
          'test/a.test.js counts 1': 'passed',
          'test/a.test.js counts 2': 'passed',
          'test/a.test.js broken > never runs': 'failed',
          '__tests__/b.js by node:assert': 'failed',
        });
        const kinds = Object.fromEntries(run.cases.map((each) => [each.name, each.failure?.kind]));
        expect(kinds).toMatchObject({
          'outer > inner > fails': 'assertion',
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
    host.on({ 'a.test.js': `test('one', () => expect(1).toBe(1));` }, (run) => {
      expect(run).toMatchObject({ outcome: 'passed', files: ['a.test.js'] });
      expect(run.cases.map((each) => each.name)).toEqual(['one']);
    }),
  );

  it(
    'fails every case of a file whose own hook fails before each',
    host.on({ 'a.test.js': `beforeEach(() => { throw new Error('no'); }); test('x', () => {});` }, (run) => {
      expect(statuses(run)).toEqual({ 'a.test.js x': 'failed' });
    }),
  );

  it("keeps the project's own setup files, module names, transformers and mocks at work", async () => {
    const run = await host.run({
      'jest.config.js': `module.exports = { setupFilesAfterEnv: ['<rootDir>/setup.js'], globalSetup: './global.js', resetMocks: true,
        moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' }, fakeTimers: { enableGlobally: true } };`,
      'setup.js': 'globalThis.prepared = true;',
      'global.js': 'module.exports = () => { process.env.FROM_GLOBAL = "yes"; };',
      'src/a.js': 'exports.a = () => "real";',
      'test/a.test.js': `jest.mock('@/a', () => ({ a: () => 'mocked' }));
test('all', () => { expect(prepared).toBe(true); expect(require('@/a').a()).toBe('mocked'); expect(process.env.FROM_GLOBAL).toBe('yes'); });`,
    });
    expect(statuses(run)).toEqual({ 'test/a.test.js all': 'passed' });
  });

  it('runs modules where Node is started for them, in each of several configured projects', async () => {
    const project = (displayName: string, more = '') => `{ displayName: '${displayName}', transform: {} ${more} }`;
    const run = await host.run(
      {
        'package.json': '{ "type": "module" }',
        'jest.config.js': `export default { projects: [${project('one')}, ${project('two', ", setupFiles: ['<rootDir>/two.js']")}] };`,
        'two.js': 'globalThis.two = true;',
        'src/a.js': 'export const a = 1;',
        'a.test.js': `import { a } from './src/a.js'; test('only in two', () => { expect(a).toBe(1); expect(globalThis.two).toBe(true); });`,
        'b.test.js': `import { none } from './src/a.js'; test('x', () => none());`,
      },
      { args: ['--experimental-vm-modules'] },
    );
    expect(statuses(run)).toMatchObject({
      'a.test.js [one] > only in two': 'failed',
      'a.test.js [two] > only in two': 'passed',
      'b.test.js (load)': 'failed',
    });
    const lost = run.cases.find(({ file }) => file === 'b.test.js')?.failure;
    expect(lost?.missing).toEqual({ specifier: './src/a.js', export: 'none' });
  });

  it('may have the same matcher added by each suite', async () => {
    const suite = (name: string) => `describe('${name}', () => {
  beforeAll(() => { expect.extend({ toBeTwo(a) { return { pass: a === 2, message: () => 'no' }; } }); });
  test('x', () => expect(2).toBeTwo());
});`;
    const run = await host.run({ 'a.test.js': `${suite('a')}\n${suite('b')}` });
    expect(statuses(run)).toEqual({ 'a.test.js a > x': 'passed', 'a.test.js b > x': 'passed' });
  });

  it('tells cases apart that two configured projects without a name have', async () => {
    const run = await host.run({
      'jest.config.js': 'module.exports = { projects: [{}, { globals: { two: true } }] };',
      'a.test.js': `test('x', () => { expect(typeof two).toBe('undefined'); });`,
    });
    // Which number a project has depends on where it is.
    expect(run.cases.map(({ status }) => status).sort()).toEqual(['failed', 'passed']);
    expect(new Set(run.cases.map(({ name }) => name))).toEqual(new Set(['[1] > x', '[2] > x']));
  });

  it('runs the tests of all configured projects, each by its own names', async () => {
    const config = `module.exports = { projects: [
      { displayName: 'unit', testMatch: ['<rootDir>/unit/**/*.js'] },
      { displayName: 'web', testMatch: ['<rootDir>/web/**/*.check.js'] },
    ] };`;
    const files = {
      'jest.config.js': config,
      'unit/a.js': `test('a', () => {});`,
      'web/b.check.js': `test('b', () => {});`,
      'web/b.js': 'none();',
    };
    const args = jestArguments(['jest'], (path) => (path === 'jest.config.js' ? config : ''));
    expect(statuses(await host.run(files, { args }))).toEqual({
      'unit/a.js a': 'passed',
      'web/b.check.js b': 'passed',
    });
  });

  it.each<[string, () => Promise<TestRun>, boolean]>([
    ['beside the source', importing(`const { f } = require('../src/none');`), true],
    ['by another source', importing(`const { f } = require('../src/imports-none');`), true],
    ['from a package', importing(`const { f } = require('no-such-package');`), false],
  ])('names a missing module (%s) as what keeps a file from loading', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure?.kind).toBe('load');
    const specifier = failure?.missing?.specifier ?? '';
    const root = specifier.split('/project/')[0] ?? '';
    expect(resolvesInside(`${root}/project`, 'test/a.test.js', specifier)).toBe(inside);
  });

  it('has the path that a name of the project leads to, where that is missing', async () => {
    const run = await host.run({
      'jest.config.js': `module.exports = { moduleNameMapper: { '^#(.*)$': '<rootDir>/$1', '^@app/(.*)$': '<rootDir>/src/$1', '^shop$': '<rootDir>/shop/index.js' } };`,
      'test/a.test.js': `const { f } = require('@app/none'); test('x', () => expect(f()).toBe(1));`,
      'test/b.test.js': `const { f } = require('shop'); test('x', () => expect(f()).toBe(1));`,
    });
    const missing = run.cases.map((each) => each.failure?.missing?.specifier.split('/project/')[1]);
    expect(missing.sort()).toEqual(['shop/index.js', 'src/none']);
  });

  it('loads what ts-jest would not compile, because it names what does not exist yet', async () => {
    const run = await host.run({
      'jest.config.js': `module.exports = { transform: { '\\\\.js$': ['<rootDir>/tools/ts-jest/index.js', { diagnostics: true, kept: 1 }] } };`,
      'tools/ts-jest/index.js': `exports.process = (code, file, { transformerConfig: { diagnostics, kept } }) => {
  if (diagnostics !== false || kept !== 1) throw new Error('error TS2339');
  return { code };
};`,
      'a.test.js': `test('x', () => expect({}.total()).toBe(1));`,
    });
    expect(run.cases[0]?.failure).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('is not a function') as string,
    });
  });

  it(
    'does not take a syntax error for something missing',
    host.on({ 'a.test.js': `test('x', () => {` }, (run) => {
      expect(run.cases[0]?.failure).toMatchObject({ kind: 'load' });
      expect(run.cases[0]?.failure?.missing).toBeUndefined();
    }),
  );

  it('reports what is missing when jest is not installed', async () => {
    const run = await host.run({ 'a.test.js': '' }, { bare: true });
    expect(run.outcome).toBe('crashed');
    expect(run.why).toContain('jest is not installed');
  });

  it(
    'leaves nothing of its secrets where code of the project can read it',
    host.on(
      {
        'a.test.js': `const fs = require('node:fs'); const os = require('node:os'); const path = require('node:path');
test('reads', () => { const seen = [JSON.stringify(Object.keys(globalThis)), process.argv.join(' ')];
  for (const name of fs.readdirSync(os.tmpdir()).filter((each) => /^jest-/.test(each))) for (const file of fs.readdirSync(path.join(os.tmpdir(), name))) if (file === 'setup.cjs') seen.push(fs.readFileSync(path.join(os.tmpdir(), name, file), 'utf8'));
  expect(seen.join(' ')).toBe(''); });`,
      },
      (run) => {
        const seen = run.cases[0]?.failure?.message ?? '';
        expect(seen).toContain('secrets.suite');
        expect(seen).not.toMatch(/[0-9a-f]{32}|"runner:seed"/);
        for (const secret of SECRETS.slice(0, 2)) expect(seen).not.toContain(secret);
      },
    ),
  );

  it('shows what the tests print', async () => {
    const run = await host.run({ 'a.test.js': `test('x', () => { console.log('seen'); console.error('wrong'); });` });
    expect(run.output).toContain('seen');
    expect(run.output).toContain('wrong');
  });
});

type Trick = readonly [name: string, outcome: string, files: Files];

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly Trick[] = [
  ['.only on a passing test', 'tampered', { 'a.test.js': `test.only('good', () => {});${BAD}` }],
  ['a test that is expected to fail', 'passed', { 'a.test.js': `test.failing('bad', () => expect(1).toBe(2));` }],
  [
    'a test that passes when it is repeated',
    'failed',
    { 'a.test.js': `jest.retryTimes(3); let n = 0; test('x', () => expect((n += 1)).toBe(2));` },
  ],
  [
    'matchers replaced by the source',
    'tampered',
    {
      'src.js': `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) }); exports.f = () => 1;`,
      'a.test.js': `const { f } = require('./src'); test('x', () => expect(f()).toBe(2));`,
    },
  ],
  [
    'equality overloaded by the source',
    'tampered',
    {
      'src.js': `expect.addEqualityTesters([() => true]);`,
      'a.test.js': `require('./src'); test('x', () => expect({ a: 1 }).toEqual({ a: 2 }));`,
    },
  ],
  [
    'expect replaced by the source',
    'tampered',
    {
      'src.js': `globalThis.expect = () => new Proxy({}, { get: () => () => {} });`,
      'a.test.js': `require('./src'); test('x', () => expect(1).toBe(2));`,
    },
  ],
  [
    'assert.strict replaced by the source, and put back',
    'tampered',
    {
      'src.js': `const { strict } = require('node:assert'); const { equal } = strict;
exports.f = () => { strict.equal = () => {}; queueMicrotask(() => { strict.equal = equal; }); };`,
      'a.test.js': `const { strict } = require('node:assert'); const { f } = require('./src'); test('x', () => { f(); strict.equal(1, 2); });`,
    },
  ],
  [
    'a matcher of the test replaced by the source',
    'tampered',
    {
      'src.js': `exports.f = () => { expect.extend({ toBeTwo: () => ({ pass: true, message: () => '' }) }); return 1; };`,
      'a.test.js': `const { f } = require('./src'); expect.extend({ toBeTwo: (a) => ({ pass: a === 2, message: () => 'no' }) });
test('x', () => expect(f()).toBeTwo());`,
    },
  ],
  [
    'a bound matcher of the test replaced by a bound one of the source',
    'tampered',
    {
      'src.js': `const always = () => ({ pass: true, message: () => '' });
exports.f = () => { expect.extend({ toBeTwo: always.bind(null) }); return 1; };`,
      'a.test.js': `const { f } = require('./src'); const isTwo = (a) => ({ pass: a === 2, message: () => 'no' });
expect.extend({ toBeTwo: isTwo.bind(null) });
test('x', () => expect(f()).toBeTwo());`,
    },
  ],
  [
    'a rare matcher replaced by the source',
    'tampered',
    {
      'src.js': `expect.extend({ toHaveNthReturnedWith: () => ({ pass: true, message: () => '' }) }); exports.f = jest.fn();`,
      'a.test.js': `const { f } = require('./src'); test('x', () => expect(f).toHaveNthReturnedWith(1, 2));`,
    },
  ],
  [
    'the global expect wrapped by the source',
    'tampered',
    {
      'src.js': `const real = globalThis.expect; globalThis.expect = Object.assign((a) => (a === 'mul' ? { toBe: () => {} } : real(a)), real);`,
      'a.test.js': `require('./src'); test('x', () => expect('mul').toBe(2));`,
    },
  ],
  [
    'failures of one name swallowed by the source',
    'tampered',
    {
      'src.js': `const key = Object.getOwnPropertySymbols(globalThis).find((each) => String(each).includes('JEST_STATE'));
afterEach(() => { const { currentlyRunningTest: test } = globalThis[key]; test.errors.length = 0; });`,
      'a.test.js': `require('./src'); test('x', () => expect(1).toBe(2));`,
    },
  ],
];

const LENIENT: readonly Trick[] = [
  ['a reporter and a processor that drop failures', 'failed', { 'a.test.js': BAD }],
  ['bail', 'failed', { 'a.test.js': `test('first', () => expect(1).toBe(2));${BAD}` }],
  [
    'a snapshot that would be written',
    'failed',
    { 'a.test.js': `test('x', () => expect({ a: 1 }).toMatchSnapshot());` },
  ],
];

/** These end or spoil the whole run. */
const ALONE: readonly Trick[] = [
  [
    'node:assert stubbed by the source',
    'tampered',
    {
      'src.js': `require('node:assert').strictEqual = () => {};`,
      'a.test.js': `require('./src'); test('x', () => require('node:assert').strictEqual(1, 2));`,
    },
  ],
  ['process.exit(0) in a test', 'invalid|crashed|tampered', { 'a.test.js': `test('x', () => process.exit(0));${BAD}` }],
  ['process.exit(0) in the configuration', 'crashed', { 'jest.config.js': 'process.exit(0);', 'a.test.js': BAD }],
  [
    'process.exit(0) in globalSetup',
    'invalid|crashed|tampered',
    {
      'jest.config.js': `module.exports = { globalSetup: './g.js' };`,
      'g.js': 'module.exports = () => process.exit(0);',
      'a.test.js': BAD,
    },
  ],
  [
    'a setup file that stubs expect',
    'tampered',
    {
      'jest.config.js': `module.exports = { setupFilesAfterEnv: ['./s.js'] };`,
      's.js': `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });`,
      'a.test.js': BAD,
    },
  ],
  [
    'an environment that lets every test pass',
    'tampered',
    {
      'jest.config.js': `module.exports = { testEnvironment: './e.js' };`,
      'e.js': `const { TestEnvironment } = require('jest-environment-node');
module.exports = class extends TestEnvironment { handleTestEvent(event) { if (event.name === 'test_fn_failure') { event.test.errors.length = 0; event.error = undefined; }
  if (event.name === 'test_done') event.test.errors.length = 0; } };`,
      'a.test.js': BAD,
    },
  ],
  [
    'a runner that runs nothing',
    'passed',
    {
      'jest.config.js': `module.exports = { runner: './runner.js' };`,
      'runner.js': `module.exports = class { supportsEventEmitters = true; isSerial = true; on() { return () => {}; } async runTests() {} };`,
      'a.test.js': BAD,
    },
  ],
];

describe('fake green', () => {
  it.each([
    ...TRICKS.map(([name, outcome, files]) => [name, outcome, host.together(files)] as const),
    ...LENIENT.map(([name, outcome, files]) => [name, outcome, lenient.together(files)] as const),
    ...ALONE.map(([name, outcome, files]) => [name, outcome, () => host.run(files)] as const),
  ])('proves nothing: %s', async (_, outcome, run) => {
    const result = await run();
    expect(result.outcome).toMatch(new RegExp(`^(${outcome})$`));
    if (result.outcome === 'passed') expect(result.cases.map(({ status }) => status)).not.toContain('passed');
  });

  it('a test file that the configuration excludes was not run, and is not listed or passed', async () => {
    const run = await host.run({
      'jest.config.js': `module.exports = { testPathIgnorePatterns: ['bad'] };`,
      'good.test.js': `test('x', () => {});`,
      'bad.test.js': BAD,
    });
    expect(run.files).toEqual(['good.test.js']);
    expect(statuses(run)).toEqual({ 'good.test.js x': 'passed', 'bad.test.js (file)': 'skipped' });
  });
});
