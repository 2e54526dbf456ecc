import { PROJECTS } from '../attacks/cheats/cheat.ts';
import { testFirst } from './way.ts';
import type { RunnerWays, WayRunner } from './way.ts';

/** A file with a table of cases, then with one more row in it. */
const row = (path: string, text: string, added: string) => ({
  before: { [path]: text.replace('ROW', '') },
  after: [path, text.replace('ROW', added)] as const,
});

const JS_OLD = 'export function sign(n) {\n  return n > 0 ? 1 : -1;\n}\n';
const JS_NEW = 'export function sign(n) {\n  if (n === 0) return 0;\n  return n > 0 ? 1 : -1;\n}\n';
const PY_OLD = 'def sign(n):\n    return 1 if n > 0 else -1\n';
const PY_NEW = 'def sign(n):\n    if n == 0:\n        return 0\n    return 1 if n > 0 else -1\n';
const GO_OLD = 'package shop\n\nfunc Sign(n int) int {\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn -1\n}\n';
const GO_NEW =
  'package shop\n\nfunc Sign(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn -1\n}\n';

const EACH = row(
  'test/sign.test.js',
  "import { expect, it } from 'vitest';\nimport { sign } from '../src/sign.js';\n\nit.each([\n  [5, 1],\n  [-3, -1],\nROW])('the sign of %i is %i', (n, wanted) => {\n  expect(sign(n)).toBe(wanted);\n});\n",
  '  [0, 0],\n',
);
const LOOP = row(
  'test/sign.test.js',
  "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { sign } from '../src/sign.js';\n\nconst cases = [\n  { n: 5, wanted: 1 },\n  { n: -3, wanted: -1 },\nROW];\n\nfor (const { n, wanted } of cases) {\n  test(`the sign of ${n}`, () => {\n    assert.equal(sign(n), wanted);\n  });\n}\n",
  '  { n: 0, wanted: 0 },\n',
);
const PARAMETERS = row(
  'test_sign.py',
  "import pytest\nfrom sign import sign\n\n\n@pytest.mark.parametrize(\n    ('n', 'wanted'),\n    [\n        (5, 1),\n        (-3, -1),\nROW    ],\n)\ndef test_sign(n, wanted):\n    assert sign(n) == wanted\n",
  '        (0, 0),\n',
);
const SUBTESTS = row(
  'test_sign.py',
  'import unittest\nfrom sign import sign\n\n\nclass SignTest(unittest.TestCase):\n    def test_sign(self):\n        for n, wanted in [(5, 1), (-3, -1)ROW]:\n            with self.subTest(n=n):\n                self.assertEqual(sign(n), wanted)\n',
  ', (0, 0)',
);
const GO_TABLE = row(
  'sign_test.go',
  'package shop\n\nimport "testing"\n\nfunc TestSign(t *testing.T) {\n\ttests := []struct {\n\t\tname string\n\t\tn, want int\n\t}{\n\t\t{"positive", 5, 1},\n\t\t{"negative", -3, -1},\nROW\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif got := Sign(tt.n); got != tt.want {\n\t\t\t\tt.Errorf("Sign(%d) = %d, want %d", tt.n, got, tt.want)\n\t\t\t}\n\t\t})\n\t}\n}\n',
  '\t\t{"zero", 0, 0},\n',
);

/** The fix of a source, after a row that shows the fault. */
const fixed = (
  runner: WayRunner,
  project: RunnerWays['project'],
  table: ReturnType<typeof row>,
  [path, old, now]: readonly [path: string, old: string, now: string],
): RunnerWays => ({
  runner,
  project,
  ways: [
    {
      name: 'a row added to a table of cases',
      kind: 'fix',
      files: { [path]: old, ...table.before },
      steps: testFirst(table.after, [path, now]),
    },
  ],
});

export const TABLE_WAYS: readonly RunnerWays[] = [
  fixed('vitest', PROJECTS.vitest, EACH, ['src/sign.js', JS_OLD, JS_NEW]),
  fixed('node-test', PROJECTS['node-test'], LOOP, ['src/sign.js', JS_OLD, JS_NEW]),
  fixed('pytest', { 'requirements.txt': 'pytest\n' }, PARAMETERS, ['sign.py', PY_OLD, PY_NEW]),
  fixed('unittest', PROJECTS.unittest, SUBTESTS, ['sign.py', PY_OLD, PY_NEW]),
  fixed('go-test', PROJECTS['go-test'], GO_TABLE, ['sign.go', GO_OLD, GO_NEW]),
];
