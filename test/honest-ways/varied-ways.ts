import { GTEST_PROJECT } from '../support/c-project.ts';
import { move, testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const RATE_LIMIT_TEST = `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateLimiter } from '../src/rate-limiter.js';

function fakeClock() {
  let nowMs = 0;
  return { now: () => nowMs, advance: (ms) => (nowMs += ms) };
}

describe('RateLimiter', () => {
  it('allows a burst, then refuses', () => {
    const clock = fakeClock();
    const limiter = new RateLimiter({ perSecond: 2, clock });
    assert.equal(limiter.tryAcquire('ada'), true);
    assert.equal(limiter.tryAcquire('ada'), true);
    assert.equal(limiter.tryAcquire('ada'), false);
    assert.equal(limiter.tryAcquire('bob'), true);
  });

  it('refills as time goes on', () => {
    const clock = fakeClock();
    const limiter = new RateLimiter({ perSecond: 2, clock });
    limiter.tryAcquire('ada');
    limiter.tryAcquire('ada');
    clock.advance(400);
    assert.equal(limiter.tryAcquire('ada'), false);
    clock.advance(100);
    assert.equal(limiter.tryAcquire('ada'), true);
    clock.advance(60_000);
    assert.deepEqual(
      [1, 2, 3].map(() => limiter.tryAcquire('ada')),
      [true, true, false],
    );
  });

  it('refuses a rate that makes no sense', () => {
    assert.throws(() => new RateLimiter({ perSecond: 0, clock: fakeClock() }), RangeError);
  });
});
`;
const RATE_LIMIT = `/** Allows so many calls in a second for each key. */
export class RateLimiter {
  #perSecond;
  #clock;
  #buckets = new Map();

  constructor({ perSecond, clock = { now: () => performance.now() } }) {
    if (perSecond <= 0) throw new RangeError('perSecond must be positive');
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  tryAcquire(key) {
    const nowMs = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#perSecond, atMs: nowMs };
    const refilled = bucket.tokens + ((nowMs - bucket.atMs) / 1000) * this.#perSecond;
    const tokens = Math.min(this.#perSecond, refilled);
    const allowed = tokens >= 1;
    this.#buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    return allowed;
  }
}
`;

const DURATION_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseDuration } from '../src/duration.js';

