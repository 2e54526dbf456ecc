import { afterAll, describe, expect, it } from 'vitest';
import { goTest } from '../../../src/kernel/runners/go-test/runner.ts';
import { jest } from '../../../src/kernel/runners/jest/runner.ts';
import { mocha } from '../../../src/kernel/runners/mocha/runner.ts';
import { nodeTest } from '../../../src/kernel/runners/node-test/runner.ts';
import { pytest } from '../../../src/kernel/runners/pytest/runner.ts';
import type { Runner } from '../../../src/kernel/runners/runner.ts';
import { unittest } from '../../../src/kernel/runners/unittest/runner.ts';
import { vitest } from '../../../src/kernel/runners/vitest/runner.ts';
import { goToolchain } from '../../support/go-toolchain.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';

const DEADLINE_MS = 60_000;
/** Its standard library may have to be built first. */
const GO_DEADLINE_MS = 600_000;
const toolchain = await goToolchain();
const hosts: RunnerOnHost[] = [];
afterAll(() => {
  for (const each of hosts) each.close();
});

function hostOf(runner: Runner, packages: Files | null): RunnerOnHost {
  const host = new RunnerOnHost(runner, {
    deadlineMs: DEADLINE_MS,
    ...(packages === null ? {} : { program: process.execPath, packages }),
  });
  hosts.push(host);
  return host;
}

/** Lines 3, 6 and 7 run where `sign(2)` is called; 4 and 9 do not, and neither do 12 and 13, which are only loaded. */
const BODY = `function sign(a) {
  const limit = 0;
  if (a < limit) {
    return 'minus';
  }
  const word = 'plus';
  return word;
}
const unused = (a) => a * 2;
const table = { one: 1 };

function never() {
  return table;
}
`;
const RAN = [1, 2, 3, 6, 7, 10];
const module = (words: string) => `${BODY}${words}\n`;
const OURS = { 'package.json': '{ "type": "module" }' };
const COMMON = { 'package.json': '{}' };
const EXPORTS = 'export { sign, unused, never };';
const REQUIRED = 'module.exports = { sign, unused, never };';

const PYTHON = `def sign(a):
    limit = 0
    if a < limit:
        return 'minus'
    return 'plus'


unused = lambda a: a * 2
table = {'one': 1}


class Never:
    def method(self):
        return table
`;
const PYTHON_RAN = [2, 3, 5, 9];

interface Case {
  readonly runner: Runner;
  readonly how: string;
  readonly packages: Files | null;
  readonly source: string;
  readonly files: Files;
  readonly ran: readonly number[];
}

const typed = module(EXPORTS).replace('sign(a)', 'sign(a: number): string').replace('= (a)', '= (a: number)');
const NODE = "import test from 'node:test';\nimport assert from 'node:assert';\n";

const CASES: readonly Case[] = [
  {
    runner: nodeTest,
    how: 'a module',
    packages: OURS,
    source: 'src/a.js',
    files: {
      'src/a.js': module(EXPORTS),
      'a.test.js': `${NODE}import { sign } from './src/a.js';\ntest('x', () => assert.equal(sign(2), 'plus'));`,
    },
    ran: RAN,
  },
  {
    runner: nodeTest,
    how: 'TypeScript',
    packages: OURS,
    source: 'src/a.ts',
    files: {
      'src/a.ts': typed,
      'a.test.ts': `${NODE}import { sign } from './src/a.ts';\ntest('x', () => assert.equal(sign(2), 'plus'));`,
    },
    ran: RAN,
  },
  {
    runner: vitest,
    how: 'TypeScript',
    packages: OURS,
    source: 'src/a.ts',
    files: {
      'src/a.ts': typed,
      'a.test.ts':
        "import { expect, it } from 'vitest';\nimport { sign } from './src/a';\nit('x', () => expect(sign(2)).toBe('plus'));",
    },
    ran: RAN,
  },
  {
    runner: jest,
    how: 'a module that babel changes',
    packages: COMMON,
    source: 'src/a.js',
    files: {
      'src/a.js': module(REQUIRED),
      'a.test.js': "const { sign } = require('./src/a');\ntest('x', () => expect(sign(2)).toBe('plus'));",
    },
    ran: RAN,
  },
  {
    runner: mocha,
    how: 'CommonJS',
    packages: COMMON,
    source: 'src/a.js',
    files: {
      'src/a.js': module(REQUIRED),
      'test/a.js':
        "const { sign } = require('../src/a');\nit('x', () => require('node:assert').equal(sign(2), 'plus'));",
    },
    ran: RAN,
  },
  {
    runner: pytest,
    how: 'a module',
    packages: null,
    source: 'a.py',
    files: { 'a.py': PYTHON, 'test_a.py': "from a import sign\n\n\ndef test_x():\n    assert sign(2) == 'plus'\n" },
    ran: PYTHON_RAN,
  },
  {
    runner: unittest,
    how: 'a module',
    packages: null,
    source: 'a.py',
    files: {
      'a.py': PYTHON,
      'test_a.py':
        "import unittest\nfrom a import sign\n\n\nclass A(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(sign(2), 'plus')\n",
    },
    ran: PYTHON_RAN,
  },
];

