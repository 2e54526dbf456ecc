import { fileText } from '../support/file-text.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

/** Ordinary work in Python. */
export const EVERYDAY_PYTEST_WAYS: RunnerWays = {
  runner: 'pytest',
  project: { 'requirements.txt': 'pytest\n' },
  ways: [
    {
      name: 'a new parameter of an old function',
      files: {
        'text.py':
          'def shorten(text, width):\n    if len(text) <= width:\n        return text\n    return text[: width - 3] + "..."\n',
        'test_text.py': fileText`
          from text import shorten


          def test_shortens():
              assert shorten("hello world", 8) == "hello..."


          def test_leaves_short_text():
              assert shorten("hello", 5) == "hello"
        `,
      },
      steps: testFirst(
        [
          'test_text.py',
          fileText`
            from text import shorten


            def test_shortens():
                assert shorten("hello world", 8) == "hello..."


            def test_leaves_short_text():
                assert shorten("hello", 5) == "hello"


            def test_takes_another_placeholder():
                assert shorten("hello world", 8, placeholder="~") == "hello w~"
                assert shorten("hello", 5, placeholder="~") == "hello"


            def test_rejects_a_width_below_the_placeholder():
                import pytest

                with pytest.raises(ValueError, match="width"):
                    shorten("hello world", 2)
          `,
        ],
        [
          'text.py',
          fileText`
            def shorten(text, width, placeholder="..."):
                if width < len(placeholder):
                    raise ValueError(f"width has to be at least {len(placeholder)}")
                if len(text) <= width:
                    return text
                return text[: width - len(placeholder)] + placeholder
          `,
        ],
      ),
    },
    {
      name: 'a dataclass with what is computed of it',
      steps: testFirst(
        [
          'tests/test_invoice.py',
          fileText`
            from decimal import Decimal

            import pytest

            from invoice import Invoice, Line


            def test_total_of_lines():
                invoice = Invoice("Ada", [Line("pen", Decimal("1.50"), 4), Line("pad", Decimal("3.00"))])
                assert invoice.total == Decimal("9.00")


            def test_total_of_no_lines():
                assert Invoice("Ada").total == Decimal("0")


            def test_lines_are_its_own():
                first, second = Invoice("Ada"), Invoice("Grace")
                first.lines.append(Line("pen", Decimal("1")))
                assert second.lines == []


            def test_rejects_no_quantity():
                with pytest.raises(ValueError, match="quantity"):
                    Line("pen", Decimal("1"), 0)


            def test_lines_cannot_be_changed():
                line = Line("pen", Decimal("1"))
                with pytest.raises(AttributeError):
                    line.quantity = 3
          `,
        ],
        [
          'invoice.py',
          fileText`
            from dataclasses import dataclass, field
            from decimal import Decimal


            @dataclass(frozen=True)
            class Line:
                name: str
                price: Decimal
                quantity: int = 1

                def __post_init__(self):
                    if self.quantity < 1:
                        raise ValueError("quantity has to be positive")


            @dataclass
            class Invoice:
                customer: str
                lines: list[Line] = field(default_factory=list)

                @property
                def total(self):
                    return sum((line.price * line.quantity for line in self.lines), Decimal("0"))
          `,
        ],
      ),
      files: { 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["."]\n' },
    },
    {
      name: 'an enumeration with transitions',
      steps: testFirst(
        [
          'test_order_state.py',
          fileText`
            import pytest

            from order_state import InvalidTransition, OrderState


            @pytest.mark.parametrize(
                ("start", "end"),
                [
                    (OrderState.NEW, OrderState.PAID),
                    (OrderState.NEW, OrderState.CANCELLED),
                    (OrderState.PAID, OrderState.SHIPPED),
                ],
            )
            def test_allowed(start, end):
                assert start.to(end) is end


            @pytest.mark.parametrize(
                ("start", "end"),
                [
                    (OrderState.NEW, OrderState.SHIPPED),
                    (OrderState.SHIPPED, OrderState.CANCELLED),
                    (OrderState.CANCELLED, OrderState.NEW),
                ],
            )
            def test_forbidden(start, end):
                with pytest.raises(InvalidTransition, match=f"{start.value} cannot become {end.value}"):
                    start.to(end)


            def test_final_states():
                assert OrderState.SHIPPED.is_final
                assert OrderState.CANCELLED.is_final
                assert not OrderState.NEW.is_final
          `,
        ],
        [
          'order_state.py',
          fileText`
            from enum import Enum


            class InvalidTransition(Exception):
                pass


            class OrderState(Enum):
                NEW = "new"
                PAID = "paid"
                SHIPPED = "shipped"
                CANCELLED = "cancelled"

                @property
                def is_final(self):
                    return not _NEXT[self]

                def to(self, other):
                    if other not in _NEXT[self]:
                        raise InvalidTransition(f"{self.value} cannot become {other.value}")
                    return other


            _NEXT = {
                OrderState.NEW: {OrderState.PAID, OrderState.CANCELLED},
                OrderState.PAID: {OrderState.SHIPPED, OrderState.CANCELLED},
                OrderState.SHIPPED: set(),
                OrderState.CANCELLED: set(),
            }
          `,
        ],
      ),
    },
    {
      name: 'a context manager that restores',
      steps: testFirst(
        [
          'test_workdir.py',
          fileText`
            import os

            import pytest

            from workdir import working_directory


            def test_changes_and_restores(tmp_path):
                before = os.getcwd()
                with working_directory(tmp_path) as path:
                    assert os.getcwd() == str(tmp_path)
                    assert path == tmp_path
                assert os.getcwd() == before


            def test_restores_after_an_error(tmp_path):
                before = os.getcwd()
                with pytest.raises(RuntimeError):
                    with working_directory(tmp_path):
                        raise RuntimeError("stop")
                assert os.getcwd() == before
          `,
        ],
        [
          'workdir.py',
          fileText`
            import os
            from contextlib import contextmanager


            @contextmanager
            def working_directory(path):
                before = os.getcwd()
                os.chdir(path)
                try:
                    yield path
                finally:
                    os.chdir(before)
          `,
        ],
      ),
    },
    {
      name: 'a decorator that tries again',
      steps: testFirst(
        [
          'test_retry.py',
          fileText`
            import pytest

            from retry import retry


            def test_tries_again():
                calls = []

                @retry(times=3, errors=(ConnectionError,))
                def fetch():
                    calls.append(1)
                    if len(calls) < 3:
                        raise ConnectionError("down")
                    return "ok"

                assert fetch() == "ok"
                assert len(calls) == 3


            def test_gives_up():
                calls = []

                @retry(times=2, errors=(ConnectionError,))
                def fetch():
                    calls.append(1)
                    raise ConnectionError("down")

                with pytest.raises(ConnectionError, match="down"):
                    fetch()
                assert len(calls) == 2


            def test_passes_other_errors_on():
                calls = []

                @retry(times=5, errors=(ConnectionError,))
                def fetch():
                    calls.append(1)
                    raise KeyError("x")

                with pytest.raises(KeyError):
                    fetch()
                assert len(calls) == 1


            def test_waits_between(monkeypatch):
                slept = []
                monkeypatch.setattr("time.sleep", slept.append)

                @retry(times=3, errors=(OSError,), delay=0.5)
                def fetch():
                    raise OSError

                with pytest.raises(OSError):
                    fetch()
                assert slept == [0.5, 1.0]


            def test_keeps_the_name():
                @retry()
                def fetch():
                    """Fetches."""

                assert fetch.__name__ == "fetch"
                assert fetch.__doc__ == "Fetches."
          `,
        ],
        [
          'retry.py',
          fileText`
            import functools
            import time


            def retry(times=3, errors=(Exception,), delay=0):
                def decorate(function):
                    @functools.wraps(function)
                    def wrapper(*args, **kwargs):
                        for attempt in range(times):
                            try:
                                return function(*args, **kwargs)
                            except errors:
                                if attempt == times - 1:
                                    raise
                                if delay:
                                    time.sleep(delay * 2**attempt)

                    return wrapper

                return decorate
          `,
        ],
      ),
    },
    {
      name: 'a generator of batches',
      steps: testFirst(
        [
          'test_batches.py',
          fileText`
            import itertools

            import pytest

            from batches import batches


            def test_full_and_last_batch():
                assert list(batches([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]


            def test_exact_batches():
                assert list(batches("abcd", 2)) == [["a", "b"], ["c", "d"]]


            def test_nothing():
                assert list(batches([], 3)) == []


            def test_is_lazy():
                assert next(batches(itertools.count(), 3)) == [0, 1, 2]


            def test_size_has_to_be_positive():
                with pytest.raises(ValueError):
                    list(batches([1], 0))
          `,
        ],
        [
          'batches.py',
          fileText`
            def batches(items, size):
                if size < 1:
                    raise ValueError("size has to be positive")
                batch = []
                for item in items:
                    batch.append(item)
                    if len(batch) == size:
                        yield batch
                        batch = []
                if batch:
                    yield batch
          `,
        ],
      ),
    },
    {
      name: 'a coroutine with a time limit',
      steps: testFirst(
        [
          'test_fetch_all.py',
          fileText`
            import asyncio

            from fetch_all import fetch_all


            async def fetch(name):
                if name == "slow":
                    await asyncio.sleep(60)
                if name == "bad":
                    raise ValueError("bad name")
                return name.upper()


            def test_fetches_all():
                assert asyncio.run(fetch_all(fetch, ["a", "b"], timeout=1)) == {"a": "A", "b": "B"}


            def test_leaves_out_what_is_slow():
                assert asyncio.run(fetch_all(fetch, ["a", "slow"], timeout=0.01)) == {"a": "A", "slow": None}


            def test_leaves_out_what_fails():
                assert asyncio.run(fetch_all(fetch, ["bad", "b"], timeout=1)) == {"bad": None, "b": "B"}
          `,
        ],
        [
          'fetch_all.py',
          fileText`
            import asyncio


            async def fetch_all(fetch, names, timeout):
                async def one(name):
                    try:
                        return await asyncio.wait_for(fetch(name), timeout)
                    except (asyncio.TimeoutError, ValueError):
                        return None

                results = await asyncio.gather(*(one(name) for name in names))
                return dict(zip(names, results))
          `,
        ],
      ),
    },
  ],
};