const cases = [
  { text: '90s', wanted: 90_000 },
  { text: '5m', wanted: 300_000 },
  { text: '1h30m', wanted: 5_400_000 },
  { text: ' 2h ', wanted: 7_200_000 },
  { text: '250ms', wanted: 250 },
];
for (const { text, wanted } of cases) {
  test(\`reads \${JSON.stringify(text)}\`, () => {
    assert.equal(parseDuration(text), wanted);
  });
}

for (const text of ['', 'soon', '5', '1h later', '-5m']) {
  test(\`refuses \${JSON.stringify(text)}\`, () => {
    assert.throws(() => parseDuration(text), { name: 'SyntaxError', message: /no duration/ });
  });
}
`;
const DURATION = `const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const PART = /(\\d+)(ms|s|m|h)/gy;

/** Milliseconds of a text such as "1h30m". */
export function parseDuration(text) {
  const trimmed = text.trim();
  let total = 0;
  let end = 0;
  for (const match of trimmed.matchAll(PART)) {
    total += Number(match[1]) * UNITS[match[2]];
    end = match.index + match[0].length;
  }
  if (end === 0 || end < trimmed.length) throw new SyntaxError(\`no duration: \${text}\`);
  return total;
}
`;

const CLI_TEST = `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/count.js', import.meta.url));
let directory;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'count-'));
  writeFileSync(join(directory, 'a.txt'), 'one two\\nthree\\n');
});
after(() => rmSync(directory, { recursive: true }));

const run = (...args) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: directory });

test('counts lines and words of a file', () => {
  const { status, stdout } = run('a.txt');
  assert.equal(status, 0);
  assert.equal(stdout, '2 3 a.txt\\n');
});

test('names a file that is not there', () => {
  const { status, stderr } = run('b.txt');
  assert.equal(status, 1);
  assert.match(stderr, /b\\.txt: no such file/);
});
`;
const CLI = `#!/usr/bin/env node
import { readFileSync } from 'node:fs';

function count(text) {
  const lines = text.split('\\n').length - 1;
  const words = text.split(/\\s+/).filter((word) => word !== '').length;
  return { lines, words };
}

for (const path of process.argv.slice(2)) {
  try {
    const { lines, words } = count(readFileSync(path, 'utf8'));
    console.log(\`\${lines} \${words} \${path}\`);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.error(\`\${path}: no such file\`);
    process.exitCode = 1;
  }
}
`;

const VARIED_NODE_WAYS: RunnerWays = {
  runner: 'node-test',
  project: {
    'package.json':
      '{ "name": "way", "type": "module", "bin": { "count": "bin/count.js" }, "scripts": { "test": "node --test" } }\n',
    'README.md': '# Way\n',
  },
  ways: [
    {
      name: 'a rate limiter with a clock that the test moves',
      steps: testFirst(['test/rate-limiter.test.js', RATE_LIMIT_TEST], ['src/rate-limiter.js', RATE_LIMIT]),
    },
    {
      name: 'durations: a table of cases, one of errors, and a line in the README',
      steps: [
        ['test/duration.test.js', DURATION_TEST],
        'run',
        ['src/duration.js', DURATION],
        ['README.md', '# Way\n\n`parseDuration("1h30m")` is 5400000.\n'],
        'run',
      ],
    },
    {
      name: 'a command that its test starts, with files of its own',
      steps: testFirst(['test/count.test.js', CLI_TEST], ['bin/count.js', CLI]),
    },
    {
      name: 'a module that moves and takes another name, and a caller with it',
      kind: 'refactor',
      files: {
        'src/util.js':
          "export function fmt(cents) {\n  const sign = cents < 0 ? '-' : '';\n  const abs = Math.abs(cents);\n  return `${sign}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;\n}\n",
        'src/receipt.js':
          "import { fmt } from './util.js';\n\nexport function receipt(items) {\n  return items.map(({ name, cents }) => `${name} ${fmt(cents)}`).join('\\n');\n}\n",
        'test/receipt.test.js':
          "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { receipt } from '../src/receipt.js';\n\ntest('lists items with prices', () => {\n  assert.equal(\n    receipt([\n      { name: 'tea', cents: 250 },\n      { name: 'refund', cents: -1205 },\n      { name: 'gum', cents: 5 },\n    ]),\n    'tea 2.50\\nrefund -12.05\\ngum 0.05',\n  );\n});\n",
      },
      steps: [
        'run',
        move('src/util.js', 'src/money/format-cents.js'),
        [
          'src/money/format-cents.js',
          "/** Cents as a decimal number with two digits. */\nexport function formatCents(cents) {\n  const sign = cents < 0 ? '-' : '';\n  const abs = Math.abs(cents);\n  return `${sign}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;\n}\n",
        ],
        [
          'src/receipt.js',
          "import { formatCents } from './money/format-cents.js';\n\nexport function receipt(items) {\n  return items.map(({ name, cents }) => `${name} ${formatCents(cents)}`).join('\\n');\n}\n",
        ],
        'run',
      ],
    },
  ],
};

const COUNTER_TEST = `import { describe, expect, it, vi } from 'vitest';
import { mount } from './support/mount.js';
import { Counter } from '../src/counter.js';

describe('Counter', () => {
  it('shows its start', () => {
    const view = mount(Counter, { start: 3, label: 'Apples' });
    expect(view.html()).toBe('<p>Apples: 3</p><button>+1</button>');
  });

  it('counts clicks and reports each', () => {
    const onChange = vi.fn();
    const view = mount(Counter, { start: 0, label: 'Pears', onChange });
    view.click('+1');
    view.click('+1');
    expect(view.html()).toContain('Pears: 2');
    expect(onChange.mock.calls).toEqual([[1], [2]]);
  });
});
`;
const MOUNT = `/** The smallest renderer that a component of hooks needs. */
export function mount(component, props) {
  const state = [];
  let slot = 0;
  let tree;
  const useState = (first) => {
    const own = slot++;
    state[own] ??= first;
    return [
      state[own],
      (next) => {
        state[own] = next;
        render();
      },
    ];
  };
  const render = () => {
    slot = 0;
    tree = component(props, { useState });
  };
  render();
  return {
    html: () => tree.map(({ tag, text }) => \`<\${tag}>\${text}</\${tag}>\`).join(''),
    click: (text) => tree.find((each) => each.text === text).onClick(),
  };
}
`;
const COUNTER = `export function Counter({ start = 0, label, onChange }, { useState }) {
  const [count, setCount] = useState(start);
  const add = () => {
    const next = count + 1;
    setCount(next);
    onChange?.(next);
  };
  return [
    { tag: 'p', text: \`\${label}: \${count}\` },
    { tag: 'button', text: '+1', onClick: add },
  ];
}
`;

const CHUNK_TEST = `import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunked } from '../src/chunked.ts';

describe('chunked', () => {
  it('cuts what can be walked through', () => {
    expect([...chunked([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...chunked('abc', 3)]).toEqual([['a', 'b', 'c']]);
    expect([...chunked([], 3)]).toEqual([]);
  });

  it('loses nothing, and fills all chunks but the last', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 10 }), (items, size) => {
        const chunks = [...chunked(items, size)];
        expect(chunks.flat()).toEqual(items);
        expect(chunks.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true);
        expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size)).toBe(true);
      }),
    );
  });

  it('is lazy', () => {
    let taken = 0;
    function* numbers() {
      for (;;) yield taken++;
    }
    const { value } = chunked(numbers(), 3).next();
    expect(value).toEqual([0, 1, 2]);
    expect(taken).toBe(3);
  });

  it('refuses sizes below one', () => {
    expect(() => chunked([1], 0).next()).toThrow(RangeError);
  });
});
`;
const CHUNK = `/** Cuts items into chunks of a size; the last may be shorter. */
export function* chunked<T>(items: Iterable<T>, size: number): Generator<T[], void> {
  if (size < 1) throw new RangeError('a chunk has at least one item');
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
`;

const VARIED_VITEST_WAYS: RunnerWays = {
  runner: 'vitest',
  project: { 'package.json': '{ "name": "way", "type": "module", "scripts": { "test": "vitest run" } }\n' },
  ways: [
    {
      name: 'a component of hooks, and a small renderer for its tests',
      steps: [
        ['test/support/mount.js', MOUNT],
        ['test/counter.test.js', COUNTER_TEST],
        'run',
        ['src/counter.js', COUNTER],
        'run',
      ],
    },
    {
      name: 'a generic generator: examples, a property, laziness',
      steps: testFirst(['test/chunked.test.ts', CHUNK_TEST], ['src/chunked.ts', CHUNK]),
    },
  ],
};

const HTTP_TEST = `const { fetchJson } = require('../src/fetch-json');
const { HttpError, NotFound, TimedOut } = require('../src/errors');

const answering = (status, body) => jest.fn().mockResolvedValue({ status, ok: status < 400, json: async () => body });

describe('fetchJson', () => {
  test('gives back what the server sends', async () => {
    const fetch = answering(200, { name: 'Ada' });
    await expect(fetchJson('/users/1', { fetch })).resolves.toEqual({ name: 'Ada' });
    expect(fetch).toHaveBeenCalledWith('/users/1', expect.objectContaining({ headers: { accept: 'application/json' } }));
  });

  test('tells what is not there from other errors', async () => {
    await expect(fetchJson('/users/2', { fetch: answering(404) })).rejects.toThrow(NotFound);
    const error = await fetchJson('/users/3', { fetch: answering(503) }).catch((each) => each);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).not.toBeInstanceOf(NotFound);
    expect(error.status).toBe(503);
  });

  test('ends a request that takes too long', async () => {
    jest.useFakeTimers();
    const never = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const pending = fetchJson('/slow', { fetch: never, timeoutMs: 1000 });
    const checked = expect(pending).rejects.toThrow(TimedOut);
    await jest.advanceTimersByTimeAsync(1000);
    await checked;
    jest.useRealTimers();
  });
});
`;
const HTTP_ERRORS = `class HttpError extends Error {
  constructor(status, url) {
    super(\`\${url} answered \${status}\`);
    this.name = new.target.name;
    this.status = status;
  }
}
class NotFound extends HttpError {
  constructor(url) {
    super(404, url);
  }
}
class TimedOut extends Error {}

module.exports = { HttpError, NotFound, TimedOut };
`;
const HTTP = `const { HttpError, NotFound, TimedOut } = require('./errors');

async function fetchJson(url, { fetch = globalThis.fetch, timeoutMs = 10_000 } = {}) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: controller.signal });
    if (response.status === 404) throw new NotFound(url);
    if (!response.ok) throw new HttpError(response.status, url);
    return await response.json();
  } catch (error) {
    if (controller.signal.aborted) throw new TimedOut(\`\${url} took longer than \${timeoutMs} ms\`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
module.exports = { fetchJson };
`;

const VARIED_JEST_WAYS: RunnerWays = {
  runner: 'jest',
  project: { 'package.json': '{ "name": "way", "scripts": { "test": "jest" } }\n' },
  ways: [
    {
      name: 'errors as classes, a request that is handed in, and a timeout',
      steps: [
        ['test/fetch-json.test.js', HTTP_TEST],
        'run',
        ['src/errors.js', HTTP_ERRORS],
        ['src/fetch-json.js', HTTP],
        'run',
      ],
    },
  ],
};

const VARIED_MOCHA_WAYS: RunnerWays = {
  runner: 'mocha',
  project: {
    'package.json': '{ "name": "way", "scripts": { "test": "mocha" } }\n',
    'lib/pages.js': 'exports.pageCount = (items, size) => Math.floor(items / size) + 1;\n',
    'test/pages.js':
      "const assert = require('node:assert');\nconst { pageCount } = require('../lib/pages');\n\ndescribe('pageCount', () => {\n  it('rounds up', () => {\n    assert.strictEqual(pageCount(25, 10), 3);\n  });\n  it('fills the last page', () => {\n    assert.strictEqual(pageCount(20, 10), 3);\n  });\n});\n",
  },
  ways: [
    {
      name: 'a fault that an old expectation had written down',
      kind: 'fix',
      reasons: [/test\/pages\.js/],
      steps: testFirst(
        [
          'test/pages.js',
          "const assert = require('node:assert');\nconst { pageCount } = require('../lib/pages');\n\ndescribe('pageCount', () => {\n  it('rounds up', () => {\n    assert.strictEqual(pageCount(25, 10), 3);\n  });\n  it('fills the last page', () => {\n    assert.strictEqual(pageCount(20, 10), 2);\n  });\n  it('has no page for nothing', () => {\n    assert.strictEqual(pageCount(0, 10), 0);\n  });\n});\n",
        ],
        ['lib/pages.js', 'exports.pageCount = (items, size) => Math.ceil(items / size);\n'],
      ),
    },
  ],
};

const STORE_TEST = `import sqlite3

import pytest

from shop.store import OutOfStock, Store


@pytest.fixture
def store():
    connection = sqlite3.connect(":memory:")
    store = Store(connection)
    store.migrate()
    yield store
    connection.close()


def test_counts_what_is_delivered(store: Store) -> None:
    store.deliver("tea", 5)
    store.deliver("tea", 2)
    store.deliver("cake", 1)
    assert store.stock() == {"tea": 7, "cake": 1}


def test_takes_from_stock(store: Store) -> None:
    store.deliver("tea", 5)
    store.take("tea", 3)
    assert store.stock() == {"tea": 2}


@pytest.mark.parametrize("name, count", [("tea", 6), ("cake", 1)])
def test_takes_nothing_that_is_not_there(store: Store, name: str, count: int) -> None:
    store.deliver("tea", 5)
    with pytest.raises(OutOfStock, match=name):
        store.take(name, count)
    assert store.stock() == {"tea": 5}
`;
const STORE = `"""The stock of a shop, in SQLite."""

from __future__ import annotations

import sqlite3

SCHEMA = """
CREATE TABLE IF NOT EXISTS stock (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL CHECK (count >= 0)
)
"""


class OutOfStock(Exception):
    """Less is there than was asked for."""


class Store:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def migrate(self) -> None:
        with self._connection:
            self._connection.execute(SCHEMA)

    def deliver(self, name: str, count: int) -> None:
        with self._connection:
            self._connection.execute(
                "INSERT INTO stock (name, count) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET count = count + excluded.count",
                (name, count),
            )

    def take(self, name: str, count: int) -> None:
        with self._connection:
            cursor = self._connection.execute(
                "UPDATE stock SET count = count - ? WHERE name = ? AND count >= ?",
                (count, name, count),
            )
            if cursor.rowcount == 0:
                raise OutOfStock(name)

    def stock(self) -> dict[str, int]:
        return dict(self._connection.execute("SELECT name, count FROM stock"))
`;

const RETRY_TEST = `import pytest

from shop.retry import retry


class Flaky:
    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    def __call__(self, value: int) -> int:
        self.calls += 1
        if self.calls <= self.failures:
            raise ConnectionError("try again")
        return value * 2


def test_gives_back_what_comes_at_last():
    waited: list[float] = []
    flaky = Flaky(failures=2)
    assert retry(times=3, base=0.5, sleep=waited.append)(flaky)(21) == 42
    assert flaky.calls == 3
    assert waited == [0.5, 1.0]


def test_gives_up():
    flaky = Flaky(failures=5)
    wrapped = retry(times=3, sleep=lambda seconds: None)(flaky)
    with pytest.raises(ConnectionError, match="try again"):
        wrapped(1)
    assert flaky.calls == 3


def test_keeps_name_and_docstring():
    @retry(times=2)
    def load():
        """Loads it."""

    assert load.__name__ == "load"
    assert load.__doc__ == "Loads it."


def test_other_errors_are_not_repeated():
    calls = []

    @retry(times=3, sleep=calls.append)
    def broken():
        raise ValueError("no")

    with pytest.raises(ValueError):
        broken()
    assert calls == []
`;
const RETRY = `"""Repeats calls that fail for a moment."""

import functools
import time
from typing import Callable, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def retry(
    *, times: int, base: float = 0.1, sleep: Callable[[float], None] = time.sleep
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Calls up to \`times\` times while the connection fails, with pauses that double."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function, updated=())
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            for attempt in range(times - 1):
                try:
                    return function(*args, **kwargs)
                except ConnectionError:
                    sleep(base * 2**attempt)
            return function(*args, **kwargs)

        return wrapper

    return decorate
`;

const CSV_TEST = `from decimal import Decimal
from pathlib import Path

import pytest

from shop.prices import BadRow, Price, read_prices


@pytest.fixture()
def prices_file(tmp_path: Path):
    def make(text: str) -> Path:
        path = tmp_path / "prices.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def test_reads_prices(prices_file):
    path = prices_file("name,price\\ntea,2.50\\n\\ncake, 4.00\\n")
    assert list(read_prices(path)) == [Price("tea", Decimal("2.50")), Price("cake", Decimal("4.00"))]


def test_names_the_line_of_a_bad_row(prices_file):
    path = prices_file("name,price\\ntea,2.50\\ncake,much\\n")
    with pytest.raises(BadRow) as caught:
        list(read_prices(path))
    assert caught.value.line == 3
    assert "much" in str(caught.value)
`;
const CSV = `"""Prices from CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path


@dataclass(frozen=True)
class Price:
    name: str
    amount: Decimal


class BadRow(ValueError):
    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text!r} is no price")
        self.line = line


def read_prices(path: Path) -> Iterator[Price]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, skipinitialspace=True)
        for row in reader:
            try:
                yield Price(row["name"], Decimal(row["price"]))
            except InvalidOperation as error:
                raise BadRow(reader.line_num, row["price"]) from error
`;

const VARIED_PYTEST_WAYS: RunnerWays = {
  runner: 'pytest',
  project: {
    'shop/__init__.py': '',
    'pyproject.toml':
      '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
    'tests/test_package.py': 'import shop\n\n\ndef test_imports():\n    assert shop.__name__ == "shop"\n',
  },
  ways: [
    {
      name: 'a store in SQLite, in memory for its tests',
      steps: testFirst(['tests/test_store.py', STORE_TEST], ['shop/store.py', STORE]),
    },
    {
      name: 'a decorator with a pause that the test hands in',
      steps: testFirst(['tests/test_retry.py', RETRY_TEST], ['shop/retry.py', RETRY]),
    },
    {
      name: 'rows of a file as data classes, and the line of a bad one',
      steps: testFirst(['tests/test_prices.py', CSV_TEST], ['shop/prices.py', CSV]),
    },
  ],
};

const QUEUE_TEST = `import asyncio
import unittest

from jobs import Pool


class PoolTest(unittest.IsolatedAsyncioTestCase):
    async def test_runs_so_many_at_once(self):
        running = 0
        most = 0

        async def job(number):
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            return number * number

        results = await Pool(limit=2).map(job, [1, 2, 3, 4])
        self.assertEqual(results, [1, 4, 9, 16])
        self.assertEqual(most, 2)

    async def test_one_that_fails_stops_the_rest(self):
        started = []

        async def job(number):
            started.append(number)
            if number == 2:
                raise ValueError("two")
            return number

        with self.assertRaisesRegex(ValueError, "two"):
            await Pool(limit=1).map(job, [1, 2, 3])
        self.assertEqual(started, [1, 2])

    async def test_without_jobs(self):
        self.assertEqual(await Pool(limit=3).map(None, []), [])
`;
const QUEUE = `"""Jobs that run side by side."""

import asyncio


class Pool:
    def __init__(self, limit):
        self._limit = limit

    async def map(self, job, items):
        """The results of all items, in their order."""
        results = [None] * len(items)
        waiting = iter(enumerate(items))

        async def worker():
            for index, item in waiting:
                results[index] = await job(item)

        workers = [asyncio.create_task(worker()) for _ in range(self._limit)]
        try:
            await asyncio.gather(*workers)
        finally:
            for each in workers:
                each.cancel()
        return results
`;
const OLD_TEXT_TEST = `import unittest

from text import shorten


class ShortenTest(unittest.TestCase):
    def test_keeps_short_text(self):
        self.assertEqual(shorten("tea", 5), "tea")

    def test_cuts_long_text(self):
        self.assertEqual(shorten("cucumber", 5), "cucu…")
`;

const VARIED_UNITTEST_WAYS: RunnerWays = {
  runner: 'unittest',
  project: {
    'text.py':
      'def shorten(text, width):\n    if len(text) <= width:\n        return text\n    return text[: width - 1] + "…"\n',
    'test_text.py': OLD_TEXT_TEST,
  },
  ways: [
    {
      name: 'coroutines, so many at once',
      steps: testFirst(['test_jobs.py', QUEUE_TEST], ['jobs.py', QUEUE]),
    },
    {
      name: 'one more parameter, with cases in a file that was there, by subTest',
      steps: testFirst(
        [
          'test_text.py',
          `${OLD_TEXT_TEST}
    def test_cuts_between_words(self):
        for text, width, wanted in [
            ("green tea and cake", 11, "green tea…"),
            ("green tea", 9, "green tea"),
            ("cucumber sandwich", 5, "cucu…"),
        ]:
            with self.subTest(text=text, width=width):
                self.assertEqual(shorten(text, width, whole_words=True), wanted)
`,
        ],
        [
          'text.py',
          `def shorten(text, width, whole_words=False):
    if len(text) <= width:
        return text
    kept = text[: width - 1]
    if whole_words and " " in kept and text[width - 1] != " ":
        kept = kept[: kept.rindex(" ")]
    return kept.rstrip() + "…"
`,
        ],
      ),
    },
  ],
};

const LRU_GO_TEST = `package shop

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseLevel(t *testing.T) {
	tests := map[string]struct {
		text    string
		want    Level
		wantErr error
	}{
		"lower case":  {text: "info", want: Info},
		"upper case":  {text: "WARN", want: Warn},
		"with spaces": {text: " debug ", want: Debug},
		"empty":       {text: "", wantErr: ErrNoLevel},
		"unknown":     {text: "loud", wantErr: ErrNoLevel},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseLevel(tt.text)
			if !errors.Is(err, tt.wantErr) {
				t.Fatalf("ParseLevel(%q) error = %v, want %v", tt.text, err, tt.wantErr)
			}
			if got != tt.want {
				t.Errorf("ParseLevel(%q) = %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}

func TestLoggerWritesFromItsLevelOn(t *testing.T) {
	var out strings.Builder
	log := NewLogger(&out, Warn)
	log.Print(Info, "starting")
	log.Print(Warn, "low on tea")
	log.Print(Error, "out of cake")
	want := "warn: low on tea\\nerror: out of cake\\n"
	if got := out.String(); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

func TestLevelString(t *testing.T) {
	if got := fmt.Sprint(Debug); got != "debug" {
		t.Errorf("got %q", got)
	}
}
`;
const LEVEL_GO = `package shop

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrNoLevel is what a text that names no level comes back with.
var ErrNoLevel = errors.New("no level")

// Level says how much something matters.
type Level int

// Levels, from the least important on.
const (
	Debug Level = iota
	Info
	Warn
	Error
)

var names = [...]string{"debug", "info", "warn", "error"}

func (l Level) String() string { return names[l] }

// ParseLevel reads a level by its name.
func ParseLevel(text string) (Level, error) {
	wanted := strings.ToLower(strings.TrimSpace(text))
	for i, name := range names {
		if name == wanted {
			return Level(i), nil
		}
	}
	return 0, fmt.Errorf("%q: %w", text, ErrNoLevel)
}

// Logger writes lines of its level and above.
type Logger struct {
	out   io.Writer
	level Level
}

// NewLogger makes a logger.
func NewLogger(out io.Writer, level Level) *Logger {
	return &Logger{out: out, level: level}
}

// Print writes a line.
func (l *Logger) Print(level Level, text string) {
	if level < l.level {
		return
	}
	fmt.Fprintf(l.out, "%s: %s\\n", level, text)
}
`;
const GENERIC_GO_TEST = `package shop

import (
	"reflect"
	"strconv"
	"testing"
)

func TestGroupBy(t *testing.T) {
	words := []string{"tea", "cake", "milk", "egg"}
	got := GroupBy(words, func(word string) int { return len(word) })
	want := map[int][]string{3: {"tea", "egg"}, 4: {"cake", "milk"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSetKeepsOrder(t *testing.T) {
	set := NewSet[string]()
	for _, each := range []string{"b", "a", "b", "c"} {
		set.Add(each)
	}
	if got, want := set.Items(), []string{"b", "a", "c"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !set.Has("a") || set.Has("z") {
		t.Error("Has is wrong")
	}
	if got := Map(set.Items(), strconv.Quote); got[0] != "\\"b\\"" || len(got) != 3 {
		t.Errorf("got %v", got)
	}
}
`;
const GENERIC_GO = `package shop

// GroupBy sorts items into groups by what key says of each.
func GroupBy[T any, K comparable](items []T, key func(T) K) map[K][]T {
	groups := make(map[K][]T)
	for _, item := range items {
		k := key(item)
		groups[k] = append(groups[k], item)
	}
	return groups
}

// Map calls a function for each item.
func Map[T, R any](items []T, call func(T) R) []R {
	results := make([]R, 0, len(items))
	for _, item := range items {
		results = append(results, call(item))
	}
	return results
}

// Set has each item once, in the order in which they came.
type Set[T comparable] struct {
	seen  map[T]struct{}
	items []T
}

// NewSet makes an empty set.
func NewSet[T comparable]() *Set[T] {
	return &Set[T]{seen: make(map[T]struct{})}
}

// Add adds an item that is not there yet.
func (s *Set[T]) Add(item T) {
	if s.Has(item) {
		return
	}
	s.seen[item] = struct{}{}
	s.items = append(s.items, item)
}

// Has says whether an item is there.
func (s *Set[T]) Has(item T) bool {
	_, ok := s.seen[item]
	return ok
}

// Items are all of them.
func (s *Set[T]) Items() []T { return s.items }
`;

const VARIED_GO_WAYS: RunnerWays = {
  runner: 'go-test',
  project: {
    'go.mod': 'module shop\n\ngo 1.21\n',
    'add.go': 'package shop\n\nfunc Add(a, b int) int { return a + b }\n',
    'add_test.go':
      'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("bad")\n\t}\n}\n',
  },
  ways: [
    {
      name: 'levels and a logger: a map of cases, errors that are wrapped, a writer that is handed in',
      steps: testFirst(['level_test.go', LRU_GO_TEST], ['level.go', LEVEL_GO]),
    },
    {
      name: 'generic functions and a generic type',
      steps: testFirst(['collect_test.go', GENERIC_GO_TEST], ['collect.go', GENERIC_GO]),
    },
  ],
};

const RUST_LIB = `//! A shop.

pub fn add(a: i32, b: i32) -> i32 {
    a + b
}
`;
const RUST_SHAPES_TEST = `use shop::shapes::{total_area, Circle, Rectangle, Shape};
use shop::total;

#[test]
fn areas() {
    assert_eq!(
        Rectangle {
            width: 2.0,
            height: 3.5
        }
        .area(),
        7.0
    );
    let circle = Circle { radius: 2.0 };
    assert!((circle.area() - 12.566).abs() < 0.001);
}

#[test]
fn describes_itself_by_default() {
    assert_eq!(Circle { radius: 1.0 }.describe(), "circle of 3.14");
    assert_eq!(
        Rectangle {
            width: 1.0,
            height: 1.0
        }
        .describe(),
        "box of 1.00"
    );
}

#[test]
fn adds_up_shapes_of_all_kinds() {
    let shapes: Vec<Box<dyn Shape>> = vec![
        Box::new(Rectangle {
            width: 2.0,
            height: 2.0,
        }),
        Box::new(Rectangle {
            width: 1.0,
            height: 3.0,
        }),
    ];
    assert_eq!(total_area(&shapes), 7.0);
    assert_eq!(total_area(&[]), 0.0);
}

#[test]
fn adds_up_by_macro() {
    assert_eq!(total!(), 0);
    assert_eq!(total!(1), 1);
    assert_eq!(total!(1, 2, 3), 6);
}
`;
const RUST_SHAPES = `//! Shapes and their areas.

pub trait Shape {
    fn name(&self) -> &'static str;
    fn area(&self) -> f64;

    fn describe(&self) -> String {
        format!("{} of {:.2}", self.name(), self.area())
    }
}

pub struct Rectangle {
    pub width: f64,
    pub height: f64,
}

impl Shape for Rectangle {
    fn name(&self) -> &'static str {
        "box"
    }

    fn area(&self) -> f64 {
        self.width * self.height
    }
}

pub struct Circle {
    pub radius: f64,
}

impl Shape for Circle {
    fn name(&self) -> &'static str {
        "circle"
    }

    fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }
}

pub fn total_area(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}

/// Adds up any number of numbers.
#[macro_export]
macro_rules! total {
    () => { 0 };
    ($first:expr $(, $rest:expr)* $(,)?) => { $first + $crate::total!($($rest),*) };
}
`;
const RUST_PARSE = (body: string): string => `//! Settings, as lines of \`key = value\`.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, PartialEq)]
pub enum ParseError {
    NoEquals { line: usize },
    Twice { key: String },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::NoEquals { line } => write!(f, "line {line} has no '='"),
            ParseError::Twice { key } => write!(f, "{key} is there twice"),
        }
    }
}

impl std::error::Error for ParseError {}

pub fn parse(text: &str) -> Result<BTreeMap<String, String>, ParseError> {
${body}}
`;
const RUST_PARSE_TESTS = `
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines() {
        let settings = parse("# tea\\nname = green\\n\\n temp=80 \\n").unwrap();
        assert_eq!(settings.len(), 2);
        assert_eq!(settings["name"], "green");
        assert_eq!(settings["temp"], "80");
    }

    #[test]
    fn names_a_line_without_equals() {
        assert_eq!(parse("a = 1\\nb"), Err(ParseError::NoEquals { line: 2 }));
        assert_eq!(
            ParseError::NoEquals { line: 2 }.to_string(),
            "line 2 has no '='"
        );
    }

    #[test]
    fn refuses_a_key_twice() -> Result<(), ParseError> {
        parse("a = 1\\nb = 1")?;
        let error = parse("a = 1\\na = 2").unwrap_err();
        assert_eq!(error.to_string(), "a is there twice");
        Ok(())
    }
}
`;
const RUST_PARSE_BODY = `    let mut settings = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line
            .split_once('=')
            .ok_or(ParseError::NoEquals { line: index + 1 })?;
        let key = key.trim().to_owned();
        if settings
            .insert(key.clone(), value.trim().to_owned())
            .is_some()
        {
            return Err(ParseError::Twice { key });
        }
    }
    Ok(settings)
`;

const VARIED_CARGO_WAYS: RunnerWays = {
  runner: 'cargo-test',
  project: {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': RUST_LIB,
    'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(shop::add(1, 2), 3);\n}\n',
    '.gitignore': 'target\n',
  },
  ways: [
    {
      name: 'a trait with a default, trait objects and a macro',
      // A macro is no function that could be emptied.
      reasons: [/do not fail, although the changed functions are empty: tests\/shapes\.rs › adds_up_by_macro/],
      steps: [
        ['tests/shapes.rs', RUST_SHAPES_TEST],
        'run',
        ['src/shapes.rs', RUST_SHAPES],
        ['src/lib.rs', `${RUST_LIB}\npub mod shapes;\n`],
        'run',
      ],
    },
    {
      name: 'a parser that was begun, with its tests beside it',
      files: {
        'src/lib.rs': `${RUST_LIB}\npub mod settings;\n`,
        'src/settings.rs': RUST_PARSE('    todo!("{text}")\n'),
      },
      steps: [
        ['src/settings.rs', RUST_PARSE('    todo!("{text}")\n') + RUST_PARSE_TESTS],
        'run',
        ['src/settings.rs', RUST_PARSE(RUST_PARSE_BODY) + RUST_PARSE_TESTS],
        'run',
      ],
    },
  ],
};

const PLAYLIST_TEST = `require "minitest/autorun"
require "playlist"

class PlaylistTest < Minitest::Test
  def setup
    @playlist = Playlist.new
    @playlist << Song.new("Blue", 90) << Song.new("Green", 200) << Song.new("Red", 45)
  end

  def test_walks_through_songs_in_order
    assert_equal %w[Blue Green Red], @playlist.map(&:title)
    assert_equal "Red", @playlist.min.title
  end

  def test_length_as_minutes_and_seconds
    assert_equal "5:35", @playlist.length
    assert_equal "0:00", Playlist.new.length
  end

  def test_refuses_a_song_twice
    error = assert_raises(Playlist::Duplicate) { @playlist << Song.new("Blue", 10) }
    assert_equal "Blue is there already", error.message
    assert_equal 3, @playlist.count
  end
end
`;
const PLAYLIST = `# A song, compared by how long it is.
Song = Struct.new(:title, :seconds) do
  include Comparable

  def <=>(other)
    seconds <=> other.seconds
  end
end

# Songs in the order in which they were added.
class Playlist
  include Enumerable

  class Duplicate < StandardError; end

  def initialize
    @songs = []
  end

  def <<(song)
    raise Duplicate, "#{song.title} is there already" if any? { |each| each.title == song.title }

    @songs << song
    self
  end

  def each(&block)
    @songs.each(&block)
  end

  def length
    format("%d:%02d", *sum(&:seconds).divmod(60))
  end
end
`;

const VARIED_MINITEST_WAYS: RunnerWays = {
  runner: 'minitest',
  project: {
    'lib/add.rb': 'module Add\n  def self.add(a, b)\n    a + b\n  end\nend\n',
    'test/add_test.rb':
      'require "minitest/autorun"\nrequire "add"\n\nclass AddTest < Minitest::Test\n  def test_adds\n    assert_equal 3, Add.add(1, 2)\n  end\nend\n',
  },
  ways: [
    {
      name: 'a collection that can be walked through, of things that can be compared',
      reasons: [/<=> decides what is equal to it/],
      steps: testFirst(['test/playlist_test.rb', PLAYLIST_TEST], ['lib/playlist.rb', PLAYLIST]),
    },
  ],
};

const DISCOUNT_SPEC = `require "discount"

RSpec.describe Discount do
  subject(:discount) { described_class.new(today: today) }

  let(:today) { Date.new(2024, 3, 1) }

  describe "#price" do
    context "with few items" do
      it "takes the whole price" do
        expect(discount.price(cents: 250, count: 2)).to eq(500)
      end
    end

    context "with ten items and more" do
      it "takes a tenth off" do
        expect(discount.price(cents: 100, count: 10)).to eq(900)
        expect(discount.price(cents: 100, count: 9)).to eq(900)
      end
    end

    context "on the last day of a month" do
      let(:today) { Date.new(2024, 2, 29) }

      it "takes half" do
        expect(discount.price(cents: 250, count: 2)).to eq(250)
      end
    end

    it "refuses counts below one" do
      expect { discount.price(cents: 250, count: 0) }.to raise_error(ArgumentError, /count/)
    end
  end
end
`;
const DISCOUNT = `require "date"

# What is paid for a number of items.
class Discount
  BULK = 10

  def initialize(today:)
    @today = today
  end

  def price(cents:, count:)
    raise ArgumentError, "count must be positive" if count < 1

    full = cents * count
    return full / 2 if month_ends?
    return full * 9 / 10 if count >= BULK

    full
  end

  private

  def month_ends?
    @today.next_day.month != @today.month
  end
end
`;

const VARIED_RSPEC_WAYS: RunnerWays = {
  runner: 'rspec',
  project: {
    '.rspec': '--require spec_helper\n',
    'lib/add.rb': 'module Add\n  def self.add(a, b)\n    a + b\n  end\nend\n',
    'spec/spec_helper.rb': 'RSpec.configure { |config| config.disable_monkey_patching! }\n',
    'spec/add_spec.rb':
      'require "add"\n\nRSpec.describe Add do\n  it("adds") { expect(Add.add(1, 2)).to eq(3) }\nend\n',
  },
  ways: [
    {
      name: 'contexts that differ in one value, and a day that is handed in',
      steps: testFirst(['spec/discount_spec.rb', DISCOUNT_SPEC], ['lib/discount.rb', DISCOUNT]),
    },
  ],
};

const MONEY_TEST = `<?php
declare(strict_types=1);

use PHPUnit\\Framework\\TestCase;

final class MoneyTest extends TestCase
{
    public static function sums(): array
    {
        return [
            'two amounts' => [['2.50', '1.25'], '3.75'],
            'one amount' => [['0.05'], '0.05'],
            'a refund' => [['10.00', '-12.50'], '-2.50'],
        ];
    }

    /** @dataProvider sums */
    public function testPlus(array $amounts, string $wanted): void
    {
        $sum = array_reduce($amounts, fn (Money $sum, string $each): Money => $sum->plus(Money::of($each, 'EUR')), Money::of('0.00', 'EUR'));
        $this->assertSame($wanted, $sum->format());
    }

    public function testRefusesAnotherCurrency(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('EUR and USD');
        Money::of('1.00', 'EUR')->plus(Money::of('1.00', 'USD'));
    }

    public function testRefusesWhatIsNoAmount(): void
    {
        $this->expectException(InvalidArgumentException::class);
        Money::of('1,00', 'EUR');
    }
}
`;
const RANGE_TEST = `<?php
use PHPUnit\\Framework\\TestCase;

final class RangeTest extends TestCase
{
    public static function ranges(): array
    {
        return [
            'apart' => [new Range(1, 3), new Range(5, 9), false],
            'one in the other' => [new Range(1, 9), new Range(3, 4), true],
            'side by side' => [new Range(1, 3), new Range(3, 5), true],
        ];
    }

    /** @dataProvider ranges */
    public function testOverlaps(Range $one, Range $other, bool $wanted): void
    {
        $this->assertSame($wanted, $one->overlaps($other));
        $this->assertSame($wanted, $other->overlaps($one));
    }
}
`;
const RANGE = `<?php
final class Range
{
    public function __construct(private int $from, private int $to)
    {
    }

    public function overlaps(self $other): bool
    {
        return $this->from <= $other->to && $other->from <= $this->to;
    }
}
`;
const MONEY = `<?php
declare(strict_types=1);

/** An amount of money, which never changes. */
final class Money
{
    private function __construct(private int $cents, private string $currency)
    {
    }

    public static function of(string $amount, string $currency): self
    {
        if (preg_match('/^(-?)(\\d+)\\.(\\d\\d)$/', $amount, $match) !== 1) {
            throw new InvalidArgumentException("$amount is no amount");
        }
        $cents = (int) $match[2] * 100 + (int) $match[3];
        return new self($match[1] === '-' ? -$cents : $cents, $currency);
    }

    public function plus(self $other): self
    {
        if ($this->currency !== $other->currency) {
            throw new InvalidArgumentException("{$this->currency} and {$other->currency} cannot be added");
        }
        return new self($this->cents + $other->cents, $this->currency);
    }

    public function format(): string
    {
        return number_format($this->cents / 100, 2, '.', '');
    }
}
`;

const VARIED_PHPUNIT_WAYS: RunnerWays = {
  runner: 'phpunit',
  project: {
    'composer.json': '{ "name": "own/way", "require-dev": { "phpunit/phpunit": "*" } }\n',
    'phpunit.xml':
      '<phpunit bootstrap="bootstrap.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
    'bootstrap.php':
      "<?php\nspl_autoload_register(function ($name) { $file = __DIR__ . '/src/' . basename(str_replace('\\\\', '/', $name)) . '.php'; if (is_file($file)) require_once $file; });\n",
    'src/Add.php':
      '<?php\nfinal class Add\n{\n    public static function add(int $a, int $b): int\n    {\n        return $a + $b;\n    }\n}\n',
    'tests/AddTest.php':
      '<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class AddTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, Add::add(1, 2));\n    }\n}\n',
  },
  ways: [
    {
      name: 'a value that never changes, with a data provider',
      steps: testFirst(['tests/MoneyTest.php', MONEY_TEST], ['src/Money.php', MONEY]),
    },
    {
      name: 'a data provider that makes objects of the new class: they are moved into the case',
      refused: [/move such calls into a case/],
      steps: [
        ['tests/RangeTest.php', RANGE_TEST],
        'run',
        [
          'tests/RangeTest.php',
          RANGE_TEST.replaceAll(/new Range\((\d, \d)\)/g, '[$1]')
            .replace('Range $one, Range $other', 'array $one, array $other')
            .replace('$this', '[$one, $other] = [new Range(...$one), new Range(...$other)];\n        $this'),
        ],
        'run',
        ['src/Range.php', RANGE],
        'run',
      ],
    },
  ],
};

const RING_TEST = `#include "ring.h"

#include <gtest/gtest.h>

#include <string>

class RingTest : public ::testing::Test {
 protected:
  Ring<int> ring{3};
};

TEST_F(RingTest, IsEmptyAtFirst) {
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.size(), 0u);
}

TEST_F(RingTest, GivesBackInOrder) {
  ring.push(1);
  ring.push(2);
  EXPECT_EQ(ring.pop(), 1);
  EXPECT_EQ(ring.pop(), 2);
  EXPECT_TRUE(ring.empty());
}

TEST_F(RingTest, ForgetsTheOldest) {
  for (int each : {1, 2, 3, 4, 5}) ring.push(each);
  EXPECT_EQ(ring.size(), 3u);
  EXPECT_EQ(ring.pop(), 3);
}

TEST_F(RingTest, ThrowsWhenNothingIsThere) {
  EXPECT_THROW(ring.pop(), std::out_of_range);
}

TEST(Ring, OfTexts) {
  Ring<std::string> words{1};
  words.push("tea");
  words.push("cake");
  EXPECT_EQ(words.pop(), "cake");
}
`;
const RING = `#pragma once

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

/// Keeps the newest items, up to its capacity.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : items_(capacity) {}

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }

  void push(T item) {
    items_[(first_ + count_) % items_.size()] = std::move(item);
    if (count_ == items_.size()) {
      first_ = (first_ + 1) % items_.size();
    } else {
      ++count_;
    }
  }

  T pop() {
    if (empty()) throw std::out_of_range("nothing is in the ring");
    T item = std::move(items_[first_]);
    first_ = (first_ + 1) % items_.size();
    --count_;
    return item;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};
`;

const VARIED_CTEST_WAYS: RunnerWays = {
  runner: 'ctest',
  project: GTEST_PROJECT,
  ways: [
    {
      name: 'GoogleTest: a template, with a fixture',
      steps: testFirst(['tests/ring_test.cpp', RING_TEST], ['include/ring.h', RING]),
    },
  ],
};

export const VARIED_WAYS: readonly RunnerWays[] = [
  VARIED_NODE_WAYS,
  VARIED_VITEST_WAYS,
  VARIED_JEST_WAYS,
  VARIED_MOCHA_WAYS,
  VARIED_PYTEST_WAYS,
  VARIED_UNITTEST_WAYS,
  VARIED_GO_WAYS,
  VARIED_CARGO_WAYS,
  VARIED_MINITEST_WAYS,
  VARIED_RSPEC_WAYS,
  VARIED_PHPUNIT_WAYS,
  VARIED_CTEST_WAYS,
];