const GO = `package a

func Sign(a int) string {
	limit := 0
	if a < limit {
		return "minus"
	}
	return "plus"
}

func Never() int {
	return 1
}
`;

describe.skipIf(toolchain === null)('the lines that a run of go test executes are counted', () => {
  it('in the package of the source, whatever package the test is in', { timeout: GO_DEADLINE_MS }, async () => {
    const host = new RunnerOnHost(goTest, {
      program: process.execPath,
      packages: { 'go.mod': 'module example.com/job\n\ngo 1.24\n' },
      env: {
        ...toolchain?.forTests.env,
        PATH: [...(toolchain?.forTests.path ?? []), process.env['PATH'] ?? ''].join(':'),
      },
      deadlineMs: GO_DEADLINE_MS,
    });
    hosts.push(host);
    const test =
      'package b\n\nimport (\n\t"testing"\n\n\t"example.com/job/a"\n)\n\nfunc TestSign(t *testing.T) {\n\tif a.Sign(2) != "plus" {\n\t\tt.Fatal()\n\t}\n}\n';
    const { run, lines } = await host.counted({ 'a/a.go': GO, 'b/b_test.go': test }, ['a/a.go', 'README.md']);
    expect(run).toMatchObject({ outcome: 'passed' });
    expect(lines).toEqual({ 'a/a.go': [3, 4, 5, 8] });
  });
});

describe('the lines that a run executes are counted', () => {
  it.each(CASES)('by $runner.name, of $how', async ({ runner, packages, source, files, ran }) => {
    const { run, lines } = await hostOf(runner, packages).counted(files, [source, 'src/none.js']);
    expect(run).toMatchObject({ outcome: 'passed' });
    expect(Object.keys(lines ?? {})).toEqual([source]);
    expect(
      lines?.[source]?.filter((line) =>
        runner !== pytest && runner !== unittest ? line < 15 : ![1, 12, 13].includes(line),
      ),
    ).toEqual(ran);
  });
});

it('says nothing of a source that a loader compiles without a map, whose lines are others', async () => {
  const files = {
    '.mocharc.json': '{ "require": "./hook.cjs" }',
    'hook.cjs': `const { readFileSync } = require('node:fs');
require.extensions['.x'] = (module, file) => module._compile(\`'use strict';\\n\\n\${readFileSync(file, 'utf8')}\`, file);`,
    'src/a.x': module(REQUIRED),
    'src/b.js': module(REQUIRED),
    'test/a.js': `const all = [require('../src/a.x'), require('../src/b.js')];
it('x', () => { for (const { sign } of all) require('node:assert').equal(sign(2), 'plus'); });`,
  };
  const { run, lines } = await hostOf(mocha, COMMON).counted(files, ['src/a.x', 'src/b.js']);
  expect(run).toMatchObject({ outcome: 'passed' });
  expect(Object.keys(lines ?? {})).toEqual(['src/b.js']);
});
