import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { pytest } from '../../../src/kernel/runners/pytest/runner.ts';
import { hasPytest } from '../../support/has-pytest.ts';
import { PythonForks } from './python-forks.ts';
import { runProcess } from './run-process.ts';
import { RunnerOnHost } from './runner-on-host.ts';
import { SECRETS, spyInPython } from './spies.ts';
import { statuses } from './statuses.ts';

/** Any interpreter of this machine that has pytest; there must be one, since nothing else shows that the canaries work. */
const python = ['/usr/bin/python3', ...(process.env['PATH'] ?? '').split(':').map((each) => `${each}/python3`)].find(
  (path) => existsSync(path) && hasPytest(path),
);
if (python === undefined) throw new Error('no python3 here has pytest (Debian: apt-get install python3-pytest)');

const forks = new PythonForks(python, 'pytest');
const host = new RunnerOnHost(pytest, { program: python, start: forks.start, deadlineMs: 20_000 });
afterAll(async () => {
  await forks.close();
  host.close();
});

function versionOf(program: string): string {
  return execFileSync(program, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
    encoding: 'utf8',
  }).trim();
}

const BAD = 'def test_bad():\n    assert 1 == 2\n';
const GOOD = 'def test_good():\n    assert 1 == 1\n';

describe('a run of pytest', () => {
  it('lists every case with its file, its full name and its status', async () => {
    const files = {
      'pkg/__init__.py': '',
      'pkg/math.py': 'def add(a, b):\n    return a + b\n',
      'tests/conftest.py': `import pytest
@pytest.fixture(autouse=True)
def needs_an_instance(request):
    assert request.node.name.startswith('test_')
@pytest.fixture
def broken():
    raise ValueError('no')
`,
      'tests/test_a.py': `import pytest, unittest
from pkg.math import add
def test_passes():
    assert add(1, 2) == 3
def test_fails():
    assert add(1, 2) == 4
@pytest.mark.skip
def test_skipped(): pass
def test_skips_itself():
    pytest.skip('no')
@pytest.mark.xfail
def test_known():
    assert False
@pytest.mark.xfail
def test_fixed(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
@pytest.mark.parametrize('n', [1, 'a::b'])
def test_each(n):
    assert n
class TestGroup:
    def test_inside(self): pass
class Old(unittest.TestCase):
    def test_old(self):
        self.assertEqual(1, 2)
def test_fixture(broken): pass
def test_error():
    None.x
`,
      'other_test.py': GOOD,
    };
    const result = await host.run(files);
    expect(result.why).toBeUndefined();
    expect(result.outcome).toBe('failed');
    expect(statuses(result)).toEqual({
      'other_test.py test_good': 'passed',
      'tests/test_a.py test_passes': 'passed',
      'tests/test_a.py test_fails': 'failed',
      'tests/test_a.py test_skipped': 'skipped',
      'tests/test_a.py test_skips_itself': 'skipped',
      'tests/test_a.py test_known': 'todo',
      'tests/test_a.py test_fixed': 'todo',
      'tests/test_a.py test_strict': 'failed',
      'tests/test_a.py test_each[1]': 'passed',
      'tests/test_a.py test_each[a::b]': 'passed',
      'tests/test_a.py TestGroup > test_inside': 'passed',
      'tests/test_a.py Old > test_old': 'failed',
      'tests/test_a.py test_fixture': 'failed',
      'tests/test_a.py test_error': 'failed',
    });
    const kinds = Object.fromEntries(result.cases.map((each) => [each.name, each.failure?.kind]));
    expect(kinds).toMatchObject({ test_fails: 'assertion', 'Old > test_old': 'assertion', test_error: 'error' });
    expect(statuses(await host.run(files, { start: runProcess }))).toEqual(statuses(result));
  });

  it.each([
    ['pytest.mark.skipif(True, reason="no pyright")', 'skipped'],
    ['[pytest.mark.skip, pytest.mark.usefixtures("tmp_path")]', 'skipped'],
    ['pytest.mark.xfail', 'todo'],
  ])('keeps the marks of a whole file from its canaries: %s', async (mark, status) => {
    const source = `import pytest\npytestmark = ${mark}\ndef test_a():\n    assert 1 == 2\n`;
    const result = await host.run({ 'test_a.py': source, 'test_b.py': GOOD });
    expect(result.outcome).toBe('passed');
    expect(statuses(result)).toEqual({ 'test_a.py test_a': status, 'test_b.py test_good': 'passed' });
  });

  it.each([
    ['@unittest.skip("no")\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.fail()\n'],
    ['class A(unittest.TestCase):\n    def test_a(self):\n        self.skipTest("no")\n'],
    [
      'def setUpModule():\n    raise unittest.SkipTest("no")\nclass A(unittest.TestCase):\n    def test_a(self): pass\n',
    ],
  ])('counts no case of unittest that is skipped as passed: %s', async (source) => {
    const result = await host.run({ 'test_a.py': `import unittest\n${source}` });
    expect(statuses(result)).toEqual({ 'test_a.py A > test_a': 'skipped' });
  });

  it.each([['import unittest\nraise unittest.SkipTest("no")'], ['import pytest\npytest.importorskip("nowhere")']])(
    'takes a file that skips itself for one without cases: %s',
    async (source) => {
      const result = await host.run({ 'test_a.py': `${source}\n${BAD}`, 'test_b.py': GOOD });
      expect(statuses(result)).toEqual({ 'test_b.py test_good': 'passed' });
      expect(result.outcome).toBe('passed');
    },
  );

  it('passes when every case passes, with nothing of the canaries left in it', async () => {
    const result = await host.run({ 'test_a.py': GOOD });
    expect(result).toMatchObject({ outcome: 'passed', files: ['test_a.py'] });
    expect(result.cases.map((each) => each.name)).toEqual(['test_good']);
  });

  it.each([
    ['import pkg.none', /^\/.*\/project\/pkg\/none$/],
    ['from pkg.math import mul', /^\/.*\/project\/pkg\/math$/],
    ['import nowhere_at_all', /^\/.*\/project\/nowhere_at_all$/],
    ['from json import nope', /^json$/],
  ])('says of a missing name whether the task may create it: %s', async (line, specifier) => {
    const result = await host.run({ 'pkg/__init__.py': '', 'pkg/math.py': '', 'tests/test_a.py': `${line}\n${GOOD}` });
    expect(result.cases).toHaveLength(1);
    expect(result.cases[0]?.failure?.kind).toBe('load');
    expect(result.cases[0]?.failure?.missing?.specifier).toMatch(specifier);
  });

  it('asks pytest-mock to leave the assertions of mocks alone, so that their replacement by a test is still seen', async () => {
    const plugin = `from unittest.mock import NonCallableMock

def pytest_addoption(parser):
    parser.addini("mock_traceback_monkeypatch", "", default=True)

def pytest_configure(config):
    if config.getini("mock_traceback_monkeypatch") is True:
        original = NonCallableMock.assert_called
        NonCallableMock.assert_called = lambda self: original(self)
`;
    const site = `.venv/lib/python${versionOf(python)}/site-packages`;
    const result = await host.run(
      {
        '.venv/pyvenv.cfg': 'home = /nowhere\n',
        [`${site}/pytest_mock/__init__.py`]: plugin,
        [`${site}/pytest_mock-3.0.dist-info/METADATA`]: 'Metadata-Version: 2.1\nName: pytest-mock\nVersion: 3.0\n',
        [`${site}/pytest_mock-3.0.dist-info/entry_points.txt`]: '[pytest11]\npytest_mock = pytest_mock\n',
        'test_a.py': `from unittest.mock import Mock\n\ndef test_mock():\n    Mock().assert_called()\n${GOOD}`,
      },
      { start: runProcess },
    );
    expect(statuses(result)).toEqual({ 'test_a.py test_mock': 'failed', 'test_a.py test_good': 'passed' });
    expect(result.outcome).toBe('failed');
  });

  it('takes no pytest for its judge that is a source of the project', async () => {
    const result = await host.run(
      {
        '.venv/pyvenv.cfg': 'home = /nowhere\n',
        [`.venv/lib/python${versionOf(python)}/site-packages/own.pth`]:
          'import sys; sys.path.insert(0, sitedir + "/../../../../src")\n',
        'src/pytest.py': 'def main(*args, **kwargs):\n    return 0\n',
        'test_a.py': BAD,
      },
      { start: runProcess },
    );
    expect(result).toMatchObject({
      outcome: 'crashed',
      why: expect.stringContaining('it is not an installed package') as string,
    });
  });

  it('has the end of what a failed case printed with it, and nothing of the others', async () => {
    const result = await host.run({
      'test_a.py': `import sys\ndef test_other():\n    print("other")\n\ndef test_bad():\n    print("x" * 3000 + "seen")\n    print("also", file=sys.stderr)\n    assert 1 == 2\n`,
    });
    const message = result.cases.find(({ name }) => name === 'test_bad')?.failure?.message ?? '';
    expect(message).toMatch(/\nPrinted by this test:\nx+seen\nalso$/);
    expect(message.length).toBeLessThan(2200);
  });

  it('is a load failure with nothing missing for a syntax error, and runs the other files', async () => {
    const result = await host.run({ 'test_a.py': 'def (\n', 'test_b.py': GOOD });
    expect(result.cases.find((each) => each.file === 'test_a.py')?.failure).toMatchObject({ kind: 'load' });
    expect(result.cases.find((each) => each.file === 'test_a.py')?.failure?.missing).toBeUndefined();
    expect(statuses(result)['test_b.py test_good']).toBe('passed');
  });

  it('runs in the directory of the command with its configuration, under names that the command gives', async () => {
    const result = await host.run(
      {
        'api/pytest.ini': '[pytest]\naddopts = --strict-markers\n',
        'api/checks/check_a.py': `import os\ndef test_here():\n    assert os.getcwd().endswith('/api')\n`,
        'api/test_other.py': 'raise ValueError()',
      },
      { cwd: 'api', args: ['checks/check_*.py'] },
    );
    expect(statuses(result)).toEqual({ 'api/checks/check_a.py test_here': 'passed' });
  });
});

