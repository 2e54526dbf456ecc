import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { nodeTest } from '../../../src/kernel/runners/node-test/runner.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import { SECRETS, SPY_IN_JAVASCRIPT } from './spies.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 120_000;
const host = new RunnerOnHost(nodeTest, { program: process.execPath, deadlineMs: DEADLINE_MS });
beforeAll(() => host.playTogether(), DEADLINE_MS);
afterAll(() => {
  host.close();
});

const T = "import test from 'node:test'; import assert from 'node:assert';\n";

function importing(line: string): () => Promise<TestRun> {
  return host.together({
    'src/a.mjs': 'export const a = 1;',
    'test/a.test.mjs': `${T}${line}\ntest('x', () => {});`,
  });
}

describe('a run of node:test', () => {
  it(
    'lists every case with its file, its full name and its status',
    host.on(
      {
        'test/a.test.mjs': `${T}import { describe, it } from 'node:test';
describe('outer', () => { describe('inner', () => { it('passes', () => {}); it('fails', () => assert.equal(1, 2)); }); it.skip('later', () => {}); });
test('parent', async (t) => { await t.test('child', () => {}); });
test.todo('planned');`,
        'test/b.test.cjs': `const test = require('node:test'); test('commonjs', () => {});`,
      },
      (run) => {
        expect(run.outcome).toBe('failed');
        expect(statuses(run)).toEqual({
          'test/a.test.mjs outer > inner > passes': 'passed',
          'test/a.test.mjs outer > inner > fails': 'failed',
          'test/a.test.mjs outer > later': 'skipped',
          'test/a.test.mjs parent > child': 'passed',
          'test/a.test.mjs parent': 'passed',
          'test/a.test.mjs planned': 'todo',
          'test/b.test.cjs commonjs': 'passed',
        });
      },
    ),
  );

  it(
    'passes when every case passes, with nothing of the canaries left in it',
    host.on({ 'test/a.test.mjs': `${T}test('one', () => {});` }, (run) => {
      expect(run).toMatchObject({ outcome: 'passed', files: ['test/a.test.mjs'] });
      expect(run.cases.map((each) => each.name)).toEqual(['one']);
    }),
  );

  it(
    'counts cases that a shared helper registers to the file that calls it',
    host.on(
      {
        'lib/shared.mjs': `${T}export const shared = (name) => test(name, () => assert.ok(name !== 'bad'));`,
        'test/a.test.mjs': `import { shared } from '../lib/shared.mjs'; shared('good');`,
        'test/b.test.mjs': `import { shared } from '../lib/shared.mjs'; shared('bad');`,
      },
      (run) => {
        expect(statuses(run)).toEqual({ 'test/a.test.mjs good': 'passed', 'test/b.test.mjs bad': 'failed' });
      },
    ),
  );

  it(
    'distinguishes an assertion from an error thrown',
    host.on(
      { 'test/a.test.mjs': `${T}test('a', () => assert.equal(1, 2)); test('b', () => { undefined.x; });` },
      (run) => {
        expect(run.cases.map((each) => each.failure?.kind)).toEqual(['assertion', 'error']);
      },
    ),
  );

  it.each<[string, () => Promise<TestRun>, RegExp, string | undefined]>([
    ['a missing module', importing(`import '../src/none.mjs';`), /\/src\/none\.mjs$/, undefined],
    ['a missing export', importing(`import { parse } from '../src/a.mjs';`), /^\.\.\/src\/a\.mjs$/, 'parse'],
  ])('names %s as what keeps a file from loading', async (_, result, specifier, missingExport) => {
    const run = await result();
    expect(run.outcome).toBe('failed');
    expect(run.cases).toHaveLength(1);
    expect(run.cases[0]?.failure?.kind).toBe('load');
    expect(run.cases[0]?.failure?.missing?.specifier).toMatch(specifier);
    expect(run.cases[0]?.failure?.missing?.export).toBe(missingExport);
  });

  it(
    'does not take a syntax error for something missing',
    host.on({ 'test/a.test.mjs': `${T}test('x', () => {` }, (run) => {
      expect(run.cases[0]?.failure).toMatchObject({ kind: 'load' });
      expect(run.cases[0]?.failure?.missing).toBeUndefined();
    }),
  );

  it('says why when no file can be run', async () => {
    const run = await host.run({ 'test/a.test.mjs': '' }, { args: ['--no-such-flag'] });
    expect(run.cases).toMatchObject([{ name: '(file)', failure: { kind: 'crash' } }]);
    expect(run.cases[0]?.failure?.message).toContain('bad option: --no-such-flag');
  });

  it('fails a case that waits for what never comes, not the whole run, and ends with what it leaves running', async () => {
    const waits = 'const { promise } = Promise.withResolvers(); setInterval(() => {}, 10); await promise;';
    const text = `${T}test('waits', async () => { ${waits} }); test('next', () => {});`;
    const run = await host.run({ 'test/a.test.mjs': text }, { caseMs: 200 });
    expect(statuses(run)).toEqual({ 'test/a.test.mjs waits': 'failed', 'test/a.test.mjs next': 'passed' });
    expect(run.cases[0]?.failure?.kind).toBe('timeout');
  });

  it('leaves a case and a command their own time limits', async () => {
    const slow = 'await new Promise((resolve) => { setTimeout(resolve, 300); });';
    const text = `${T}test('own', { timeout: 60_000 }, async () => { ${slow} }); test('waits', async () => { ${slow} });`;
    const run = await host.run({ 'test/a.test.mjs': text }, { caseMs: 60_000, args: ['--test-timeout=100'] });
    expect(statuses(run)).toEqual({ 'test/a.test.mjs own': 'passed', 'test/a.test.mjs waits': 'failed' });
  });

  it(
    'reports what a file throws after it registered a test',
    host.on({ 'test/a.test.mjs': `${T}test('x', () => {}); throw new Error('not implemented');` }, (run) => {
      const load = run.cases.find(({ name }) => name === '(load)');
      expect(load?.failure).toMatchObject({ kind: 'load', message: 'not implemented' });
    }),
  );

  it(
    'finds the snapshot of a test beside its file',
    host.on(
      {
        'test/a.test.mjs': `${T}test('x', (t) => t.assert.snapshot({ a: 1 })); test('y', (t) => t.assert.snapshot({ a: 2 }));`,
        'test/a.test.mjs.snapshot':
          'exports[`x 1`] = `\n{\n  "a": 1\n}\n`;\n\nexports[`y 1`] = `\n{\n  "a": 1\n}\n`;\n',
      },
      (run) => {
        expect(statuses(run)).toEqual({ 'test/a.test.mjs x': 'passed', 'test/a.test.mjs y': 'failed' });
      },
    ),
  );

  it(
    'runs all tests of a file in which one is marked, as node --test does',
    host.on({ 'test/a.test.mjs': `${T}test.only('x', () => {}); test('bad', () => assert.ok(false));` }, (run) => {
      expect(run.outcome).toBe('failed');
    }),
  );

  it(
    'does not count a failure that was expected as passed',
    host.on({ 'test/a.test.mjs': `${T}test.expectFailure('x', () => assert.equal(1, 2));` }, (run) => {
      expect(statuses(run)).toEqual({ 'test/a.test.mjs x': 'todo' });
    }),
  );
});

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [string, Record<string, string>])[] = [
  [
    'a source that registers an assertion under a name that is taken',
    {
      'src/a.mjs': `import { assert } from 'node:test'; assert.register('strictEqual', () => {});`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', (t) => t.assert.strictEqual(1, 2));`,
    },
  ],
  [
    'a source that makes failures pass in the stream of results',
    {
      'src/a.mjs': `import { run } from 'node:test'; process.env.NODE_TEST_CONTEXT = 'x'; const proto = Object.getPrototypeOf(run({ files: [] }));
const { ok } = proto; proto.fail = function (...all) { if (all[3] === 'bad') return ok.apply(this, all); };`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.ok(false));`,
    },
  ],
  [
    'a source that writes results of its own',
    {
      'src/a.mjs': `import fs from 'node:fs'; fs.writeSync(3, '{"event":"case","index":0,"name":"bad","status":"passed","duration_ms":0}\\n');`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.ok(false));`,
    },
  ],
  [
    'a mock that always was called',
    {
      'src/a.mjs': `import { mock } from 'node:test'; Object.getPrototypeOf(mock.fn().mock).callCount = () => 1;`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; import { mock } from 'node:test'; test('bad', () => assert.equal(mock.fn().mock.callCount(), 1));`,
    },
  ],
  [
    'process.exit(0) in a test',
    { 'test/a.test.mjs': `${T}test('x', () => process.exit(0)); test('bad', () => assert.ok(false));` },
  ],
  ['process.exit(0) when the file loads', { 'test/a.test.mjs': `process.exit(0);` }],
  [
    'process.exit(0) in the source',
    {
      'src/a.mjs': 'process.exit(0);',
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.ok(false));`,
    },
  ],
  [
    'process.exit(0) in an exit handler that hides a failure',
    {
      'test/a.test.mjs': `${T}setImmediate(() => process.exit(0)); test('bad', async () => { await new Promise((r) => setTimeout(r, 50)); assert.ok(false); });`,
    },
  ],
  [
    'a source that stubs assertions',
    {
      'src/a.mjs': `import assert from 'node:assert'; import { syncBuiltinESMExports } from 'node:module';
for (const key of Object.keys(assert)) if (typeof assert[key] === 'function' && key !== 'AssertionError') assert[key] = () => {};
syncBuiltinESMExports();`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.equal(1, 2));`,
    },
  ],
  [
    'a source that stubs one assertion when it is called',
    {
      'src/a.mjs': `import assert from 'node:assert'; export const f = () => { assert.strictEqual = () => {}; };`,
      'test/a.test.mjs': `${T}import { f } from '../src/a.mjs'; test('bad', () => { f(); assert.strictEqual(1, 2); });`,
    },
  ],
  [
    "a source that leaves only ESM's named exports stubbed",
    {
      'src/a.cjs': `const a = require('node:assert/strict'); const real = a.equal; a.equal = () => {};
require('node:module').syncBuiltinESMExports(); a.equal = real;`,
      'test/a.test.mjs': `import '../src/a.cjs'; import test from 'node:test'; import { equal } from 'node:assert/strict'; test('bad', () => equal(1, 2));`,
    },
  ],
  [
    'a source that stubs an assertion and puts it back in time',
    {
      'src/a.mjs': `import assert from 'node:assert'; export const f = () => { const real = assert.equal; assert.equal = () => {}; setTimeout(() => { assert.equal = real; }); };`,
      'test/a.test.mjs': `${T}import { f } from '../src/a.mjs'; test('bad', async () => { f(); assert.equal(1, 2); await new Promise((r) => setTimeout(r, 10)); });`,
    },
  ],
  [
    'a source that knows what the canaries compare',
    {
      'src/a.mjs': `import assert from 'node:assert'; const real = assert.equal; assert.equal = (a, b) => { if (a === 1 && b === 2) real(a, b); };`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.equal(3, 4));`,
    },
  ],
  [
    'a source that swaps AssertionError',
    {
      'src/a.mjs': `import assert from 'node:assert'; assert.AssertionError = class extends Error {};`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('x', () => assert.equal(1, 1));`,
    },
  ],
  [
    'a source that makes a test registered by name do nothing',
    {
      'src/a.cjs': `const t = require('node:test'); const real = t.it; t.it = () => {}; require('node:module').syncBuiltinESMExports(); t.it = real;`,
      'test/a.test.mjs': `import '../src/a.cjs'; import { it } from 'node:test'; it('bad', () => { throw new Error('x'); });`,
    },
  ],
  [
    'a source that rewrites what an assertion error is',
    {
      'src/a.mjs': `import assert from 'node:assert'; Object.defineProperty(assert.AssertionError.prototype, 'toString', { value: () => '' });`,
      'test/a.test.mjs': `${T}import '../src/a.mjs'; test('x', () => assert.equal(1, 1));`,
    },
  ],
];

/** Stubs that cannot be put in at all: what they hide shows. */
const BLUNTED: readonly (readonly [string, string])[] = [
  ['defineProperty', `Object.defineProperty(assert, 'equal', { value: () => {} });`],
  ['a mock', `import { mock } from 'node:test'; mock.method(assert, 'equal', () => {});`],
];

/** Ways to swallow a failure where results pass by, by its name or by its class: the results are taken before. */
const PASSED_BY: readonly (readonly [string, string])[] = [
  [
    'Readable.prototype.push, by its name',
    `import { Readable } from 'node:stream'; const { push } = Readable.prototype;
Readable.prototype.push = function (each, ...more) { return each?.data?.name === 'bad' ? true : push.call(this, each, ...more); };`,
  ],
  [
    'EventEmitter.prototype.emit, by its class',
    `import { EventEmitter } from 'node:events'; const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (type, ...all) { return all[0]?.details?.error?.cause?.code === 'ERR_ASSERTION' ? true : emit.call(this, type, ...all); };`,
  ],
  [
    'JSON.stringify and toJSON',
    `const { stringify } = JSON; JSON.stringify = (each) => stringify(each.status === 'failed' ? { ...each, status: 'passed' } : each);
Object.prototype.toJSON = function () { return this.status === 'failed' ? { ...this, status: 'passed' } : this; };`,
  ],
];

it('leaves the length of traces to the project', async () => {
  const run = await host.run({
    'src/a.mjs': `Error.stackTraceLimit = 50;`,
    'test/a.test.mjs': `import test from 'node:test'; import '../src/a.mjs'; test('x', () => { Error.stackTraceLimit = 0; });`,
  });
  expect(run.outcome).toBe('passed');
});

describe('fake green', () => {
  it.each(
    BLUNTED.map(([name, stub]) => {
      const run = host.together({
        'src/a.mjs': `import assert from 'node:assert'; ${stub}`,
        'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.equal(1, 2));`,
      });
      return [name, run] as const;
    }),
  )('is red: an assertion stubbed by %s', async (_, run) => {
    expect(['failed', 'tampered']).toContain((await run()).outcome);
  });

  it.each(
    PASSED_BY.map(([name, source]) => {
      const run = host.together({
        'src/a.mjs': source,
        'test/a.test.mjs': `${T}import '../src/a.mjs'; test('bad', () => assert.equal(1, 2));`,
      });
      return [name, run] as const;
    }),
  )('is red: a failure swallowed in %s', async (_, run) => {
    expect(statuses(await run())).toEqual({ 'test/a.test.mjs bad': 'failed' });
  });

  it(
    'shows code under test neither its job nor a name of the canaries or the report',
    host.on({ 'test/a.test.mjs': `${T}${SPY_IN_JAVASCRIPT}test('bad', () => assert.fail(spied()));` }, (run) => {
      const seen = run.cases[0]?.failure?.message ?? '';
      expect(seen).toContain('a.test.mjs');
      for (const secret of SECRETS) expect(seen).not.toContain(secret);
    }),
  );

  it(
    'does not suspect a file that mocks, skips and registers assertions of its own',
    host.on(
      {
        'test/a.test.mjs': `${T}import { mock, it, assert as own } from 'node:test'; import { equal, AssertionError } from 'node:assert/strict';
own.register('odd', (n) => equal(n % 2, 1));
it('mocks', (t) => { const fn = t.mock.fn(); fn(); equal(fn.mock.callCount(), 1); t.assert.odd(3); mock.timers.enable(); mock.reset(); });
it('throws', () => { const { strict } = assert; strict.throws(() => equal(1, 2), AssertionError); assert.throws(() => assert(false)); });
it.skip('skips', () => {});`,
      },
      (run) => {
        expect(run.outcome).toBe('passed');
      },
    ),
  );

  it.each(TRICKS.map(([name, files]) => [name, host.together(files)] as const))('is tampered: %s', async (_, run) => {
    expect((await run()).outcome).toBe('tampered');
  });

  it.each(TRICKS.slice(0, 2))('is tampered in a run of its own: %s', async (_, files) => {
    expect((await host.run(files)).outcome).toBe('tampered');
  });

  it(
    'counts a case as failed that another line of the report calls passed',
    host.on({ 'test/a.test.mjs': `${T}test('same', () => {}); test('same', () => assert.ok(false));` }, (run) => {
      expect(run.outcome).toBe('failed');
    }),
  );

  it(
    "runs the kernel's own checks beside no case, so that hooks of the whole file may hold what is there once",
    host.on(
      {
        'test/a.test.mjs': `${T}import { afterEach, beforeEach, mock } from 'node:test'; beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 5 })); afterEach(() => mock.timers.reset()); test('one', () => assert.equal(Date.now(), 5));`,
      },
      (run) => {
        expect(run.outcome).toBe('passed');
      },
    ),
  );

  it(
    'does not count a suite whose hook throws as passed',
    host.on(
      {
        'test/a.test.mjs': `${T}import { describe, it, before } from 'node:test'; describe('s', () => { before(() => { throw new Error('no'); }); it('x', () => {}); });`,
      },
      (run) => {
        expect(run.outcome).toBe('failed');
      },
    ),
  );
});
