import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import type { ChangedText, ChangeFacts } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { SOURCE_INSPECTIONS } from '../../../../src/kernel/proof/findings/source/source-findings.ts';
import { languageOfFile } from '../../../../src/lib/syntax/language-of-file.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { HONEST_ANSWERS } from './honest-answers.ts';
import { HONEST } from './honest-files.ts';
import { SUSPECT_ANSWERS } from './suspect-answers.ts';
import { HONEST_HELPERS, HONEST_SIGNS, SUSPECT_HELPERS, SUSPECT_SIGNS } from './suspect-signs.ts';
import { HONEST_SHAMS, SUSPECT_SHAMS } from './suspect-shams.ts';
import { HONEST_SPELLINGS, SUSPECT_SPELLINGS } from './suspect-spellings.ts';
import { HONEST_RUNTIMES, SUSPECT_RUNTIMES } from './suspect-runtimes.ts';
import { HONEST_UNFINISHED, SUSPECT_UNFINISHED } from './unfinished-functions.ts';
import { HONEST_DECISIONS, SUSPECT_DECISIONS } from './runtime-decisions.ts';
import { SUSPECT } from './suspect-files.ts';

const parse = syntaxParser(() => 0);
const isTest = (path: string): boolean => /(?:^|\/)(?:tests?|fixtures)\/|(?:^|\/)(?:test_\w+|conftest)\.py$/.test(path);
const FACTS: ChangeFacts = {
  reported: [],
  isTest,
  isCode: (path) => languageOfFile(path) !== null || (!isTest(path) && !/\.(?:md|rst)$/.test(path)),
  unread: [],
};

describe('a change has a finding where', () => {
  it.each([
    ...SUSPECT,
    ...SUSPECT_ANSWERS,
    ...SUSPECT_SIGNS,
    ...SUSPECT_HELPERS,
    ...SUSPECT_SHAMS,
    ...SUSPECT_SPELLINGS,
    ...SUSPECT_RUNTIMES,
    ...SUSPECT_UNFINISHED,
    ...SUSPECT_DECISIONS,
  ])('$kind: $what', async ({ kind, files }) => {
    const found = await inspectChange(files, parse, FACTS);
    expect(found.map((each) => each.kind)).toContain(kind);
    for (const finding of found) expect(files.map(({ path }) => path)).toContain(finding.path);
  });
});

describe('a case that asserts by a function of a file that has not changed', () => {
  const after =
    "import test from 'node:test';\nimport { same } from './helpers/same.js';\n\ntest('adds', () => same(f(1), 2));\n";
  const text = "import assert from 'node:assert/strict';\nexport const same = (a, b) => assert.equal(a, b);\n";
  const changed: ChangedText = { path: 'test/f.test.js', role: 'test', before: null, after };
  const kinds = async (helpers: ChangeFacts['helpers'] = []) =>
    (await inspectChange([changed], parse, { ...FACTS, helpers })).map(({ kind }) => kind);

  it('is no finding', async () => {
    expect(await kinds([{ path: 'test/helpers/same.js', text }])).toEqual([]);
  });

  it('is a finding if the function asserts nothing, or is in another file', async () => {
    const silent = 'export const same = (a, b) => a === b;\n';
    expect(await kinds([{ path: 'test/helpers/same.js', text: silent }])).toEqual(['no-assertion']);
    expect(await kinds([{ path: 'test/helpers/other.js', text }])).toEqual(['no-assertion']);
    expect(await kinds()).toEqual(['no-assertion']);
  });

  it('is no finding in Go, whose tests of a package share their functions', async () => {
    const go = (body: string): string => `package p\n\nimport "testing"\n\n${body}`;
    const path = 'tests/f_test.go';
    const files: ChangedText[] = [
      { path, role: 'test', before: null, after: go('func TestF(t *testing.T) {\n\trun(t, F(1), 2)\n}\n') },
    ];
    const helper = go(
      'func run(t *testing.T, got, want int) {\n\tc := qt.New(t)\n\tc.Assert(got, qt.Equals, want)\n}\n',
    );
    const helpers = [{ path: 'tests/run_test.go', text: helper }];
    expect(await inspectChange(files, parse, { ...FACTS, helpers })).toEqual([]);
    expect(await inspectChange(files, parse, FACTS)).toMatchObject([{ kind: 'no-assertion' }]);
  });
});