const conftest = (source: string) => ({ 'conftest.py': `import pytest\n${source}\n`, 'test_a.py': GOOD + BAD });
const ini = (addopts: string) => ({ 'pytest.ini': `[pytest]\naddopts = ${addopts}\n`, 'test_a.py': BAD + GOOD });

/** Each would end green, or leave the failing test out, if an exit code or the runner's own report were evidence. */
const TRICKS: readonly (readonly [string, string, Record<string, string>])[] = [
  ['os._exit(0) in a test', 'tampered', { 'test_a.py': `import os\ndef test_x():\n    os._exit(0)\n${BAD}` }],
  ['os._exit(0) while loading', 'tampered', { 'test_a.py': 'import os\nos._exit(0)\n' }],
  ['os._exit(0) in conftest', 'tampered', conftest('import os\nos._exit(0)')],
  ['sys.exit(0) in a test', 'failed', { 'test_a.py': `import sys\ndef test_x():\n    sys.exit(0)\n${GOOD}` }],
  [
    'pytest.exit in a test',
    'tampered|invalid|crashed',
    { 'test_a.py': `import pytest\ndef test_x():\n    pytest.exit('done', returncode=0)\n${BAD}` },
  ],
  ['pytest.exit in conftest', 'tampered|failed', conftest('pytest.exit("done", returncode=0)')],
  ['atexit that ends the process', 'failed', conftest('import atexit, os\natexit.register(os._exit, 0)')],
  ['sitecustomize beside the tests', 'failed', { 'sitecustomize.py': 'import os\nos._exit(0)\n', 'test_a.py': BAD }],
  [
    'reports rewritten',
    'tampered',
    conftest(
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"',
    ),
  ],
  [
    "reports rewritten of the project's own tests alone",
    'tampered',
    conftest(
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    if item.name == "test_bad":\n        outcome.get_result().outcome = "passed"',
    ),
  ],
  [
    'reports rewritten first of all',
    'tampered',
    conftest(
      '@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"',
    ),
  ],
  [
    'reports rewritten when logged',
    'failed|tampered',
    conftest('def pytest_runtest_logreport(report):\n    report.outcome = "passed"'),
  ],
  [
    'reports rewritten as expected failures',
    'tampered',
    conftest(
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if call.excinfo:\n        report.outcome = "skipped"; report.wasxfail = "x"',
    ),
  ],
  [
    'exceptions swallowed',
    'tampered',
    conftest(
      'import _pytest.runner as r\nold = r.CallInfo.from_call.__func__\ndef new(cls, func, when, reraise=None):\n    def quiet():\n        try: return func()\n        except Exception: return None\n    return old(cls, quiet, when, reraise)\nr.CallInfo.from_call = classmethod(new)',
    ),
  ],
  [
    'tests that are not called',
    'tampered',
    conftest('@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True'),
  ],
  [
    'a protocol that runs nothing',
    'tampered',
    conftest('@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_protocol(item, nextitem):\n    return True'),
  ],
  [
    'a loop that runs nothing',
    'tampered|invalid|crashed',
    conftest('@pytest.hookimpl(tryfirst=True)\ndef pytest_runtestloop(session):\n    return True'),
  ],
  [
    'an exit status set',
    'failed',
    conftest('def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0'),
  ],
  [
    'unittest asserts stubbed',
    'tampered',
    {
      'conftest.py': 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n',
      'test_a.py':
        'import unittest\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(1, 2)\n',
    },
  ],
  [
    'pytest.raises stubbed',
    'tampered',
    conftest('import contextlib\npytest.raises = lambda *a, **k: contextlib.suppress(Exception)'),
  ],
  [
    'a case that a source swallows by its name',
    'tampered',
    {
      'src.py':
        'import _pytest.python as p\nreal = p.Function.runtest\ndef runtest(self):\n    if "bad" not in self.name:\n        real(self)\np.Function.runtest = runtest\n',
      'test_a.py': `import src\n${BAD}`,
    },
  ],
  ['a pytest.py of the project', 'failed', { 'pytest.py': 'def main(*a, **k):\n    return 0\n', 'test_a.py': BAD }],
  [
    'mock assertions stubbed',
    'tampered',
    conftest('import unittest.mock\nunittest.mock.NonCallableMock.assert_called = lambda *a: None'),
  ],
  [
    'a file that conftest ignores',
    'failed|tampered|crashed|invalid',
    {
      'conftest.py': 'def pytest_ignore_collect(collection_path):\n    return collection_path.name == "test_a.py"\n',
      'test_a.py': BAD,
      'test_b.py': GOOD,
    },
  ],
  ['collect only', 'tampered|invalid|crashed', ini('--collect-only')],
  ['the first failure ends it', 'failed', ini('-x')],
  ['a name filter', 'passed', ini('-k good')],
  [
    'failing tests dropped after collection',
    'passed',
    conftest('def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if i.name != "test_bad"]'),
  ],
  [
    'everything dropped after collection',
    'passed',
    conftest('@pytest.hookimpl(trylast=True)\ndef pytest_collection_modifyitems(items):\n    items.clear()'),
  ],
  [
    'a file that conftest does not collect',
    'failed',
    { 'conftest.py': 'collect_ignore = ["test_a.py"]\n', 'test_a.py': BAD, 'test_b.py': GOOD },
  ],
];

