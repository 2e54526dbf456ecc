import { describe, expect, it } from 'vitest';
import type { ChangeSet } from '../../../src/contracts/review/change-set.ts';
import type { ProjectPath } from '../../../src/contracts/ids.ts';
import { changedTests } from '../../../src/kernel/review/changed-tests.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const JS = `import test, { describe } from 'node:test';
import assert from 'node:assert/strict';
import { max } from '../src/max.js';

describe('max', () => {
  test('of two', () => {
    assert.equal(max(1, 2), 2);
  });
});
`;
const PY = `import unittest
from app import total

class Totals(unittest.TestCase):
    def test_two(self):
        self.assertEqual(total([1, 2]), 3)
`;
const COMMON = `const { max } = require('../src/max');\ntest('of two', () => expect(max(1, 2)).toBe(2));\n`;
const CASE = "  test('of equals', () => assert.equal(max(1, 1), 1));\n";
const inSuite = (text: string): string => JS.replace('});\n});\n', `});\n${text}});\n`);

async function changedIn(path: string, before: string, after: string | null) {
  const kernel = testKernel({ files: { [path]: before }, ...(after === null ? {} : { staged: { [path]: after } }) });
  const gone: ChangeSet = [
    { path, before: await kernel.workspace.stat(path as ProjectPath), after: { kind: 'absent' } },
  ];
  const changes = after === null ? gone : await kernel.workspace.changes();
  const found = await changedTests(kernel.services, kernel.workspace, { changes, mixed: new Map() });
  expect(kernel.openScratches()).toBe(0);
  return found;
}

describe('an existing test file needs no person', () => {
  it.each<[string, string, string, string]>([
    ['with a new case', 'test/a.test.js', JS, `${JS}test('of equals', () => assert.equal(max(1, 1), 1));\n`],
    ['with a new case in an old suite', 'test/a.test.js', JS, inSuite(CASE)],
    [
      'with a new suite that has hooks',
      'test/a.test.js',
      JS,
      `${JS}describe('more', () => { beforeEach(() => {}); });\n`,
    ],
    ['with one more imported name', 'test/a.test.js', JS, JS.replace('{ max }', '{ max, min }') + CASE],
    ['with a new import and helper', 'test/a.test.js', JS, `import fs from 'node:fs';\n${JS}const one = [1];\n${CASE}`],
    ['with another comment', 'test/a.test.js', JS, `// more\n${JS}`],
    [
      'with a new method',
      'test/test_a.py',
      PY,
      `${PY}\n    def test_one(self):\n        self.assertEqual(total([1]), 1)\n`,
    ],
    ['with a new function', 'test/test_a.py', PY, `${PY}\n\ndef test_none():\n    assert total([]) == 0\n`],
    ['with one more name of a module', 'test/test_a.py', PY, PY.replace('import total', 'import total, mean')],
    ['with one more name that is required', 'test/a.test.js', COMMON, COMMON.replace('{ max }', '{ max, min: least }')],
    [
      'with one more module that is required',
      'test/a.test.js',
      COMMON,
      `const { min } = require('../src/min');\n${COMMON}`,
    ],
    ['with new data', 'test/test_a.py', PY, PY.replace('class', 'CASES = [(1, 2)]\n\nclass')],
  ])('%s', async (_, path, before, after) => {
    expect(await changedIn(path, before, after)).toEqual([]);
  });
});

describe('an existing test file is for a person to look at', () => {
  it.each<[string, string, string, string | null, RegExp | null]>([
    [
      'with another expectation',
      'test/a.test.js',
      JS,
      JS.replace(', 2);', ', 1);'),
      /^6: in 'of two', `.*, 2\).*` is now `.*, 1\).*`/,
    ],
    [
      'with a line in an old case',
      'test/a.test.js',
      JS,
      JS.replace('    assert', '    return;\n    assert'),
      /is now `.*return; assert/,
    ],
    ['without an old case', 'test/a.test.js', JS, JS.replace(/ {2}test[^}]*}\);\n/, ''), /gone/],
    [
      'with a hook for old cases',
      'test/a.test.js',
      JS,
      inSuite('  beforeEach(() => {});\n'),
      /can change what old cases do/,
    ],
    ['with a mock of a module', 'test/a.test.js', JS, `${JS}vi.mock('../src/max.js');\n`, /can change/],
    [
      'with a case that switches off the others',
      'test/a.test.js',
      JS,
      `${JS}test.only('x', () => {});\n`,
      /can change/,
    ],
    [
      'with such a case in a new suite',
      'test/a.test.js',
      JS,
      `${JS}describe('x', () => { test.only('x', () => {}); });\n`,
      /can change/,
    ],
    ['with an import for its effect', 'test/a.test.js', JS, `import './patch.js';\n${JS}`, /can change/],
    [
      'with a required name that old cases use',
      'test/a.test.js',
      COMMON,
      `${COMMON}const { expect } = require('./lenient');\n`,
      /expect is a name that old cases use/,
    ],
    [
      'with a name that is required of another module',
      'test/a.test.js',
      COMMON,
      COMMON.replace('../src/max', './lenient'),
      /changed or gone/,
    ],
    [
      'with a name that old cases use',
      'test/a.test.js',
      JS,
      inSuite('  const assert = { equal: () => {} };\n'),
      /assert is a name/,
    ],
    [
      'with such a name from another module',
      'test/a.test.js',
      JS,
      JS.replace('{ max }', '{ max, assert }'),
      /assert is a name/,
    ],
    [
      'with its module taken from elsewhere',
      'test/a.test.js',
      JS,
      JS.replace('../src/max.js', './fake.js'),
      /changed or gone/,
    ],
    ['with code that runs on its own', 'test/a.test.js', JS, `${JS}globalThis.x = 1;\n`, /can change/],
    [
      'with a call in a declaration',
      'test/a.test.js',
      JS,
      `${JS}const spy = vi.spyOn(console, 'log');\n`,
      /can change/,
    ],
    [
      'with a method in place of an assertion',
      'test/test_a.py',
      PY,
      `${PY}\n    def assertEqual(self, a, b):\n        pass\n`,
      /assertEqual is a name/,
    ],
    ['with a setup of old cases', 'test/test_a.py', PY, `${PY}\n    def setUp(self):\n        pass\n`, /can change/],
    [
      'with a fixture',
      'test/test_a.py',
      PY,
      `${PY}\n\n@pytest.fixture(autouse=True)\ndef patched():\n    yield\n`,
      /can change/,
    ],
    ['that does not parse', 'test/a.test.js', JS, `${JS}test(`, null],
    ['that no grammar reads', 'test/a.test.lua', 'old', 'old\nnew', null],
    ['that is deleted', 'test/a.test.js', JS, null, /^deleted$/],
  ])('%s', async (_, path, before, after, what) => {
    const expected = what === null ? null : (expect.stringMatching(what) as string);
    expect(await changedIn(path, before, after)).toEqual([{ path, what: expected }]);
  });
});
