import { afterAll, describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { resolvesInside } from '../../../src/kernel/runners/missing-module.ts';
import { unittest } from '../../../src/kernel/runners/unittest/runner.ts';
import { PythonForks } from './python-forks.ts';
import { runProcess } from './run-process.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import { SECRETS, spyInPython } from './spies.ts';
import type { Files } from './runner-on-host.ts';
import { statuses } from './statuses.ts';

const forks = new PythonForks('/usr/bin/python3', 'unittest');
const host = new RunnerOnHost(unittest, { start: forks.start, deadlineMs: 20_000 });
afterAll(async () => {
  await forks.close();
  host.close();
});

/** A module with one case class `T`; `body` is its methods, indented by four. */
const tests = (body: string, head = '') => `import unittest\n${head}\nclass T(unittest.TestCase):\n${body}\n`;
const BAD = '    def test_bad(self):\n        self.assertEqual(1, 2)';

describe('a run of unittest', () => {
  it('finds a package below src that is not installed, and the file that is missing there', async () => {
    const body = '    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)';
    const result = await host.run({
      'src/sums/__init__.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_a.py': tests(body, 'from sums import add'),
    });
    expect(statuses(result)).toEqual({ 'tests/test_a.py T > test_adds': 'passed' });
  });

  it('lists every case with its file, its full name and its status', async () => {
    const files = {
      'pkg/__init__.py': '',
      'pkg/math.py': 'def add(a, b):\n    return a + b\n',
      'tests/__init__.py': '',
      'tests/test_a.py': tests(
        `    def test_passes(self):
        self.assertEqual(add(1, 2), 3)
    def test_fails(self):
        self.assertEqual(add(1, 2), 4)
    @unittest.skip('later')
    def test_skipped(self):
        pass
    @unittest.expectedFailure
    def test_known(self):
        self.fail('known')
    @unittest.expectedFailure
    def test_fixed(self):
        pass
    def test_parts(self):
        for i in (1, 2, 3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 2)
class Later(unittest.IsolatedAsyncioTestCase):
    async def test_waits(self):
        self.assertTrue(True)`,
        'from pkg.math import add',
      ),
      'other/test_b.py': tests('    def test_x(self):\n        pass'),
    };
    const result = await host.run(files);
    expect(result.outcome).toBe('failed');
    expect(statuses(result)).toEqual({
      'other/test_b.py T > test_x': 'passed',
      'tests/test_a.py Later > test_waits': 'passed',
      'tests/test_a.py T > test_fails': 'failed',
      'tests/test_a.py T > test_known': 'todo',
      'tests/test_a.py T > test_fixed': 'failed',
      'tests/test_a.py T > test_parts': 'failed',
      'tests/test_a.py T > test_passes': 'passed',
      'tests/test_a.py T > test_skipped': 'skipped',
    });
    expect(statuses(await host.run(files, { start: runProcess }))).toEqual(statuses(result));
  });

  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const result = await host.run({ 'test_a.py': tests('    def test_x(self):\n        pass') });
    expect(result).toMatchObject({ outcome: 'passed', files: ['test_a.py'] });
    expect(result.cases.map((each) => each.name)).toEqual(['T > test_x']);
  });

  it('distinguishes an assertion from an error thrown, and shows a bare assertion', async () => {
    const body = `    def test_a(self):\n        self.assertEqual(1, 2)
    def test_b(self):\n        None.x
    def test_c(self):\n        assert 1 == 3`;
    const result = await host.run({ 'test_a.py': tests(body) });
    expect(result.cases.map((each) => each.failure)).toEqual([
      { kind: 'assertion', message: '1 != 2' },
      { kind: 'error', message: "AttributeError: 'NoneType' object has no attribute 'x'" },
      { kind: 'assertion', message: 'assert 1 == 3' },
    ]);
  });

  it.each([
    ['a module of the project', 'import pkg.none', 'pkg/none', undefined, true],
    ['a package that is nowhere', 'import nowhere_at_all.part', 'nowhere_at_all', undefined, true],
    ['a name of a module of the project', 'from pkg.math import mul', 'pkg/math', 'mul', true],
    ['a module of the standard library', 'import json.nope', 'json.nope', undefined, false],
    ['a name of the standard library', 'from json import nope', 'json', 'nope', false],
  ])('says of %s that is missing whether the task may create it', async (_, line, path, name, inside) => {
    const result = await host.run({
      'pkg/__init__.py': '',
      'pkg/math.py': '',
      'tests/test_a.py': tests('    def test_x(self):\n        pass', line),
    });
    expect(result.outcome).toBe('failed');
    expect(result.cases).toHaveLength(1);
    const missing = result.cases[0]?.failure?.missing;
    expect(missing?.specifier.endsWith(path)).toBe(true);
    expect(missing?.export).toBe(name);
    const root = missing?.specifier.replace(`/${path}`, '') ?? '';
    expect(resolvesInside(inside ? root : '/project', 'tests/test_a.py', missing?.specifier ?? '')).toBe(inside);
  });

  it('treats a file that skips itself as a file without cases', async () => {
    const files = {
      'test_a.py': 'import unittest\nraise unittest.SkipTest("no")\n',
      'test_b.py': tests('    def test_b(self):\n        self.assertEqual(1, 1)'),
    };
    const result = await host.run(files);
    expect(result.outcome).toBe('passed');
    expect(result.cases.map(({ file, status }) => [file, status])).toEqual([['test_b.py', 'passed']]);
  });

  it.each([
    ['a syntax error', 'def ('],
    ['an exit while loading', 'import sys\nsys.exit(0)'],
    ['a circular import', 'from test_a import T'],
  ])('is a load failure with nothing missing: %s', async (_, source) => {
    const result = await host.run({ 'test_a.py': `${source}\n` });
    expect(result.outcome).toBe('failed');
    expect(result.cases[0]?.failure).toMatchObject({ kind: 'load' });
    expect(result.cases[0]?.failure?.missing).toBeUndefined();
  });

  it('starts in the directory of the command and honours where and how tests are discovered', async () => {
    const body = "    def test_x(self):\n        self.assertEqual(open('data.txt').read(), 'here')";
    const result = await host.run(
      { 'api/data.txt': 'here', 'api/checks/check_a.py': tests(body), 'api/test_other.py': 'raise ValueError()' },
      { cwd: 'api', args: ['discover', '-s', './checks', '-p', 'check_*.py'] },
    );
    expect(statuses(result)).toEqual({ 'api/checks/check_a.py T > test_x': 'passed' });
  });

  it("uses the packages of the project's virtualenv when its interpreter is not in the sandbox", async () => {
    const version = await host.run({
      'test_v.py': tests('    def test_x(self):\n        print("%d.%d" % sys.version_info[:2])', 'import sys'),
    });
    const packages = `.venv/lib/python${version.output.trim().split('\n')[0]}/site-packages`;
    const result = await host.run({
      '.venv/pyvenv.cfg': 'home = /nowhere\n',
      [`${packages}/installed.py`]: 'value = 1\n',
      'test_a.py': tests(
        '    def test_x(self):\n        self.assertEqual(installed.value, 1)\n        print("in", os.environ["VIRTUAL_ENV"])',
        'import installed, os',
      ),
    });
    expect(statuses(result)).toEqual({ 'test_a.py T > test_x': 'passed' });
    expect(result.output).toMatch(/^in \/\S+\/\.venv$/m);
  });
});

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [string, Record<string, string>])[] = [
  ['os._exit(0) in a test', { 'test_a.py': tests(`    def test_a(self):\n        os._exit(0)\n${BAD}`, 'import os') }],
  ['os._exit(0) while loading', { 'test_a.py': 'import os\nos._exit(0)\n' }],
  ['os._exit(0) in the source', { 'src.py': 'import os\nos._exit(0)\n', 'test_a.py': tests(BAD, 'import src') }],
  ['sys.exit(0) in a test', { 'test_a.py': tests(`    def test_a(self):\n        sys.exit(0)`, 'import sys') }],
  ['sys.exit(0) in a module fixture', { 'test_a.py': tests(BAD, 'import sys\ndef setUpModule():\n    sys.exit(0)\n') }],
  [
    'sys.exit(0) in a class fixture',
    { 'test_a.py': tests(`    @classmethod\n    def setUpClass(cls):\n        import sys; sys.exit(0)\n${BAD}`) },
  ],
  ['atexit that ends the process', { 'test_a.py': tests(BAD, 'import atexit, os\natexit.register(os._exit, 0)') }],
  [
    'a signal that ends the process',
    {
      'test_a.py': tests(
        BAD,
        'import os, signal\nsignal.signal(signal.SIGALRM, lambda *_: os._exit(0))\nsignal.setitimer(signal.ITIMER_REAL, 0.0001)\nimport time\ntime.sleep(0.2)',
      ),
    },
  ],
  [
    'execve of something that succeeds',
    { 'test_a.py': tests(`    def test_a(self):\n        os.execv('/bin/true', ['true'])\n${BAD}`, 'import os') },
  ],
  [
    'a source that stubs assertions',
    {
      'src.py':
        'import unittest\nfor name in dir(unittest.TestCase):\n    if name.startswith("assert"):\n        setattr(unittest.TestCase, name, lambda *a, **k: None)\n',
      'test_a.py': tests(BAD, 'import src'),
    },
  ],
  [
    'a source that stubs one assertion when it is called',
    {
      'src.py': 'import unittest\ndef f():\n    unittest.TestCase.assertEqual = lambda *a: None\n',
      'test_a.py': tests('    def test_a(self):\n        src.f()\n        self.assertEqual(1, 2)', 'import src'),
    },
  ],
  [
    'a stubbed fail',
    { 'test_a.py': tests('    def test_a(self):\n        self.fail()', 'unittest.TestCase.fail = lambda *a: None') },
  ],
  ['cases that never run', { 'test_a.py': tests(BAD, 'unittest.TestCase.run = lambda self, result=None: result') }],
  [
    'suites that never run',
    { 'test_a.py': tests(BAD, 'unittest.TestSuite.run = lambda self, result, debug=False: result') },
  ],
  [
    'errors that are swallowed',
    {
      'test_a.py': tests(
        BAD,
        'import contextlib, unittest.case\nunittest.case._Outcome.testPartExecutor = lambda self, *a, **k: contextlib.suppress(BaseException)',
      ),
    },
  ],
  [
    'a test method that is not called',
    { 'test_a.py': tests(BAD, 'unittest.TestCase._callTestMethod = lambda self, method: None') },
  ],
  [
    'a test method that is not called for one case by its name, swallowed by a source',
    {
      'src.py':
        'import unittest\nreal = unittest.TestCase._callTestMethod\ndef call(self, method):\n    if "bad" not in method.__name__:\n        return real(self, method)\nunittest.TestCase._callTestMethod = call\n',
      'test_a.py': tests(BAD, 'import src'),
    },
  ],
  [
    'a part of the runner that is swallowed while one test runs and put back',
    {
      'src.py':
        'import unittest\ndef f():\n    real = unittest.TestCase.assertEqual\n    unittest.TestCase.assertEqual = lambda *a: None\n    return real\n',
      'test_a.py': tests(
        '    def test_a(self):\n        real = src.f()\n        self.assertEqual(1, 2)\n    def test_b(self):\n        unittest.TestCase.assertEqual = src.real',
        'import src\nsrc.real = unittest.TestCase.assertEqual',
      ),
    },
  ],
  [
    'a mock that stubs its assertions',
    {
      'test_a.py': tests(
        '    def test_a(self):\n        unittest.mock.Mock().assert_called()',
        'import unittest.mock\nunittest.mock.NonCallableMock.assert_called = lambda *a: None',
      ),
    },
  ],
  [
    'results that are rewritten',
    {
      'test_a.py': tests(
        BAD,
        'import unittest\nunittest.TextTestResult.addFailure = unittest.TextTestResult.addSuccess\nunittest.TestResult.addFailure = lambda *a: None',
      ),
    },
  ],
  [
    'our results that are rewritten',
    {
      'test_a.py': tests(
        BAD,
        'import sys\nr = sys.modules["__main__"].Recorder\nr.addFailure = lambda self, test, err: r.addSuccess(self, test)',
      ),
    },
  ],
  [
    'an expected failure',
    {
      'test_a.py': tests(
        '    def test_ok(self):\n        pass\n    @unittest.expectedFailure\n    def test_unexpected(self):\n        pass',
      ),
    },
  ],
  ['sitecustomize beside the tests', { 'sitecustomize.py': 'import os\nos._exit(0)\n', 'test_a.py': tests(BAD) }],
  ['a shadowed unittest', { 'unittest.py': 'class TestCase: pass\n', 'test_a.py': tests(BAD) }],
  ['a raised debug switch', { 'test_a.py': tests('    def test_a(self):\n        assert False', 'import sys') }],
  [
    'a fork that lets the child go on',
    {
      'test_a.py': tests(
        `    def test_a(self):\n        if os.fork() == 0:\n            return\n        os.wait()\n${BAD}`,
        'import os',
      ),
    },
  ],
];

