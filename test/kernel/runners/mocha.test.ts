import { afterAll, describe, expect, it } from 'vitest';
import { mocha } from '../../../src/kernel/runners/mocha/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const host = new RunnerOnHost(mocha, {
  program: process.execPath,
  packages: { 'package.json': '{}' },
  deadlineMs: 60_000,
});
afterAll(() => {
  host.close();
});

const A = "const assert = require('node:assert');\n";
const BAD = "it('bad', () => { require('node:assert').equal(1, 2); });\n";

describe('a run of mocha', () => {
  it('lists every case with its file, its full name, its status and how it failed', async () => {
    const run = await host.run({
      'src/add.js': 'exports.add = (a, b) => a + b;',
      'test/a.js': `${A}const { add } = require('../src/add');
describe('outer', () => { describe('inner', () => { it('passes', () => assert.equal(add(1, 2), 3)); it('fails', () => assert.equal(add(1, 2), 4)); }); it.skip('later', () => {}); it('planned'); });
it('throws', () => { undefined.x(); });
it('slow', function (done) { this.timeout(30); });
describe('broken', () => { before(() => { throw new Error('no'); }); it('never runs', () => {}); });`,
      'test/b.mjs': `import { expect } from 'chai'; it('compares', () => { expect({ a: [1, { b: 2 }] }).to.deep.equal({ a: [1, { b: 3 }] }); });`,
    });
    expect(run.outcome).toBe('failed');
    expect(statuses(run)).toEqual({
      'test/a.js throws': 'failed',
      'test/a.js slow': 'failed',
      'test/a.js outer > later': 'skipped',
      'test/a.js outer > planned': 'skipped',
      'test/a.js outer > inner > passes': 'passed',
      'test/a.js outer > inner > fails': 'failed',
      'test/a.js broken > "before all" hook for "never runs"': 'failed',
      'test/b.mjs compares': 'failed',
    });
    const failures = Object.fromEntries(run.cases.map((each) => [each.name, each.failure]));
    expect(failures).toMatchObject({
      'outer > inner > fails': { kind: 'assertion' },
      throws: { kind: 'error' },
      slow: { kind: 'timeout' },
      compares: {
        kind: 'assertion',
        message: expect.stringContaining('actual: { a: [ 1, { b: 2 } ] }') as unknown,
      },
    });
  });

  // mocha takes a file of its directory for a package of that name.
  it.each(['ts-node/register', 'ts-node/register/files', 'ts-node'])(
    'loads what %s would not compile, because it names what does not exist yet',
    async (name) => {
      const throws = `throw new Error('Unable to compile TypeScript');`;
      const run = await host.run({
        '.mocharc.json': JSON.stringify({ require: [name] }),
        'ts-node/index.js': throws,
        'ts-node/register/index.js': throws,
        'ts-node/register/files.js': throws,
        'ts-node/register/transpile-only.js': 'globalThis.registered = true;',
        'test/a.js': `it('is registered', () => require('node:assert').equal(globalThis.registered, true));`,
      });
      expect(statuses(run)).toEqual({ 'test/a.js is registered': 'passed' });
    },
  );

  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const run = await host.run({ 'test/a.js': `it('one', () => console.log('seen'));` });
    expect(run).toMatchObject({ outcome: 'passed', files: ['test/a.js'] });
    expect(statuses(run)).toEqual({ 'test/a.js one': 'passed' });
    expect(run.output).toContain('seen');
  });

  it("keeps the project's own options, modules and hooks at work", async () => {
    const run = await host.run(
      {
        '.mocharc.json':
          '{ "require": ["./hooks.cjs"], "ui": "tdd", "bail": true, "grep": "one", "spec": "checks/*.js" }',
        'hooks.cjs': `exports.mochaHooks = { beforeEach() { globalThis.prepared = true; } };`,
        'first.cjs': `setup(function () { this.first = true; });`,
        'checks/a.js': `${A}suite('s', () => { test('one', function () { assert.ok(prepared); assert.ok(this.first); }); test('two', () => assert.equal(1, 2)); });`,
        'test/never.js': `throw new Error('not collected');`,
      },
      { args: ['--file=./first.cjs', 'checks/*.js'] },
    );
    expect(statuses(run)).toEqual({ 'checks/a.js s > one': 'passed', 'checks/a.js s > two': 'failed' });
  });

  it.each([
    ['beside the source', `const { f } = require('../src/none');`, true],
    ['by another source', `const { f } = require('../src/imports-none');`, true],

    ['from a package', `const { f } = require('no-such-package');`, false],
  ])('names what is missing (%s) as what keeps a file from loading, and runs the others', async (_, line, inside) => {
    const run = await host.run({
      'src/imports-none.js': `module.exports = require('./none');`,
      'test/a.js': `it('x', () => {});\n${line}`,
      'test/b.js': `it('runs', () => {});`,
    });
    expect(statuses(run)).toEqual({ 'test/a.js (load)': 'failed', 'test/b.js runs': 'passed' });
    const failure = run.cases.find(({ name }) => name === '(load)')?.failure;
    const specifier = failure?.missing?.specifier ?? '';
    const root = specifier.split('/project/')[0] ?? '';
    expect(resolvesInside(`${root}/project`, 'test/a.js', specifier)).toBe(inside);
  });

  it('names a missing export', async () => {
    const run = await host.run({
      'src/a.mjs': 'export const a = 1;',
      'test/a.mjs': `import { none } from '../src/a.mjs'; it('x', () => none());`,
    });
    expect(run.cases[0]?.failure).toMatchObject({
      kind: 'load',
      missing: { specifier: '../src/a.mjs', export: 'none' },
    });
  });

  it('reports what is missing when mocha is not installed', async () => {
    const run = await host.run({ 'test/a.js': '' }, { bare: true });
    expect(run.outcome).toBe('crashed');
    expect(run.why).toContain('mocha is not installed');
  });

  it('gives a failing hook outside of every suite to each file that it keeps from running', async () => {
    const run = await host.run({
      'test/a.js': `beforeEach(() => { throw new Error('no'); }); it('x', () => {});`,
      'test/b.js': `it('y', () => {});`,
    });
    expect(run.outcome).toBe('failed');
    expect(run.cases.map(({ file, status }) => `${file} ${status}`)).toEqual([
      'test/a.js failed',
      'test/a.js failed',
      'test/b.js failed',
    ]);
  });
});

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [name: string, outcome: string, files: Files])[] = [
  ['process.exit(0) in a test', 'invalid|crashed|tampered', { 'test/a.js': `it('x', () => process.exit(0));${BAD}` }],
  ['process.exit(0) when the file loads', 'invalid|crashed|tampered', { 'test/a.js': 'process.exit(0);' }],
  ['process.reallyExit(1) in a test', 'invalid', { 'test/a.js': `it('x', () => process.reallyExit(1));${BAD}` }],
  ['.only on a passing test', 'tampered', { 'test/a.js': `it.only('good', () => {});${BAD}` }],
  [
    '.only in another file',
    'tampered',
    { 'test/a.js': BAD, 'test/b.js': `describe.only('s', () => { it('x', () => {}); });` },
  ],
  [
    'a test that passes when it is repeated',
    'failed',
    { 'test/a.js': `let n = 0; it('x', function () { this.retries(3); require('node:assert').equal((n += 1), 2); });` },
  ],
  [
    'repetition by configuration',
    'failed',
    {
      '.mocharc.json': '{ "retries": 2 }',
      'test/a.js': `let n = 0; it('x', () => { require('node:assert').equal((n += 1), 2); });`,
    },
  ],
  [
    'bail, grep and a dry run by configuration',
    'failed',
    {
      '.mocharc.json': '{ "bail": true, "grep": "good", "dry-run": true }',
      'test/a.js': `it('good', () => {});${BAD}`,
    },
  ],
  [
    'node:assert stubbed by the source',
    'tampered',
    {
      'src.js': `require('node:assert').equal = () => {};`,
      'test/a.js': `require('../src'); ${BAD}`,
    },
  ],
  [
    'assert.strict replaced by the source, and put back',
    'tampered',
    {
      'src.js': `const { strict } = require('node:assert'); const { equal } = strict;
exports.f = () => { strict.equal = () => {}; queueMicrotask(() => { strict.equal = equal; }); };`,
      'test/a.js': `const { strict } = require('node:assert'); const { f } = require('../src'); it('x', () => { f(); strict.equal(1, 2); });`,
    },
  ],
  [
    'an assertion of chai replaced by the source',
    'tampered',
    {
      'src.js': `require('chai').assert.closeTo = () => {};`,
      'test/a.js': `require('../src'); it('x', () => { require('chai').assert.closeTo(1, 2, 0.1); });`,
    },
  ],
  [
    'failures swallowed by the source unless their title is a number',
    'tampered',
    {
      'src.js': `const { Runner } = require('mocha'); const { fail } = Runner.prototype;
Runner.prototype.fail = function (test, ...rest) { if (/[0-9a-f]{8}/.test(test.title)) return fail.call(this, test, ...rest); test.state = 'passed'; this.emit('pass', test); };`,
      'test/a.js': `require('../src'); ${BAD}`,
    },
  ],
  [
    'failures swallowed by a hook of the file',
    'tampered',
    {
      'src.js': `const { Runnable } = require('mocha'); const { run } = Runnable.prototype;
Object.defineProperty(Runnable.prototype, 'run', { value(done) { run.call(this, () => done()); }, configurable: true });`,
      'test/a.js': `require('../src'); ${BAD}`,
    },
  ],
  [
    'chai stubbed by the source',
    'tampered',
    {
      'src.js': `const { util, Assertion } = require('chai'); util.overwriteMethod(Assertion.prototype, 'equal', () => function () {});`,
      'test/a.js': `require('../src'); it('x', () => { require('chai').expect(1).to.equal(2); });`,
    },
  ],
  [
    'a runner that reports no failure',
    'tampered',
    {
      'src.js': `require('mocha').Runner.prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test); };`,
      'test/a.js': `require('../src'); ${BAD}`,
    },
  ],
  [
    'tests whose bodies are never called',
    'tampered',
    {
      'src.js': `require('mocha').Runnable.prototype.run = function (done) { done(); };`,
      'test/a.js': `require('../src'); ${BAD}`,
    },
  ],
  [
    'an unhandled rejection',
    'failed',
    { 'test/a.js': `it('x', (done) => { void Promise.reject(new Error('lost')); setTimeout(done, 20); });` },
  ],
  [
    'an exit code set by an exit hook',
    'tampered',
    { 'test/a.js': `process.on('exit', () => { process.exitCode = 0; });${BAD}` },
  ],
];

