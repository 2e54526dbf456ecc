import { PY_MAX } from './largest.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const PY_TEST =
  'import unittest\nfrom largest import largest\n\n\nclass Largest(unittest.TestCase):\n    def test_second(self):\n        self.assertEqual(largest(1, 2), 2)\n\n    def test_first(self):\n        self.assertEqual(largest(2, 1), 2)\n';

export const UNITTEST_WAYS: RunnerWays = {
  runner: 'unittest',
  project: {},
  ways: [
    {
      name: 'a stub that raises, called at the top of a module',
      files: { 'largest.py': 'def largest(a, b):\n    raise NotImplementedError()\n' },
      steps: testFirst(
        [
          'test_largest.py',
          'import unittest\nfrom largest import largest\n\nSECOND = largest(1, 2)\nFIRST = largest(2, 1)\n\n\nclass Largest(unittest.TestCase):\n    def test_second(self):\n        self.assertEqual(SECOND, 2)\n\n    def test_first(self):\n        self.assertEqual(FIRST, 2)\n',
        ],
        ['largest.py', PY_MAX],
      ),
    },
    {
      name: 'a refactoring that begins with tests of what the source does',
      kind: 'refactor',
      files: { 'largest.py': PY_MAX },
      steps: [
        ['test_largest.py', PY_TEST],
        'run',
        ['largest.py', 'def largest(a, b):\n    return a if a > b else b\n'],
        'run',
      ],
    },
    {
      name: 'tests alone',
      kind: 'tests',
      files: { 'largest.py': PY_MAX },
      steps: [['test_largest.py', PY_TEST], 'run'],
    },
    {
      name: 'a table of subtests',
      steps: testFirst(
        [
          'test_largest.py',
          'import unittest\nfrom largest import largest\n\n\nclass Largest(unittest.TestCase):\n    def test_largest(self):\n        for a, b, wanted in [(1, 2, 2), (5, 3, 5)]:\n            with self.subTest(a=a, b=b):\n                self.assertEqual(largest(a, b), wanted)\n',
        ],
        ['largest.py', PY_MAX],
      ),
    },
    {
      name: 'what is replaced for a case',
      files: { 'rates.py': "def rate(currency):\n    raise OSError('no network')\n" },
      steps: testFirst(
        [
          'tests/test_convert.py',
          "import unittest\nfrom unittest.mock import patch\nfrom convert import convert\n\n\nclass Converts(unittest.TestCase):\n    @patch('convert.rate')\n    def test_converts(self, rate):\n        rate.return_value = 1.5\n        self.assertEqual(convert(10, 'USD'), 15)\n        rate.assert_called_once_with('USD')\n",
        ],
        [
          'convert.py',
          'from rates import rate\n\n\ndef convert(amount, currency):\n    return amount * rate(currency)\n',
        ],
      ),
    },
    {
      name: 'cases that are coroutines',
      steps: testFirst(
        [
          'test_first.py',
          'import asyncio\nimport unittest\nfrom first import first\n\n\nclass First(unittest.IsolatedAsyncioTestCase):\n    async def asyncSetUp(self):\n        self.slow = asyncio.Event()\n\n    async def test_first(self):\n        async def waits():\n            await self.slow.wait()\n\n        async def answers():\n            return 5\n\n        self.assertEqual(await first([waits(), answers()]), 5)\n',
        ],
        [
          'first.py',
          'import asyncio\n\n\nasync def first(coroutines):\n    tasks = [asyncio.ensure_future(each) for each in coroutines]\n    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)\n    for task in waiting:\n        task.cancel()\n    return done.pop().result()\n',
        ],
      ),
    },
    {
      name: 'a base class of cases',
      files: {
        'tests/__init__.py': '',
        'tests/base.py':
          'import tempfile\nimport unittest\nfrom pathlib import Path\n\n\nclass InDirectory(unittest.TestCase):\n    def setUp(self):\n        temporary = tempfile.TemporaryDirectory()\n        self.addCleanup(temporary.cleanup)\n        self.directory = Path(temporary.name)\n',
      },
      steps: testFirst(
        [
          'tests/test_sizes.py',
          "from sizes import total_size\nfrom tests.base import InDirectory\n\n\nclass Sizes(InDirectory):\n    def test_adds_up(self):\n        (self.directory / 'a').write_text('abc')\n        (self.directory / 'b').write_text('de')\n        self.assertEqual(total_size(self.directory), 5)\n\n    def test_empty(self):\n        self.assertEqual(total_size(self.directory), 0)\n",
        ],
        [
          'sizes.py',
          'def total_size(directory):\n    return sum(path.stat().st_size for path in directory.iterdir())\n',
        ],
      ),
    },
  ],
};