/** What depends on how an interpreter starts is tried with one of its own. */
const FRESH = new Set(['sitecustomize beside the tests', 'a shadowed unittest', 'a raised debug switch']);
const outcomes = new Map<string, Promise<TestRun>>();

async function outcomeOf(trick: string, files: Files): Promise<TestRun['outcome']> {
  const run = outcomes.get(trick) ?? host.run(files, FRESH.has(trick) ? { start: runProcess } : {});
  outcomes.set(trick, run);
  return (await run).outcome;
}

describe('fake green', () => {
  it.each(TRICKS)('never passes: %s', async (trick, files) => {
    expect(await outcomeOf(trick, files)).toMatch(/^(tampered|invalid|failed|crashed)$/);
  });

  it.each(TRICKS.filter(([name]) => /stubs|never run|swallowed|not called/.test(name)))(
    'is tampered: %s',
    async (trick, files) => {
      expect(await outcomeOf(trick, files)).toBe('tampered');
    },
  );

  it.each([
    ['skipped', '    @unittest.skip("no")\n    def test_bad(self):\n        self.fail()', 'skipped'],
    ['expected to fail', '    @unittest.expectedFailure\n    def test_bad(self):\n        self.fail()', 'todo'],
  ])('does not count a case as passed that is %s', async (_, body, status) => {
    expect(statuses(await host.run({ 'test_a.py': tests(body) }))).toEqual({ 'test_a.py T > test_bad': status });
  });

  it('names the file in which something ended the process', async () => {
    const result = await host.run({
      'test_a.py': tests('    def test_x(self):\n        pass'),
      'test_b.py': tests('    def test_x(self):\n        os._exit(1)', 'import os'),
    });
    expect(result.cases.filter(({ failure }) => failure?.kind === 'crash').map(({ file }) => file)).toEqual([
      'test_b.py',
    ]);
  });

  it('hides the state that a file left in a module from other files, as separate runs would', async () => {
    const result = await host.run({
      'shared.py': 'answer = None\n',
      'test_a.py': tests('    def test_x(self):\n        shared.answer = 42', 'import shared'),
      'test_b.py': tests('    def test_bad(self):\n        self.assertEqual(shared.answer, 42)', 'import shared'),
    });
    expect(statuses(result)).toMatchObject({ 'test_b.py T > test_bad': 'failed' });
  });

  it('hides its job and the names of canaries and report from code under test', async () => {
    const result = await host.run(
      { 'test_a.py': tests(`    def test_bad(self):\n${spyInPython('        ')}`, 'import os, sys') },
      { start: runProcess },
    );
    const seen = result.cases[0]?.failure?.message ?? '';
    expect(seen).toContain('unittest');
    for (const secret of SECRETS) expect(seen).not.toContain(secret);
  });

  it('keeps a file from stubbing the assertions of another file', async () => {
    const result = await host.run({
      'test_a.py': tests('    def test_x(self):\n        pass', 'unittest.TestCase.assertEqual = lambda *a: None'),
      'test_b.py': tests(BAD),
    });
    expect(result.outcome).toBe('tampered');
  });
});