describe('a plugin that replaces an assertion of chai', () => {
  const LENGTHS = `module.exports = ({ assert }) => { const { lengthOf } = assert; assert.lengthOf = (things, count) => lengthOf([...things], count); };`;
  const manifest = JSON.stringify({ devDependencies: { 'chai-lengths': '1', mocha: '11' } });
  const test = (plugin: string) => `const chai = require('chai'); chai.use(require('${plugin}'));
it('x', () => { chai.assert.lengthOf(new Set([1]), 1); chai.assert.lengthOf([1], 1); });`;

  it('may do so where it is installed', async () => {
    const files = {
      'pkg/package.json': manifest,
      'pkg/node_modules/chai-lengths/index.js': LENGTHS,
      'pkg/test/a.js': test('chai-lengths'),
    };
    const run = await host.run(files, { cwd: 'pkg' });
    expect(statuses(run)).toEqual({ 'pkg/test/a.js x': 'passed' });
  });

  it.each([
    ['is a file of the project', { 'pkg/test/a.js': test('../chai-lengths') }],
    ['is not named by the manifest', { 'pkg/package.json': '{}', 'pkg/test/a.js': test('chai-lengths') }],
    [
      'does so behind an installed one',
      { 'pkg/test/a.js': `require('chai').assert.lengthOf = () => {}; ${test('chai-lengths')}` },
    ],
  ])('may not where it %s', async (_, files) => {
    const installed = { 'pkg/node_modules/chai-lengths/index.js': LENGTHS, 'pkg/chai-lengths/index.js': LENGTHS };
    const run = await host.run({ 'pkg/package.json': manifest, ...installed, ...files }, { cwd: 'pkg' });
    expect(run.outcome).toBe('tampered');
  });
});

describe('fake green', () => {
  it.each(TRICKS)('never passes: %s', async (_, outcome, files) => {
    expect((await host.run(files)).outcome).toMatch(new RegExp(`^(${outcome})$`));
  });
});