describe('a change has no finding where', () => {
  it.each([
    ...HONEST,
    ...HONEST_ANSWERS,
    ...HONEST_SIGNS,
    ...HONEST_HELPERS,
    ...HONEST_SHAMS,
    ...HONEST_SPELLINGS,
    ...HONEST_RUNTIMES,
    ...HONEST_UNFINISHED,
    ...HONEST_DECISIONS,
  ])('$what', async ({ files }) => {
    expect(await inspectChange(files, parse, FACTS)).toEqual([]);
  });
});

describe('findings', () => {
  const test = (after: string): ChangedText => ({ path: 'test/a.test.js', role: 'test', before: null, after });

  it('name the place in words', async () => {
    expect(
      await inspectChange([test("import test from 'node:test';\n\ntest('adds', () => {});\n")], parse, FACTS),
    ).toEqual([{ kind: 'no-assertion', path: 'test/a.test.js', line: 3, words: "the case 'adds' asserts nothing" }]);
  });

  it('are bounded, and safe to show', async () => {
    const many = Array.from(
      { length: 50 },
      (_, index) => `test('\u001b[31m${'x'.repeat(500)}${index}', () => {});`,
    ).join('\n');
    const found = await inspectChange([test(many)], parse, FACTS);
    expect(found).toHaveLength(5);
    for (const { words } of found) {
      expect(words.length).toBeLessThanOrEqual(200);
      expect(words).not.toContain('\u001b');
    }
  });

  it.each<[string, ChangedText]>([
    ['no grammar', { path: 'a.kt', role: 'source', before: null, after: 'exit!' }],
    ['a syntax error', test("test('adds', () => { assert.equal(f(1), 2); }); )))")],
    ['a syntax error in what it was before', { ...test("test('adds', () => assert.ok(f(1)));"), before: ')))' }],
    ['more text than is parsed', test(`// ${'x'.repeat(1024 * 1024)}\ntest('adds', () => {});`)],
    ['more depth than is parsed', test(`f${'('.repeat(5_000)}${')'.repeat(5_000)};`)],
  ])('say that a file was not examined: %s', async (_, file) => {
    expect(await inspectChange([file], parse, FACTS)).toMatchObject([{ kind: 'not-examined', path: file.path }]);
  });

  it('include code that is not text, and not data of tests', async () => {
    const unread = ['src/f.js', 'test/fixtures/a.bin'].map((path) => ({ path, why: 'it is not text, or too large' }));
    expect(await inspectChange([], parse, { ...FACTS, unread })).toMatchObject([{ path: 'src/f.js' }]);
    const data: ChangedText = { path: 'test/fixtures/a.json', role: 'test', before: null, after: '{}' };
    expect(await inspectChange([data], parse, FACTS)).toEqual([]);
  });

  it.each([
    ['const all = { adds: () => {} };\nfor (const [name, body] of Object.entries(all)) other(name, body);\n', 'adds'],
    ["test('adds', () => assert.equal(f(1), 2));\n", 'subtracts'],
  ])('say so of a case that failed and is not written as one', async (after, name) => {
    const reported = [{ file: 'test/a.test.js', name: `numbers > ${name}` }];
    expect(await inspectChange([test(after)], parse, { ...FACTS, reported })).toMatchObject([{ kind: 'not-examined' }]);
  });

  it.each([
    ["test('adds', () => assert.equal(f(1), 2));\n", 'numbers > adds'],
    ["test.each([1])('adds %i', (a) => assert.equal(f(a), 2));\n", 'adds 1'],
    ['for (const a of [1]) test(`adds ${a}`, () => assert.equal(f(a), 2));\n', 'adds 1'],
  ])('are none of a reported case that is written', async (after, name) => {
    const reported = [{ file: 'test/a.test.js', name }];
    expect(await inspectChange([test(after)], parse, { ...FACTS, reported })).toEqual([]);
  });

  it('are of what has changed: an old case is left alone', async () => {
    const before = "test('old', () => {});\n";
    const after = `${before}test('new', () => assert.equal(f(1), 2));\n`;
    expect(await inspectChange([{ ...test(after), before }], parse, FACTS)).toEqual([]);
  });
});

it('lets others go on between the inspections of a file', async () => {
  const files: ChangedText[] = [{ path: 'src/a.ts', role: 'source', before: null, after: 'export const a = 1;\n' }];
  await inspectChange(files, parse, FACTS);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await inspectChange(files, parse, FACTS);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(SOURCE_INSPECTIONS.length);
});
