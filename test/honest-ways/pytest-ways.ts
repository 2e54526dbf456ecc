import { PY_MAX } from './largest.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const USES = 'import pytest\nfrom largest import largest\n\n\n';

export const PYTEST_WAYS: RunnerWays = {
  runner: 'pytest',
  project: { 'requirements.txt': 'pytest\n' },
  ways: [
    {
      name: 'a table of cases',
      steps: testFirst(
        [
          'test_largest.py',
          `${USES}@pytest.mark.parametrize(('a', 'b', 'wanted'), [(1, 2, 2), (5, 3, 5), (-4, -7, -4)])\ndef test_largest(a, b, wanted):\n    assert largest(a, b) == wanted\n`,
        ],
        ['largest.py', PY_MAX],
      ),
    },
    {
      name: 'a fixture that cleans up',
      steps: testFirst(
        [
          'test_store.py',
          "import pytest\nfrom store import Store\n\n\n@pytest.fixture\ndef store(tmp_path):\n    opened = Store(tmp_path / 'data.json')\n    yield opened\n    opened.close()\n\n\ndef test_keeps_values(store, tmp_path):\n    store.put('a', 1)\n    store.close()\n    assert Store(tmp_path / 'data.json').get('a') == 1\n\n\ndef test_has_no_other_values(store):\n    with pytest.raises(KeyError):\n        store.get('b')\n",
        ],
        [
          'store.py',
          'import json\n\n\nclass Store:\n    def __init__(self, path):\n        self._path = path\n        self._values = json.loads(path.read_text()) if path.exists() else {}\n\n    def put(self, key, value):\n        self._values[key] = value\n\n    def get(self, key):\n        return self._values[key]\n\n    def close(self):\n        self._path.write_text(json.dumps(self._values))\n',
        ],
      ),
    },
    {
      name: 'a conftest with a fixture for all',
      steps: [
        ['tests/conftest.py', "import pytest\n\n\n@pytest.fixture\ndef words():\n    return ['b', 'a', 'b']\n"],
        [
          'tests/test_counts.py',
          "from counts import counts\n\n\ndef test_counts(words):\n    assert counts(words) == {'a': 1, 'b': 2}\n\n\ndef test_counts_nothing():\n    assert counts([]) == {}\n",
        ],
        'run',
        [
          'counts.py',
          'def counts(items):\n    found = {}\n    for item in items:\n        found[item] = found.get(item, 0) + 1\n    return found\n',
        ],
        'run',
      ],
      files: { 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n' },
      reasons: [/Sensitive files change: tests\/conftest.py/],
    },
    {
      name: 'what is replaced for a case, and what is printed',
      steps: testFirst(
        [
          'test_greet.py',
          "from greet import greet\n\n\ndef test_greets_by_name(monkeypatch, capsys):\n    monkeypatch.setenv('USER', 'Ada')\n    greet()\n    assert capsys.readouterr().out == 'Hello Ada\\n'\n\n\ndef test_greets_a_stranger(monkeypatch, capsys):\n    monkeypatch.delenv('USER', raising=False)\n    greet()\n    assert capsys.readouterr().out == 'Hello you\\n'\n",
        ],
        ['greet.py', "import os\n\n\ndef greet():\n    print(f\"Hello {os.environ.get('USER', 'you')}\")\n"],
      ),
    },
    {
      name: 'cases in a class, and numbers that are nearly equal',
      steps: testFirst(
        [
          'test_mean.py',
          "import pytest\nfrom mean import mean\n\n\nclass TestMean:\n    def test_of_some(self):\n        assert mean([0.1, 0.2, 0.3]) == pytest.approx(0.2)\n\n    def test_of_none(self):\n        with pytest.raises(ValueError, match='no values'):\n            mean([])\n",
        ],
        [
          'mean.py',
          "def mean(values):\n    if not values:\n        raise ValueError('no values')\n    return sum(values) / len(values)\n",
        ],
      ),
    },
    {
      name: 'a package in src',
      files: {
        'pyproject.toml':
          '[project]\nname = "way"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n',
        'src/way/__init__.py': '',
      },
      steps: testFirst(
        [
          'tests/test_pairs.py',
          "from way.pairs import pairs\n\n\ndef test_pairs():\n    assert list(pairs('abc')) == [('a', 'b'), ('b', 'c')]\n    assert list(pairs('')) == []\n",
        ],
        [
          'src/way/pairs.py',
          'def pairs(items):\n    before = None\n    for index, item in enumerate(items):\n        if index > 0:\n            yield before, item\n        before = item\n',
        ],
      ),
    },
    {
      name: 'a coroutine that the case runs',
      steps: testFirst(
        [
          'test_gather.py',
          'import asyncio\nfrom gather import gather\n\n\ndef test_gathers():\n    async def twice(n):\n        await asyncio.sleep(0)\n        return n * 2\n\n    assert asyncio.run(gather(twice, [1, 2, 3])) == [2, 4, 6]\n',
        ],
        [
          'gather.py',
          'import asyncio\n\n\nasync def gather(call, items):\n    return list(await asyncio.gather(*(call(item) for item in items)))\n',
        ],
      ),
    },
    {
      name: 'a class with its own equality',
      steps: testFirst(
        [
          'test_point.py',
          "from point import Point\n\n\ndef test_equal_points():\n    assert Point(1, 2) + Point(3, 4) == Point(4, 6)\n    assert Point(1, 2) != Point(2, 1)\n    assert repr(Point(1, 2)) == 'Point(1, 2)'\n",
        ],
        [
          'point.py',
          "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Point:\n    x: int\n    y: int\n\n    def __add__(self, other):\n        return Point(self.x + other.x, self.y + other.y)\n\n    def __repr__(self):\n        return f'Point({self.x}, {self.y})'\n",
        ],
      ),
    },
    {
      name: 'a case added to an old file',
      kind: 'fix',
      files: {
        'largest.py': PY_MAX,
        'test_largest.py': 'from largest import largest\n\n\ndef test_first():\n    assert largest(2, 1) == 2\n',
      },
      steps: testFirst(
        [
          'test_largest.py',
          "import pytest\nfrom largest import largest\n\n\ndef test_first():\n    assert largest(2, 1) == 2\n\n\ndef test_refuses_text():\n    with pytest.raises(TypeError):\n        largest('a', 'b')\n    assert largest(1, 2) == 2\n",
        ],
        [
          'largest.py',
          "def largest(a, b):\n    if isinstance(a, str):\n        raise TypeError('no number')\n    if a > b:\n        return a\n    return b\n",
        ],
      ),
    },
    {
      name: 'tests alone',
      kind: 'tests',
      files: { 'largest.py': PY_MAX },
      steps: [
        [
          'test_largest.py',
          'from largest import largest\n\n\ndef test_first():\n    assert largest(2, 1) == 2\n\n\ndef test_second():\n    assert largest(1, 2) == 2\n',
        ],
        'run',
      ],
    },
    {
      name: 'the deletion of a function that nobody calls',
      kind: 'deletion',
      files: {
        'largest.py': `${PY_MAX}\n\ndef least(a, b):\n    return a if a < b else b\n`,
        'test_largest.py': 'from largest import largest\n\n\ndef test_first():\n    assert largest(2, 1) == 2\n',
      },
      steps: ['run', ['largest.py', PY_MAX], 'run'],
    },
    {
      name: 'a helper that compares, and a loop over many values',
      steps: testFirst(
        [
          'test_roman.py',
          "import pytest\nfrom roman import roman\n\n\ndef check(number, wanted):\n    assert roman(number) == wanted\n\n\ndef test_numerals():\n    check(4, 'IV')\n    check(9, 'IX')\n    check(58, 'LVIII')\n    check(1994, 'MCMXCIV')\n\n\ndef test_every_number_has_its_own():\n    assert len({roman(n) for n in range(1, 200)}) == 199\n\n\ndef test_refuses_zero():\n    with pytest.raises(ValueError, match='positive'):\n        roman(0)\n",
        ],
        [
          'roman.py',
          "SIGNS = [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]\n\n\ndef roman(number):\n    if number < 1:\n        raise ValueError('a positive number is needed')\n    text = ''\n    for value, sign in SIGNS:\n        while number >= value:\n            text += sign\n            number -= value\n    return text\n",
        ],
      ),
    },
    {
      name: 'a refactoring that takes a function out of another',
      kind: 'refactor',
      files: {
        'area.py':
          'def area(width, height):\n    if width < 0 or height < 0:\n        raise ValueError("negative")\n    return width * height\n',
        'test_area.py':
          'import pytest\nfrom area import area\n\n\ndef test_area():\n    assert area(2, 5) == 10\n    assert area(0, 3) == 0\n    assert area(3, 0) == 0\n\n\n@pytest.mark.parametrize(("a", "b"), [(-1, 2), (2, -1)])\ndef test_negative(a, b):\n    with pytest.raises(ValueError, match="negative"):\n        area(a, b)\n',
      },
      steps: [
        'run',
        [
          'area.py',
          'def _check(*sides):\n    for side in sides:\n        if side < 0:\n            raise ValueError("negative")\n\n\ndef area(width, height):\n    _check(width, height)\n    return width * height\n',
        ],
        'run',
      ],
    },
  ],
};