/** What depends on how an interpreter starts is tried with one of its own. */
const startOf = (trick: string) => (trick.startsWith('sitecustomize') ? { start: runProcess } : {});

describe('fake green', () => {
  it('hides the state that a file left in a module from other files', async () => {
    const result = await host.run({
      'shared.py': 'answer = None\n',
      'test_a.py': 'import shared\ndef test_x():\n    shared.answer = 42\n',
      'test_b.py': 'import shared\ndef test_bad():\n    assert shared.answer == 42\n',
    });
    expect(statuses(result)).toMatchObject({ 'test_b.py test_bad': 'failed' });
  });

  it('hides its job and the names of canaries and report from code under test', async () => {
    const result = await host.run(
      { 'test_a.py': `import os, sys\ndef test_bad(capfd):\n${spyInPython('    ')}` },
      { start: runProcess },
    );
    const seen = result.cases[0]?.failure?.message ?? '';
    expect(seen).toContain('pytest');
    for (const secret of SECRETS) expect(seen).not.toContain(secret);
  });

  it.each(TRICKS.filter(([, outcome]) => outcome !== 'passed'))('never passes: %s', async (trick, outcome, files) => {
    const result = await host.run(files, startOf(trick));
    expect(result.outcome, result.why).toMatch(new RegExp(`^(${outcome})$`));
  });

  it.each(TRICKS.filter(([, outcome]) => outcome === 'passed'))(
    'lists what was left out as skipped: %s',
    async (_, __, files) => {
      const result = await host.run(files);
      expect(result.outcome, result.why).toBe('passed');
      const left = Object.entries(statuses(result)).filter(([name]) => /test_bad|\(file\)/.test(name));
      expect(left.map(([, status]) => status)).toEqual(['skipped']);
    },
  );
});
