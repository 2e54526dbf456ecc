import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { denoTest } from '../../../src/kernel/runners/deno-test/runner.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { denoToolchain } from '../../support/deno-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files, HostRunOptions } from './runner-on-host.ts';
import { INNER, NODE_TEST_TRICKS } from './node-test-tricks.ts';
import { SECRETS } from './spies.ts';
import { statuses } from './statuses.ts';

const DEADLINE_MS = 240_000;
const toolchain = await denoToolchain();
/** Left out where the machine cannot have Deno. */
const describeHere = describe.skipIf(toolchain === null);
const host = new RunnerOnHost(denoTest, {
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

const HEAD = "import assert from 'node:assert';\n";
const BAD = "Deno.test('bad', () => { throw new Error('bad'); });\n";
/** What \`jsr:@std/assert\` and \`jsr:@std/expect\` have, as far as these tests call it. */
const STD: Files = {
  'deno.json':
    '{ // names of packages\n  "imports": { "@std/assert": "./std/assert.ts", "@std/expect": "./std/expect.ts" }, }',
  'std/assert.ts': `export class AssertionError extends Error { override name = 'AssertionError'; }
export const compare = { equal: (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b) };
export function assertEquals(a: unknown, b: unknown): void { if (!compare.equal(a, b)) throw new AssertionError('Values are not equal.'); }`,
  'std/expect.ts': `const own: Record<string, (a: unknown, b: unknown) => { pass: boolean; message: () => string }> = {};
const fail = (text: string) => { const e = new Error(text); e.name = 'AssertionError'; throw e; };
export function expect(a: any): any {
  const check = (name: string, pass: boolean, b?: unknown) => { const r = own[name]?.(a, b); if (!(r === undefined ? pass : r.pass)) fail(name); };
  const base: Record<string, unknown> = { toBe: (b: unknown) => check('toBe', Object.is(a, b), b), toEqual: (b: unknown) => check('toEqual', JSON.stringify(a) === JSON.stringify(b), b) };
  return new Proxy(base, { has: (t, k) => k in t, get: (t, k) => (k in t ? t[k as string] : k in own ? (b: unknown) => check(k as string, false, b) : () => fail(String(k))) });
}
expect.extend = (added: typeof own) => { Object.assign(own, added); };`,
};

function importing(line: string): () => Promise<TestRun> {
  return host.together({
    'src/imports_none.ts': `export { f } from './none.ts';`,
    'test/a_test.ts': `${HEAD}${line}\nDeno.test('x', () => assert.equal(f(), 1));`,
  });
}

describeHere('a run of deno test', () => {
  it(
    'lists every case with its file, its full name, its status and how it failed',
    host.on(
      {
        'src/add.ts': 'export const add = (a: number, b: number): number => a + b;',
        'test/a_test.ts': `${HEAD}import { add } from '../src/add.ts';
Deno.test('passes', () => assert.equal(add(1, 2), 3));
Deno.test('fails', () => assert.strictEqual(add(1, 2), 4));
Deno.test('has steps', async (t) => { await t.step('good', () => {}); await t.step('wrong', () => assert.equal(1, 2)); });
Deno.test({ name: 'later', ignore: true, fn() {} });
Deno.test('throws', () => { undefined.x(); });
Deno.test('slow', { timeout: 50 }, () => new Promise((resolve) => setTimeout(resolve, 9000)));`,
        '__tests__/b.js': `import { test } from 'node:test'; import { equal } from 'node:assert/strict';\ntest('by node:test', () => equal(1, 1));`,
      },
      (run) => {
        expect(run.outcome).toBe('failed');
        expect(statuses(run)).toEqual({
          'test/a_test.ts passes': 'passed',
          'test/a_test.ts fails': 'failed',
          'test/a_test.ts has steps': 'failed',
          'test/a_test.ts has steps > good': 'passed',
          'test/a_test.ts has steps > wrong': 'failed',
          'test/a_test.ts later': 'skipped',
          'test/a_test.ts throws': 'failed',
          'test/a_test.ts slow': 'failed',
          '__tests__/b.js by node:test': 'passed',
        });
        const kinds = Object.fromEntries(run.cases.map((each) => [each.name, each.failure?.kind]));
        expect(kinds).toMatchObject({
          fails: 'assertion',
          'has steps': 'assertion',
          'has steps > wrong': 'assertion',
          throws: 'error',
          slow: 'timeout',
        });
        expect(run.cases.find(({ name }) => name === 'fails')?.failure?.message).toContain('3 !== 4');
      },
    ),
  );

  it(
    'passes when every case passes, with nothing of the canaries left in it',
    host.on({ 'a_test.ts': `Deno.test('one', () => {});` }, (run) => {
      expect(run).toMatchObject({ outcome: 'passed', files: ['a_test.ts'] });
      expect(run.cases.map((each) => each.name)).toEqual(['one']);
    }),
  );

  it(
    'names the test in a test, or in a suite, that is expected to fail',
    host.on({ 'a_test.ts': INNER }, (run) => {
      expect(statuses(run)).toMatchObject({ 'a_test.ts x > y': 'todo', 'a_test.ts s > z': 'todo' });
    }),
  );

  it(
    'is cut off by what is thrown outside of every test',
    host.on(
      {
        'a_test.ts': `Deno.test('x', async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((done) => setTimeout(done, 50)); });`,
      },
      (run) => {
        expect(run.cases.map(({ failure }) => failure?.kind)).toEqual(['crash']);
      },
    ),
  );

  it("keeps the project's own flags and names of packages", async () => {
    const options: HostRunOptions = { args: ['--allow-env=HOME', '--preload=./first.ts'] };
    const files = {
      ...STD,
      'first.ts': 'globalThis.prepared = true;',
      'a_test.ts': `import { assertEquals } from '@std/assert'; import { expect } from '@std/expect';
Deno.test('allowed', () => { assertEquals(typeof Deno.env.get('HOME'), 'string'); expect(globalThis.prepared).toBe(true); });
Deno.test('not allowed', () => { Deno.readTextFileSync('/etc/hostname'); });`,
    };
    expect(statuses(await host.run(files, options))).toEqual({
      'a_test.ts allowed': 'passed',
      'a_test.ts not allowed': 'failed',
    });
  });

  it.each<[string, () => Promise<TestRun>, boolean]>([
    ['beside the source', importing(`import { f } from '../src/none.ts';`), true],
    ['by another source', importing(`import { f } from '../src/imports_none.ts';`), true],
    ['from a package', importing(`import { f } from 'no-such-package';`), false],
  ])('names a missing module (%s) as what keeps a file from loading', async (_, result, inside) => {
    const run = await result();
    expect(run.cases).toHaveLength(1);
    const failure = run.cases[0]?.failure;
    expect(failure?.kind).toBe('load');
    const specifier = failure?.missing?.specifier ?? '';
    const root = specifier.replace('file://', '').split('/project/')[0] ?? '';
    expect(specifier).not.toBe('');
    expect(resolvesInside(`${root}/project`, 'test/a_test.ts', specifier)).toBe(inside);
  });

  it(
    'names an export that a module does not have',
    host.on(
      { 'm.ts': 'export const a = 1;', 'a_test.ts': `import { f } from './m.ts';\nDeno.test('x', () => f());` },
      (run) => {
        expect(run.cases[0]?.failure?.missing).toEqual({ specifier: './m.ts', export: 'f' });
      },
    ),
  );

  it.each([
    ['a syntax error', host.together({ 'a_test.ts': `Deno.test('x', () => {` })],
    ['what a module throws', host.together({ 'a_test.ts': `throw new RangeError('top');` })],
  ])('does not take %s for something missing', async (_, result) => {
    const run = await result();
    expect(run.cases[0]?.failure).toMatchObject({ kind: 'load' });
    expect(run.cases[0]?.failure?.missing).toBeUndefined();
  });

  it('leaves nothing of its secrets where code of the project can read it', async () => {
    const spy = `Deno.test('reads', () => {
  const seen = [Deno.args.join(' '), JSON.stringify(Deno.env.toObject()), String(Deno.stdin.readSync(new Uint8Array(9)))];
  for (const pid of [Deno.pid, Deno.ppid]) { seen.push(Deno.readTextFileSync('/proc/' + pid + '/cmdline'));
    for (const { name } of Deno.readDirSync('/proc/' + pid + '/fd')) try { if (Number(name) > 2) seen.push(Deno.readLinkSync('/proc/' + pid + '/fd/' + name)); } catch {} }
  throw new Error(seen.join(' ')); });`;
    const run = await host.run({ 'a_test.ts': spy }, { args: ['--allow-all'] });
    const seen = run.cases[0]?.failure?.message ?? '';
    expect(seen).toContain('npm test');
    expect(seen).toContain(' null ');
    for (const secret of SECRETS) expect(seen).not.toContain(secret);
  });

  it('counts the lines of a source that its tests run', async () => {
    const { lines } = await host.counted(
      {
        'src/a.ts':
          'export function used(a: number): number {\n  if (a > 9) {\n    return 1;\n  }\n  return 2;\n}\nexport function unused(): number {\n  return 3;\n}\n',
        'a_test.ts': `${HEAD}import { used } from './src/a.ts';\nDeno.test('x', () => assert.equal(used(1), 2));`,
      },
      ['src/a.ts'],
    );
    expect(lines?.['src/a.ts']).toContain(5);
    for (const line of [3, 8]) expect(lines?.['src/a.ts']).not.toContain(line);
  });

  it('reports what is missing if Deno is not installed', async () => {
    const env = { PATH: '/nowhere' };
    const bare = new RunnerOnHost(denoTest, { program: process.execPath, env, deadlineMs: DEADLINE_MS });
    const run = await bare.run({ 'a_test.ts': '' });
    bare.close();
    expect(run.outcome).toBe('crashed');
    expect(run.why).toContain('deno is not installed');
  });

  it('shows what the tests print, and nothing of the canaries', async () => {
    const run = await host.run({
      'a_test.ts': `Deno.test('x', () => { console.log('seen'); console.error('wrong'); });`,
    });
    expect(run.output).toContain('seen');
    expect(run.output).toContain('wrong');
    expect(run.output).not.toMatch(/setup\.mjs|in the end/);
  });
});

type Trick = readonly [name: string, outcome: string, files: Files, options?: HostRunOptions];

/** Each would end green, or leave the failing test out, if an exit code or Deno's own report were evidence. */
const TRICKS: readonly Trick[] = [
  ...NODE_TEST_TRICKS.map(([name, text]): Trick => [name, 'passed', { 'a_test.ts': text }]),
  ['.only on a passing test', 'tampered', { 'a_test.ts': `Deno.test.only('good', () => {});${BAD}` }],
  ['a test that is left out', 'passed', { 'a_test.ts': `Deno.test.ignore('bad', () => { throw new Error('bad'); });` }],
  [
    'a test that passes when it is repeated',
    'failed',
    {
      'a_test.ts': `let n = 0; Deno.test('x', { retry: 3 }, () => { if ((n += 1) < 2) throw new Error('once more'); });`,
    },
  ],
  ['Deno.exit(0) before the tests', 'tampered', { 'a_test.ts': `Deno.exit(0);${BAD}` }],
  ['Deno.exit(0) in a test', 'failed|tampered', { 'a_test.ts': `Deno.test('x', () => Deno.exit(0));` }],
  [
    'Deno.exit(0) in a test that may end the process',
    'tampered',
    { 'a_test.ts': `Deno.test({ name: 'x', sanitizeExit: false, fn: () => Deno.exit(0) });${BAD}` },
  ],
  [
    'tests emptied by the source',
    'tampered',
    {
      'src.ts': `const own = Deno.test; Deno.test = ((name: string) => own(name, () => {})) as typeof Deno.test;`,
      'a_test.ts': `import './src.ts';\n${BAD}`,
    },
  ],
  [
    'tests emptied by the source through another object',
    'failed',
    {
      'src.ts': `const own = Deno.test; globalThis.Deno = { ...Deno, test: ((name: string) => own(name, () => {})) } as never;`,
      'a_test.ts': `import './src.ts';\n${BAD}`,
    },
  ],
  [
    'node:assert stubbed by the source',
    'tampered',
    {
      'src.ts': `import assert from 'node:assert'; assert.strictEqual = () => {};`,
      'a_test.ts': `${HEAD}import './src.ts'; Deno.test('x', () => assert.strictEqual(1, 2));`,
    },
  ],
  [
    'node:assert stubbed by the source, and put back',
    'tampered',
    {
      'src.ts': `import assert from 'node:assert'; const { equal } = assert; export const f = () => { assert.equal = () => {}; queueMicrotask(() => { assert.equal = equal; }); };`,
      'a_test.ts': `${HEAD}import { f } from './src.ts'; Deno.test('x', () => { f(); assert.equal(1, 2); });`,
    },
  ],
  [
    'what an assertion of @std/assert calls replaced by the source',
    'tampered',
    {
      ...STD,
      'src.ts': `JSON.stringify = () => 'same';`,
      'a_test.ts': `import { assertEquals } from '@std/assert'; import './src.ts'; Deno.test('x', () => assertEquals(1, 2));`,
    },
  ],
  [
    'a matcher of @std/expect replaced by the source',
    'tampered',
    {
      ...STD,
      'src.ts': `import { expect } from '@std/expect'; expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });`,
      'a_test.ts': `import { expect } from '@std/expect'; import './src.ts'; Deno.test('x', () => expect(1).toBe(2));`,
    },
  ],
  [
    'a report that the source writes itself',
    'tampered',
    {
      'a_test.ts': `Deno.test({ name: 'x', sanitizeExit: false, fn: () => { Deno.writeTextFileSync('/dev/fd/3', '<?xml version="1.0"?><testsuites><testsuite name="a_test.ts"><testcase name="x"/></testsuite></testsuites>'); Deno.exit(1); } });`,
    },
    { args: ['--allow-all'] },
  ],
  [
    'tests of a directory that its settings leave out',
    'passed',
    { 'deno.json': '{ "test": { "exclude": ["a_test.ts"] } }', 'a_test.ts': BAD },
  ],
];

describeHere('fake green', () => {
  it.each(TRICKS.map(([name, outcome, files, options = {}]) => [name, outcome, files, options] as const))(
    'proves nothing: %s',
    async (_, outcome, files, options) => {
      const result = await host.run(files, options);
      expect(result.outcome).toMatch(new RegExp(`^(?:${outcome})$`));
      if (result.outcome === 'passed') expect(result.cases.map(({ status }) => status)).not.toContain('passed');
    },
  );
});
