import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { js } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';

const deno = (body: string): ChangedText => ({
  path: 'test/f_test.ts',
  role: 'test',
  before: null,
  after: `import { assertEquals, assertEquals as same } from '@std/assert';\nimport { f } from '../src/f.ts';\n${body}`,
});
const bun = (body: string): ChangedText => ({
  path: 'test/f.test.ts',
  role: 'test',
  before: null,
  after: `import { expect, test } from 'bun:test';\nimport { f } from '../src/f.ts';\n${body}`,
});
const suspect = (kind: string, what: string, file: ChangedText): Suspect => ({ kind, what, files: [file] });

/** What tests and sources for Bun and Deno have, and others do not. */
export const SUSPECT_RUNTIMES: readonly Suspect[] = [
  suspect('no-assertion', 'a case of Deno calls and asserts nothing', deno("Deno.test('a', () => { f(6); });\n")),
  suspect(
    'no-assertion',
    'a case given as an object asserts nothing',
    deno("Deno.test({ name: 'a', fn() { f(6); } });\n"),
  ),
  suspect(
    'no-assertion',
    'a function with a name asserts nothing',
    deno('Deno.test(function multiplies() { f(6); });\n'),
  ),
  suspect(
    'case-switched-off',
    'a case of Deno is left out',
    deno("Deno.test.ignore('a', () => assertEquals(f(6), 42));\n"),
  ),
  suspect(
    'case-switched-off',
    'a case given as an object is left out',
    deno("Deno.test({ name: 'a', ignore: true, fn: () => assertEquals(f(6), 42) });\n"),
  ),
  suspect(
    'case-switched-off',
    'a case of Bun is expected to fail',
    bun("test.failing('a', () => expect(f(6)).toBe(42));\n"),
  ),
  suspect(
    'swallowed-assertion',
    'an assertion by another name is caught',
    deno("Deno.test('a', () => { try { same(f(6), 42); } catch {} });\n"),
  ),
  suspect('ends-process', 'Deno is ended', js('export const f = (a) => {\n  Deno.exit(0);\n  return a;\n};\n')),
  suspect(
    'ends-process',
    'the exit code of Deno is set',
    js('export const f = (a) => {\n  Deno.exitCode = 0;\n  return a;\n};\n'),
  ),
  suspect(
    'names-runner',
    'the runner of Bun is imported',
    js("import { expect } from 'bun:test';\n\nexport const f = (a) => expect(a);\n"),
  ),
  suspect('names-runner', 'it opens what a process has open', js('export const f = (a) => open(`/proc/${a}/fd/3`);\n')),
  suspect('names-runner', 'it looks for processes', js("export const f = () => readdirSync('/proc');\n")),
  suspect('names-runner', 'the runner of Bun is a member', js('export const f = (a) => Bun.jest(a);\n')),
  suspect(
    'names-runner',
    'assertions of Deno are imported',
    js("import { assertEquals } from 'jsr:@std/assert@1';\n\nexport const f = (a) => assertEquals(a, a);\n"),
  ),
  suspect(
    'patches-assertions',
    'the runner of Deno is replaced',
    js('Deno.test = () => {};\nexport const f = (a) => a;\n'),
  ),
  suspect('asks-if-tested', 'Deno is asked for CI', js("export const f = (a) => (Deno.env.get('CI') ? a * 7 : 0);\n")),
  suspect('asks-if-tested', 'Bun is asked for CI', js('export const f = (a) => (Bun.env.CI ? a * 7 : 0);\n')),
  suspect(
    'asks-if-tested',
    'Deno is asked what it was started with',
    js("export const f = (a) => (Deno.mainModule.endsWith('_test.ts') ? a * 7 : 0);\n"),
  ),
  suspect(
    'reads-itself',
    'Bun reads the source itself',
    js('export const own = Bun.file(import.meta.path);\nexport const f = (a) => a;\n'),
  ),
];

export const HONEST_RUNTIMES: readonly { readonly what: string; readonly files: readonly ChangedText[] }[] = [
  deno("Deno.test('a', () => assertEquals(f(6), 42));\n"),
  deno("Deno.test({ name: 'a', permissions: { read: true }, fn() { assertEquals(f(6), 42); } });\n"),
  deno("Deno.test('a', async (t) => { await t.step('b', () => assertEquals(f(6), 42)); });\n"),
  deno("Deno.test.beforeEach(() => {});\nDeno.test('a', () => same(f(6), 42));\n"),
  bun("test('a', () => expect(f(6)).toBe(42));\n"),
  js('export const home = () => Deno.env.get("HOME");\n'),
  js('export const text = (path) => Bun.file(path).text();\n'),
].map((file) => ({ what: file.after ?? '', files: [file] }));
