import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { jest } from '../../../src/kernel/runners/jest/runner.ts';
import { mocha } from '../../../src/kernel/runners/mocha/runner.ts';
import { nodeTest } from '../../../src/kernel/runners/node-test/runner.ts';
import { pytest } from '../../../src/kernel/runners/pytest/runner.ts';
import type { Runner } from '../../../src/kernel/runners/runner.ts';
import { unittest } from '../../../src/kernel/runners/unittest/runner.ts';
import { vitest } from '../../../src/kernel/runners/vitest/runner.ts';
import { hasPytest } from '../../support/has-pytest.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import type { Files } from './runner-on-host.ts';

const hosts: RunnerOnHost[] = [];
afterAll(() => {
  for (const host of hosts) host.close();
});

const node = process.execPath;
const python = ['/usr/bin/python3', ...(process.env['PATH'] ?? '').split(':').map((each) => `${each}/python3`)].find(
  (path) => existsSync(path) && hasPytest(path),
);
const suite = (name: string, head = '') =>
  `${head}describe('suite', () => { ${name}('a', () => {}); ${name}('b', () => { throw new Error('no'); }); });\n${name}('c', () => {});\n`;
const cases = 'def test_a():\n    pass\n\ndef test_b():\n    assert 1 == 2\n';
const inClass = `import unittest\n\nclass T(unittest.TestCase):\n${cases
  .replaceAll('()', '(self)')
  .replaceAll(/^(?=.)/gm, '    ')}`;

it.each<[string, Runner, string | undefined, Files, string]>([
  [
    'node:test',
    nodeTest,
    node,
    {
      'a.test.mjs': suite('test', "import test, { describe } from 'node:test';\n"),
      'b.test.mjs': "import test from 'node:test'; test('d', () => {});",
    },
    '4 1\n',
  ],
  ['vitest', vitest, node, { 'a.test.js': suite('test', "import { describe, test } from 'vitest';\n") }, '3 1\n'],
  ['jest', jest, node, { 'a.test.js': suite('test') }, '3 1\n'],
  ['mocha', mocha, node, { 'test/a.js': suite('it') }, '3 1\n'],
  ['pytest', pytest, python, { 'test_a.py': cases, 'test_b.py': 'def test_c():\n    pass\n' }, '3 1\n'],
  ['unittest', unittest, '/usr/bin/python3', { 'tests/__init__.py': '', 'tests/test_a.py': inClass }, '2 1\n'],
])('%s counts the cases that have ended, without canaries', async (_, runner, program, files, counts) => {
  const host = new RunnerOnHost(runner, {
    ...(program === undefined ? {} : { program }),
    ...(program === node && runner !== nodeTest ? { packages: { 'package.json': '{}' } } : {}),
    deadlineMs: 120_000,
  });
  hosts.push(host);
  expect(await host.counts(files)).toBe(counts);
});
